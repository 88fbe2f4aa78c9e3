"""What a test program promises about itself, read from its leading comment.

The comment is free text with directives, one a line:

    EXPECT: verified | within-bound | unknown | incomplete | unsupported | bug KIND[|KIND...] | error CODE
    OPTIONS: --spurious-wakeups          more options of `heddle check`
    CFLAGS: -std=c++20                   more options of the compiler driver
    LANG: c | c++                        overrides the file's suffix
    MESSAGE: regex                       must match a finding's message, or what heddle said on stderr
    LOCATION: MARKER                     the line that carries MARKER (outside this comment) is a place of the finding
    EXECUTIONS: optimal=6                with --algorithm=optimal, exactly 6 executions (repeatable)
    EXECUTIONS(visible=all): dpor=20     the same with --visible=all
    UNCOVERED: access|call regex         an entry of that sort in what heddle does not see; the regex is searched in
                                         "function at where: reason" (repeatable: each line must find an entry). Unless
                                         the verdict is a bug, each entry must be expected
    UNCOVERED(gcc,O2): …                 the same for this compiler and optimisation alone; EXPECT takes that, too,
                                         beside the EXPECT for all others: EXPECT(clang): within-bound
    UNKNOWN: regex                       must match a race that unseen code may order: "message, maybe ordered by NAME"
    VACUOUS: regex                       the verdict is vacuous, and why; VACUOUS: no: it is not
    ASSUMES: regex                       must match something that the verdict assumes (repeatable)
    STDIN: text                          given to the program, with a newline at its end
    LIBRARY: -O2                         the program needs a shared library: the same source, with -DLIBRARY, by the plain
                                         compiler of the case, with these options
    ARGS: a b                            arguments of the program
    TIMEOUT: 120                         seconds, for this program only
    ONLY: gcc O0 fork                    restricts the dimensions that are named
    SKIP: reason                         not run; a known gap
    ORACLE: native reason                clean, but ThreadSanitizer does not see that: why
    ORACLE: none reason                  clean only under heddle: why

Anything else in capitals before a colon is a mistake and reported, so that a typing error never switches a check off.
"""
import copy
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

KINDS = frozenset("""assertion abort exception crash deadlock data-race use-after-free use-after-return double-free bad-free heap-overflow
                     lock-misuse livelock uncaught-exit""".split())
EXIT_CODES = {"verified": 0, "within-bound": 0, "bug": 1, "unknown": 3, "incomplete": 3, "unsupported": 5}
UNCOVERED = frozenset(["access", "call", "library", "code"])
DIMENSIONS = {
    "compiler": frozenset(["gcc", "clang"]),
    "opt": frozenset(["O0", "O1", "O2", "O3"]),
    "executor": frozenset(["rollback", "fork"]),
}
_DIRECTIVE = re.compile(r"^([A-Z]{3,})(?:\(([^)]*)\))?:(?:\s+(.*))?$")


class BadExpectation(Exception):
    """The program's comment does not say what is expected, or says it wrongly."""


@dataclass(frozen=True)
class Count:
    algorithm: str
    executions: int
    options: tuple = ()


@dataclass(frozen=True)
class UncoveredPlace:
    """An entry of what heddle does not see."""
    whats: frozenset
    pattern: str

    def matches(self, entry):
        text = f"{entry.get('function')} at {entry.get('where')}: {entry.get('reason')}"
        return entry.get("what") in self.whats and re.search(self.pattern, text) is not None


@dataclass
class Expectation:
    verdict: str = ""
    kinds: frozenset = frozenset()
    exit_code: int = 0
    options: list = field(default_factory=list)
    cflags: list = field(default_factory=list)
    library: list = field(default_factory=list)  # options of the library's compiler
    args: list = field(default_factory=list)
    language: str = ""
    message: str = ""
    location_lines: list = field(default_factory=list)
    counts: list = field(default_factory=list)
    uncovered: list = field(default_factory=list)
    unknown: str = ""
    vacuous: str = ""
    assumes: list = field(default_factory=list)
    variants: list = field(default_factory=list)  # (words of ONLY, key, value): lines that hold for some builds alone
    stdin: str = ""
    timeout: float = 0
    only: dict = field(default_factory=dict)
    skip: str = ""
    oracles: tuple = ("native", "tsan")

    def for_build(self, compiler, opt):
        """This expectation with the lines that hold for this build alone."""
        result = copy.copy(self)
        result.uncovered = list(self.uncovered)
        for words, key, value in self.variants:
            if not all({"compiler": compiler, "opt": opt}[name] in chosen for name, chosen in words.items()):
                continue
            if key == "EXPECT":
                result.verdict = ""
                _expect(result, value)
            else:
                _uncovered(result, value)
        if "--strict" in self.options and (result.verdict == "within-bound" or result.vacuous not in ("", "no")):
            result.exit_code = 3
        return result

    def allows(self, **where):
        """Whether this compiler=, opt=, executor= is not excluded by ONLY."""
        return all(value in self.only[name] for name, value in where.items() if name in self.only)


def leading_comment(source):
    """The lines of the first comment, without comment marks, and the number of source lines that they cover."""
    lines = source.splitlines()
    text, inside_block = [], False
    for number, line in enumerate(lines):
        stripped = line.strip()
        if inside_block or stripped.startswith("/*"):
            inside_block = "*/" not in stripped
            text.append(re.sub(r"^/?\*+\s?|\*/.*$", "", stripped).strip())
            if not inside_block:
                return text, number + 1
        elif stripped.startswith("//"):
            text.append(stripped[2:].strip())
        else:
            return text, number
    return text, len(lines)


def parse(source):
    """The Expectation in the source text of a program. Raises BadExpectation."""
    comment, covered = leading_comment(source)
    expectation = Expectation()
    for line in comment:
        match = _DIRECTIVE.match(line)
        if match:
            _apply(expectation, match[1], match[2], (match[3] or "").strip(), source, covered)
    if not expectation.verdict:
        raise BadExpectation("no EXPECT line in the leading comment")
    if expectation.unknown and expectation.verdict == "bug":
        raise BadExpectation("UNKNOWN needs another verdict than bug")
    if expectation.location_lines and expectation.verdict != "bug":
        raise BadExpectation("LOCATION needs EXPECT: bug")
    return expectation


def load(path):
    expectation = parse(Path(path).read_text())
    if not expectation.language:
        expectation.language = "c" if str(path).endswith(".c") else "c++"
    return expectation


def _apply(expectation, key, qualifier, value, source, covered):
    if qualifier and key in ("EXPECT", "UNCOVERED"):
        return _variant(expectation, key, qualifier, value)
    if qualifier and key != "EXECUTIONS":
        raise BadExpectation(f"{key} takes nothing in parentheses")
    if key not in _SETTERS and key not in ("EXECUTIONS", "LOCATION"):
        raise BadExpectation(f"unknown directive {key}")
    if not value:
        raise BadExpectation(f"{key} without a value")
    if key == "EXECUTIONS":
        _executions(expectation, value, qualifier)
    elif key == "LOCATION":
        expectation.location_lines.append(_marked_line(source, covered, value))
    else:
        _SETTERS[key](expectation, value)


def _expect(expectation, value):
    if expectation.verdict:
        raise BadExpectation("EXPECT twice")
    verdict, _, rest = value.partition(" ")
    if verdict == "bug":
        expectation.kinds = frozenset(rest.split("|"))
        unknown = expectation.kinds - KINDS
        if unknown:
            raise BadExpectation(f"unknown kind of finding: {', '.join(sorted(unknown)) or '(none)'}")
    elif verdict == "error":
        if not rest.isdigit():
            raise BadExpectation("EXPECT: error needs an exit code")
    elif verdict not in EXIT_CODES or rest:
        raise BadExpectation(f"unknown verdict: {value}")
    expectation.verdict = verdict
    expectation.exit_code = int(rest) if verdict == "error" else EXIT_CODES[verdict]


def _variant(expectation, key, qualifier, value):
    probe = Expectation()
    _only(probe, qualifier.replace(",", " "))
    if "executor" in probe.only:
        raise BadExpectation(f"{key} differs by compiler and optimisation alone")
    (_expect if key == "EXPECT" else _uncovered)(probe, value)
    expectation.variants.append((probe.only, key, value))


def _uncovered(expectation, value):
    what, _, pattern = value.partition(" ")
    whats = frozenset(what.split("|"))
    if whats - UNCOVERED:
        raise BadExpectation(f"UNCOVERED begins with one of {', '.join(sorted(UNCOVERED))}, not {what}")
    _check_pattern("UNCOVERED", pattern)
    expectation.uncovered.append(UncoveredPlace(whats, pattern))


def _check_pattern(key, pattern):
    try:
        re.compile(pattern)
    except re.error as problem:
        raise BadExpectation(f"{key} is no regular expression: {problem}") from None
    return pattern


def _executions(expectation, value, qualifier):
    options = tuple("--" + part.strip() for part in qualifier.split(",")) if qualifier else ()
    for item in value.split():
        algorithm, _, count = item.partition("=")
        if not algorithm or not count.isdigit():
            raise BadExpectation(f"EXECUTIONS wants algorithm=count, not {item}")
        expectation.counts.append(Count(algorithm, int(count), options))


def _marked_line(source, covered, marker):
    word = re.compile(r"//.*\b" + re.escape(marker) + r"\b|/\*.*\b" + re.escape(marker) + r"\b")
    found = [number for number, line in enumerate(source.splitlines(), 1) if number > covered and word.search(line)]
    if len(found) != 1:
        raise BadExpectation(f"LOCATION {marker}: {len(found)} lines carry that comment, exactly one must")
    return found[0]


def _only(expectation, value):
    for word in value.split():
        dimension = next((name for name, words in DIMENSIONS.items() if word in words), None)
        if dimension is None:
            raise BadExpectation(f"ONLY: unknown word {word}")
        expectation.only.setdefault(dimension, set()).add(word)


def _language(expectation, value):
    if value not in ("c", "c++"):
        raise BadExpectation(f"LANG is c or c++, not {value}")
    expectation.language = value


def _oracle(expectation, value):
    which, _, reason = value.partition(" ")
    if which not in ("native", "none") or not reason:
        raise BadExpectation("ORACLE is native or none, and the reason")
    expectation.oracles = ("native",) if which == "native" else ()


def _timeout(expectation, value):
    if not value.isdigit():
        raise BadExpectation(f"TIMEOUT wants seconds, not {value}")
    expectation.timeout = float(value)


_SETTERS = {
    "EXPECT": _expect,
    "OPTIONS": lambda e, v: e.options.extend(shlex.split(v)),
    "CFLAGS": lambda e, v: e.cflags.extend(shlex.split(v)),
    "LIBRARY": lambda e, v: e.library.extend(shlex.split(v)),
    "ARGS": lambda e, v: e.args.extend(shlex.split(v)),
    "LANG": _language,
    "MESSAGE": lambda e, v: setattr(e, "message", _check_pattern("MESSAGE", v)),
    "UNCOVERED": _uncovered,
    "UNKNOWN": lambda e, v: setattr(e, "unknown", _check_pattern("UNKNOWN", v)),
    "VACUOUS": lambda e, v: setattr(e, "vacuous", _check_pattern("VACUOUS", v)),
    "ASSUMES": lambda e, v: e.assumes.append(_check_pattern("ASSUMES", v)),
    "STDIN": lambda e, v: setattr(e, "stdin", v + "\n"),
    "TIMEOUT": _timeout,
    "ONLY": _only,
    "ORACLE": _oracle,
    "SKIP": lambda e, v: setattr(e, "skip", v),
}
