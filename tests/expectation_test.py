"""The parser of the expectations that programs carry. Run: python3 -m unittest discover -s tests -p '*_test.py'"""
import unittest

from expectation import BadExpectation, Count, leading_comment, parse


class LeadingComment(unittest.TestCase):
    def test_line_comments_end_at_the_first_code_line(self):
        self.assertEqual(leading_comment("// a\n// EXPECT: verified\nint x; // no\n"), (["a", "EXPECT: verified"], 2))

    def test_block_comment(self):
        text, covered = leading_comment("/* a\n * EXPECT: verified\n */\nint x;\n")
        self.assertIn("EXPECT: verified", text)
        self.assertEqual(covered, 3)

    def test_block_comment_in_one_line(self):
        self.assertEqual(leading_comment("/* EXPECT: verified */\n"), (["EXPECT: verified"], 1))

    def test_no_comment(self):
        self.assertEqual(leading_comment("int main;\n// EXPECT: verified\n"), ([], 0))


class Verdicts(unittest.TestCase):
    def test_each_verdict_has_its_exit_code(self):
        for text, code in [("verified", 0), ("within-bound", 0), ("unknown", 3), ("incomplete", 3), ("unsupported", 5),
                           ("bug deadlock", 1), ("error 2", 2), ("error 70", 70)]:
            expectation = parse(f"// EXPECT: {text}\n")
            self.assertEqual(expectation.exit_code, code, text)
            self.assertEqual(expectation.verdict, text.split()[0])

    def test_alternative_kinds(self):
        self.assertEqual(parse("// EXPECT: bug data-race|use-after-free\n").kinds, {"data-race", "use-after-free"})

    def test_mistakes_are_refused(self):
        for text in ["", "// nothing\n", "// EXPECT: fine\n", "// EXPECT: bug\n", "// EXPECT: bug typo\n",
                     "// EXPECT: error\n", "// EXPECT: error x\n", "// EXPECT: verified twice\n",
                     "// EXPECT: verified\n// EXPECT: verified\n", "// EXPECT:\n"]:
            with self.assertRaises(BadExpectation, msg=repr(text)):
                parse(text)


class Directives(unittest.TestCase):
    def parse(self, *lines, code="int main(){}\n"):
        return parse("".join(f"// {line}\n" for line in ("A title: with a colon.", "EXPECT: bug deadlock") + lines) + code)

    def test_word_lists_are_split_like_a_shell_does_and_add_up(self):
        expectation = self.parse("OPTIONS: --a --b=1", "OPTIONS: --c 'd e'", "CFLAGS: -std=c++20", "ARGS: x y", "LIBRARY: -O1 -DX")
        self.assertEqual(expectation.library, ["-O1", "-DX"])
        self.assertEqual(expectation.options, ["--a", "--b=1", "--c", "d e"])
        self.assertEqual(expectation.cflags, ["-std=c++20"])
        self.assertEqual(expectation.args, ["x", "y"])

    def test_counts(self):
        expectation = self.parse("EXECUTIONS: optimal=6 dpor=7", "EXECUTIONS(visible=all): source=8")
        self.assertEqual(expectation.counts, [Count("optimal", 6), Count("dpor", 7), Count("source", 8, ("--visible=all",))])

    def test_location_is_the_marked_line_below_the_comment(self):
        self.assertEqual(self.parse("LOCATION: HERE", code="int a;\nint b; // HERE\n").location_lines, [5])

    def test_location_must_be_unique_and_a_comment(self):
        for code in ["int a;\n", "int HERE;\n", "int a; // HERE\nint b; // HERE\n"]:
            with self.assertRaises(BadExpectation, msg=code):
                self.parse("LOCATION: HERE", code=code)

    def test_location_needs_a_bug(self):
        with self.assertRaises(BadExpectation):
            parse("// EXPECT: verified\n// LOCATION: HERE\nint a; // HERE\n")

    def test_only_restricts_the_named_dimensions(self):
        expectation = self.parse("ONLY: gcc O0 O2")
        self.assertTrue(expectation.allows(compiler="gcc", opt="O2", executor="fork"))
        self.assertFalse(expectation.allows(compiler="clang", opt="O2", executor="fork"))
        self.assertFalse(expectation.allows(compiler="gcc", opt="O1", executor="fork"))

    def test_oracles(self):
        self.assertEqual(self.parse().oracles, ("native", "tsan"))
        self.assertEqual(self.parse("ORACLE: native because").oracles, ("native",))
        self.assertEqual(self.parse("ORACLE: none because").oracles, ())

    def test_stdin_ends_with_a_newline(self):
        self.assertEqual(self.parse("STDIN: 3 4").stdin, "3 4\n")

    def test_mistakes_are_refused(self):
        for line in ["OPTONS: --x", "EXECUTIONS: optimal", "EXECUTIONS: =3", "ONLY: msvc", "MESSAGE: (", "LANG: rust",
                     "TIMEOUT: soon", "UNCOVERED: memory x", "UNCOVERED: access (", "UNKNOWN: (", "VACUOUS: (", "ASSUMES: (",
                     "UNCOVERED(fork): access x", "EXPECT(msvc): verified", "EXPECT(gcc): fine", "UNKNOWN: race", "ORACLE: none", "ORACLE: tsan because", "SKIP:", "OPTIONS(visible=all): --x"]:
            with self.assertRaises(BadExpectation, msg=line):
                self.parse(line)

    def test_uncovered_places(self):
        entry = {"what": "access", "function": "worker", "where": "a.c:3", "reason": "inline assembly"}
        for text, expected in [("access worker at a.c:3", True), ("access", True), ("access|code asm|assembly", True),
                               ("call worker", False), ("access other", False)]:
            place, = parse(f"// EXPECT: within-bound\n// UNCOVERED: {text}\n").uncovered
            self.assertEqual(place.matches(entry), expected, text)

    def test_lines_for_some_builds_alone(self):
        expectation = parse("// EXPECT: verified\n// EXPECT(clang): within-bound\n// UNCOVERED(clang): access\n"
                            "// EXPECT(gcc,O2,O3): unknown\n// UNCOVERED: call f\n")
        seen = {(c, o): expectation.for_build(c, o) for c in ("gcc", "clang") for o in ("O0", "O2")}
        self.assertEqual({where: (e.verdict, e.exit_code, len(e.uncovered)) for where, e in seen.items()},
                         {("gcc", "O0"): ("verified", 0, 1), ("gcc", "O2"): ("unknown", 3, 1),
                          ("clang", "O0"): ("within-bound", 0, 2), ("clang", "O2"): ("within-bound", 0, 2)})

    def test_strict_turns_what_is_not_plainly_verified_into_exit_code_3(self):
        for lines, code in [(["EXPECT: verified"], 0), (["EXPECT: within-bound"], 3), (["EXPECT: verified", "VACUOUS: one"], 3),
                            (["EXPECT: verified", "VACUOUS: no"], 0), (["EXPECT: bug crash"], 1)]:
            expectation = parse("".join(f"// {line}\n" for line in [*lines, "OPTIONS: --strict"])).for_build("gcc", "O0")
            self.assertEqual(expectation.exit_code, code, lines)

    def test_prose_with_colons_is_no_directive(self):
        self.parse("Note: this is prose.", "A: so is this, one letter only.")


if __name__ == "__main__":
    unittest.main()
