"""What programs are built of, with a stand-in for heddle that only calls the compiler."""
import argparse
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from commands import Failure
from expectation import Expectation
from precompiled import Precompiled
from workshop import Build, Workshop

STAND_IN = """#!/bin/sh
shift
echo "$@" >>"$0.log"
exec ${HEDDLE_CXX} "$@"
"""
CXX = Expectation(verdict="verified", language="c++")


class WorkshopTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.heddle = self.write("heddle", STAND_IN)
        self.heddle.chmod(0o755)
        self.headers = self.write("common.h", "#include <cstddef>\nstruct Common {};\n")
        self.workshop = self.new_workshop()

    def new_workshop(self):
        arguments = argparse.Namespace(heddle=self.heddle, launcher="", oracle=None)
        return Workshop(arguments, self.folder, Precompiled(self.heddle, self.folder / "precompiled", self.headers))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def build(self, program, compiler, opt, expectation=CXX):
        return self.workshop.binary(Build(program, compiler, opt), expectation)

    def headers_made(self):
        return sum("unfinished" in line for line in Path(f"{self.heddle}.log").read_text().splitlines())

    def test_a_missing_include_shows_with_gcc_at_o1(self):
        program = self.write("program.cpp", "int main() { Common c; (void)c; }\n")  # it only compiles with our header in front
        for compiler, opt in [("gcc", "O0"), ("gcc", "O2"), ("clang", "O0"), ("clang", "O1"), ("clang", "O2")]:
            self.assertTrue(self.build(program, compiler, opt).exists())
        with self.assertRaises(Failure):
            self.build(program, "gcc", "O1")

    def test_a_program_that_the_headers_break_is_built_without(self):
        program = self.write("program.cpp", "struct Common { int x; };\nint main() { return Common().x; }\n")
        for compiler in ("gcc", "clang"):
            self.assertTrue(self.build(program, compiler, "O2").exists())

    def test_headers_that_do_not_compile_are_left_out(self):
        self.headers.write_text("#include <no_such_header>\n")
        program = self.write("program.cpp", "int main() {}\n")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertTrue(self.build(program, "gcc", "O2").exists())
        self.assertIn("no_such_header", said.getvalue())

    def test_headers_are_made_anew_when_their_text_changes_and_not_otherwise(self):
        program = self.write("program.cpp", "int main() {}\n")
        inner = self.write("inner.h", "#define INNER 1\n")
        self.headers.write_text(f'#include "{inner}"\n')
        made = []
        for text in ("#define INNER 1\n", "#define INNER 1\n", "#define INNER 2\n"):
            inner.write_text(text)
            self.workshop = self.new_workshop()  # another run of run.py
            self.build(program, "clang", "O2")
            made.append(self.headers_made())
        self.assertEqual(made, [1, 1, 2])
        self.assertEqual(len(list((self.folder / "precompiled").glob("clang-O2-*"))), 1)

    def test_options_of_its_own_keep_a_program_from_the_headers(self):
        program = self.write("program.cpp", "int main() { Common c; (void)c; }\n")
        with self.assertRaises(Failure):
            self.build(program, "gcc", "O2", Expectation(verdict="verified", language="c++", cflags=["-fno-builtin"]))


if __name__ == "__main__":
    unittest.main()
