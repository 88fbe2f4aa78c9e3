#!/usr/bin/env python3
"""Runs programs that carry their expectation inside (see expectation.py) and compares facts, never wording.

    tests/run.py [OPTIONS] [FILE|FOLDER ...]

A case is a program × compiler × optimisation × executor. It is built with `heddle cc` or `heddle c++` (once for all
executors), checked with `heddle check --json`, and every finding is replayed and must reappear, on fibers and, step by step the
same, on real threads. With --oracle, programs
that are expected to be clean are instead built by the plain compiler and run as they are (native), or under the compiler's own
ThreadSanitizer (tsan): a program that is wrong by accident shows there.
"""
import argparse
import dataclasses
import json
import re
import shlex
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import Failure, run
from expectation import BadExpectation, load
from precompiled import Precompiled
from schema import violations
from workshop import Build, Workshop

TESTS = Path(__file__).resolve().parent
SCHEMA = json.loads((TESTS.parent / "docs/manual/result.schema.json").read_text())
SUFFIXES = (".c", ".cpp", ".cc")
INTERRUPTED = ("out of memory", "no visible operation")  # by the explorer: where such a run ends is up to the clock
OWN_EXECUTOR = "-"  # of cases outside the matrix of executors


@dataclasses.dataclass(frozen=True)
class Case:
    build: Build
    executor: str

    def __str__(self):
        return f"{self.build} {self.executor}"


class Checker:
    """Runs one case under heddle and compares."""

    def __init__(self, arguments, workshop):
        self.arguments = arguments
        self.workshop = workshop

    def check(self, case, expectation):
        expectation = expectation.for_build(case.build.compiler, case.build.opt)
        binary = self.workshop.binary(case.build, expectation)
        traces = Path(f"{binary}-{case.executor}-traces")
        options = [*executor_option(case), *expectation.options]
        result, outcome = self._heddle_check(binary, options, expectation, traces)
        self._compare_verdict(expectation, result, outcome)
        if expectation.verdict == "bug":
            self._compare_findings(case, expectation, result, outcome)
        self._replay_all(result, outcome, expectation)
        for count in [] if self.arguments.no_counts else expectation.counts:
            self._compare_count(binary, case, expectation, count, traces)

    def _heddle_check(self, binary, options, expectation, traces):
        traces.mkdir(exist_ok=True)
        facts = Path(f"{traces}.json")
        facts.unlink(missing_ok=True)
        command = [str(self.arguments.heddle), "check", "--json", str(facts), "--trace-dir", str(traces), *options,
                   str(binary), *expectation.args]
        outcome = run(command, self._timeout(expectation), stdin=expectation.stdin)
        try:
            result = json.loads(facts.read_text())
            for complaint in violations(result, SCHEMA):
                raise Failure(f"--json is not as docs/manual/result.schema.json says: {complaint}", command, outcome.text())
            return result, outcome
        except FileNotFoundError:
            return None, outcome
        except ValueError as problem:
            raise Failure(f"--json is no JSON: {problem}", command, outcome.text()) from None

    def _timeout(self, expectation):
        return expectation.timeout or self.arguments.timeout

    def _compare_verdict(self, expectation, result, outcome):
        def fail(what):
            raise Failure(what, outcome.command, outcome.text())

        if outcome.code != expectation.exit_code:
            fail(f"exit code {outcome.code}, expected {expectation.exit_code} ({expectation.verdict})")
        if expectation.verdict in ("unsupported", "error"):
            if not outcome.stderr.strip():
                fail("no explanation on stderr")
            if expectation.message and not re.search(expectation.message, outcome.stderr):
                fail(f"stderr does not match {expectation.message!r}")
            return
        if result is None:
            fail("--json wrote nothing")
        if result.get("verdict") != expectation.verdict:
            fail(f"verdict {result.get('verdict')}, expected {expectation.verdict}")
        if expectation.verdict != "bug" and result.get("findings"):
            fail(f"{len(result['findings'])} findings in a program without bug")
        if result.get("executions", 0) < 1:
            fail("not a single execution")
        for complaint in doubts(expectation, result):
            fail(complaint)

    def _compare_findings(self, case, expectation, result, outcome):
        findings = result.get("findings", [])
        if not findings:
            raise Failure("verdict bug without a finding", outcome.command, outcome.text())
        complaints = []
        for finding in findings:
            complaint = mismatch(case.build.program, expectation, finding)
            if not complaint:
                return
            complaints.append(complaint)
        raise Failure("; ".join(complaints), outcome.command, outcome.text())

    def _replay_all(self, result, outcome, expectation):
        if result is None:
            return
        for finding in [*result["findings"], *result.get("unknown", [])]:
            trace = finding.get("trace")
            if not trace or not Path(trace).is_file():
                raise Failure(f"trace file of {finding.get('kind')} is not there: {trace}", outcome.command, outcome.text())
            fibers = self._replay(trace, expectation)
            threads = self._replay(trace, expectation, "--real-threads")
            interrupted = any(reason in finding["message"] for reason in INTERRUPTED)
            if threads.stdout != fibers.stdout and not interrupted:
                raise Failure("real threads run another way than fibers", threads.command, fibers.text() + threads.text())

    def _replay(self, trace, expectation, *options):
        replay = run([str(self.arguments.heddle), "replay", str(trace), *options], self._timeout(expectation))
        if replay.code != 1:
            raise Failure(f"replay ended with {replay.code}, expected 1: the finding did not reappear",
                          replay.command, replay.text())
        return replay

    def _compare_count(self, binary, case, expectation, count, traces):
        options = [*executor_option(case), *expectation.options, *count.options, f"--algorithm={count.algorithm}"]
        result, outcome = self._heddle_check(binary, options, expectation, traces)
        self._compare_verdict(expectation, result, outcome)
        if result["executions"] != count.executions:
            raise Failure(f"{result['executions']} executions, expected {count.executions}", outcome.command)
        if count.algorithm == "optimal" and result.get("blocked", 0):
            raise Failure(f"optimal had {result['blocked']} blocked runs", outcome.command)


def executor_option(case):
    return [] if case.executor == OWN_EXECUTOR else [f"--executor={case.executor}"]


def mismatch(program, expectation, finding):
    """What is wrong with this finding, or an empty text."""
    if finding.get("kind") not in expectation.kinds:
        return f"found {finding.get('kind')}, expected {'|'.join(sorted(expectation.kinds))}"
    if expectation.message and not re.search(expectation.message, finding.get("message", "")):
        return f"message {finding.get('message')!r} does not match {expectation.message!r}"
    lines = {place.get("line") for place in finding.get("locations", [])
             if Path(place.get("file") or "").name == program.name}
    missing = [line for line in expectation.location_lines if line not in lines]
    if missing:
        return f"line {missing[0]} is not among the places {sorted(line for line in lines if line)}"
    return ""


def doubts(expectation, result):
    """Where the result says something else than expected about what it did not see, cannot know and takes for granted."""
    entries = result.get("uncovered", [])
    for place in expectation.uncovered:
        if not any(place.matches(entry) for entry in entries):
            yield f"uncovered {'|'.join(sorted(place.whats))} {place.pattern!r} is not among {entries}"
    if expectation.verdict != "bug":
        for entry in entries:
            if not any(place.matches(entry) for place in expectation.uncovered):
                yield f"not expected to be uncovered: {entry}"
    races = [f"{race.get('message')}, maybe ordered by {race.get('maybe_ordered_by')}" for race in result.get("unknown", [])]
    if expectation.unknown and not any(re.search(expectation.unknown, race) for race in races):
        yield f"unknown race {expectation.unknown!r} is not among {races}"
    vacuous = result.get("vacuous") or ""
    if expectation.vacuous == "no" and vacuous:
        yield f"vacuous: {vacuous}"
    if expectation.vacuous not in ("", "no") and not (vacuous and re.search(expectation.vacuous, vacuous)):
        yield f"vacuous says {vacuous!r}, expected {expectation.vacuous!r}"
    for assumption in expectation.assumes:
        if not any(re.search(assumption, text) for text in result.get("assumes", [])):
            yield f"{assumption!r} is not among what is assumed: {result.get('assumes')}"


class Oracle:
    """Runs a clean program without heddle: it must end well by itself."""

    def __init__(self, arguments, workshop):
        self.arguments = arguments
        self.workshop = workshop

    def check(self, case, expectation):
        binary = self.workshop.binary(case.build, expectation)
        command = [str(binary), *expectation.args]
        if self.arguments.oracle == "tsan":
            command = ["setarch", "-R", *command]  # this ThreadSanitizer does not know every layout of addresses
        outcome = run(command, expectation.timeout or self.arguments.timeout, stdin=expectation.stdin,
                      environment={"TSAN_OPTIONS": "detect_deadlocks=0:allocator_may_return_null=1"})  # orders of locks alone are no deadlock
        if outcome.code != 0:
            raise Failure(f"exit code {outcome.code}", outcome.command, outcome.text())

    @staticmethod
    def covers(name, expectation):
        return expectation.verdict == "verified" and name in expectation.oracles


def programs_in(paths):
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
        elif path.exists():
            yield path
        else:
            sys.exit(f"run.py: no such file or folder: {path}")


def part(text):
    """ "2/3" as (1, 3)."""
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"a part is I/N with 1 <= I <= N, not {text}")
    return int(number) - 1, int(count)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[TESTS / "runtime", TESTS / "programs"],
                        help="programs, or folders of programs (default: tests/runtime tests/programs)")
    parser.add_argument("--heddle", type=Path, default=Path("./heddle"), help="the binary under test (default: ./heddle)")
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--opt", default="O0,O2")
    parser.add_argument("--executors", default="rollback,fork")
    parser.add_argument("--oracle", choices=["native", "tsan"], help="run clean programs without heddle instead")
    parser.add_argument("--launcher", default="", help="put in front of the compiler, for example ccache")
    parser.add_argument("--precompiled", type=Path, metavar="FOLDER", help="keep precompiled headers for C++ programs there")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run of one program (default: 60)")
    parser.add_argument("--part", type=part, default=(0, 1), metavar="I/N", help="only the I-th of N parts of the programs")
    parser.add_argument("--filter", default="", help="only cases whose 'file compiler opt executor' matches this regex")
    parser.add_argument("--no-counts", action="store_true", help="do not look at EXECUTIONS lines")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--keep", action="store_true", help="keep binaries and traces, and say where")
    arguments = parser.parse_args()
    arguments.heddle = arguments.heddle.absolute()
    if arguments.launcher:
        arguments.launcher += " "
    return arguments


def executors_of(arguments, expectation):
    """A program that names an executor in its OPTIONS, and an oracle, know nothing of the matrix."""
    if arguments.oracle or any(option.startswith("--executor") for option in expectation.options):
        return [OWN_EXECUTOR]
    return [executor for executor in arguments.executors.split(",") if expectation.allows(executor=executor)]


def collect(arguments):
    """All cases with their expectation, the skipped programs, and the programs whose comment is wrong."""
    cases, skipped, wrong = [], [], []
    first, step = arguments.part
    for program in list(programs_in(arguments.paths))[first::step]:
        try:
            expectation = load(program)
        except BadExpectation as problem:
            wrong.append((program, problem))
            continue
        if arguments.oracle and not Oracle.covers(arguments.oracle, expectation):
            continue
        executors = executors_of(arguments, expectation)
        found = [Case(Build(program, compiler, opt), executor)
                 for compiler in arguments.compilers.split(",") for opt in arguments.opt.split(",") for executor in executors
                 if expectation.allows(compiler=compiler, opt=opt)]
        found = [case for case in found if re.search(arguments.filter, str(case))]
        if found and expectation.skip and not arguments.oracle:
            skipped.append((program, expectation.skip))
        else:
            cases += [(case, expectation) for case in found]
    return cases, skipped, wrong


def describe(case, failure, log):
    log(f"FAILED {case}: {failure}")
    if failure.command:
        log(f"  repeat: {shlex.join(map(str, failure.command))}")
    for line in failure.output.splitlines()[-25:]:
        log(f"  | {line}")


def run_all(cases, checker, arguments):
    """How many cases passed and failed."""
    printing = threading.Lock()

    def log(text):
        print(text, flush=True)

    def one(item):
        case, expectation = item
        try:
            checker.check(case, expectation)
            return True
        except Failure as failure:
            with printing:
                describe(case, failure, log)
            return False

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(one, cases))
    return results.count(True), results.count(False)


def main():
    arguments = parse_arguments()
    cases, skipped, wrong = collect(arguments)
    if arguments.list:
        print("\n".join(str(case) for case, _ in cases))
        return 0
    if not arguments.oracle and not arguments.heddle.exists():
        sys.exit(f"run.py: {arguments.heddle} is not there; build it, or name it with --heddle")
    for program, problem in wrong:
        print(f"FAILED {program}: {problem}")
    for program, reason in skipped:
        print(f"skipped {program}: {reason}")
    folder = Path(tempfile.mkdtemp(prefix="heddle-tests-"))
    try:
        precompiled = Precompiled(arguments.heddle, arguments.precompiled.absolute()) if arguments.precompiled else None
        workshop = Workshop(arguments, folder, precompiled)
        checker = Oracle(arguments, workshop) if arguments.oracle else Checker(arguments, workshop)
        passed, failed = run_all(cases, checker, arguments)
    finally:
        if arguments.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    failed += len(wrong)
    if skipped:
        print(f"{len(skipped)} programs skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
