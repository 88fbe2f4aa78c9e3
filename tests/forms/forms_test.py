#!/usr/bin/env python3
"""Judges heddle by races of every form (forms.py): each must be reported, or its access be listed as uncovered.

    forms_test.py HEDDLE                       all forms, both compilers, all option sets: takes an hour of a processor
    forms_test.py HEDDLE --quick               what continuous integration runs: some of it, another part for each option set
    forms_test.py HEDDLE --compilers gcc --options=-O2 --filter memcpy
    forms_test.py HEDDLE --show memcpy_to_4    the source of one form's program

Each form's twin, whose threads hold a mutex, must not be reported. An answer that is neither is a failure: it is printed
with the command that repeats it. Where a form is missed, a program is built that holds it alone: what heddle lists as
uncovered there counts, as far as it does not list it for a program that only takes a lock. gaps.txt names forms that
may be missed.
"""
import argparse
import json
import os
import re
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import forms  # noqa: E402
from commands import run  # noqa: E402

COMPILERS = {("gcc", "c"): "gcc", ("gcc", "c++"): "g++", ("clang", "c"): "clang", ("clang", "c++"): "clang++"}
OPTIONS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-O2 -march=native", "-O2 -flto"]
STANDARDS = {"c": "-std=gnu17", "c++": "-std=gnu++20"}
SUFFIXES = {"c": ".c", "c++": ".cpp"}
CHUNKS = {"c": 150, "c++": 60}  # forms in one program
QUICK = [("gcc", "c", "-O0"), ("gcc", "c", "-O2"), ("clang", "c", "-O1"), ("clang", "c", "-O3"), ("gcc", "c++", "-O1"),
         ("clang", "c++", "-O2")]
QUICK_STEP = 16  # every so many forms in each of these
BUILD_S, CHECK_S = 600, 60
RACES = {"data-race", "use-after-free", "use-after-return"}
CXX_HEADERS = """algorithm any array atomic bitset charconv chrono complex coroutine cstdlib cstring deque exception
filesystem forward_list fstream functional future iomanip iostream iterator list locale map memory memory_resource mutex
numeric optional pthread.h queue random ranges regex set span sstream stack string string_view thread tuple typeinfo
unordered_map unordered_set utility valarray variant vector""".split()

# What a program that races on nothing but memory it cannot reach: the control for what is listed as uncovered.
CONTROL = forms.Form("control", "int x;", "x = OPAQUE(1);", "KEEP(OPAQUE(2));")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=Path)
    parser.add_argument("--compilers", default="gcc,clang", type=lambda text: text.split(","))
    parser.add_argument("--languages", default="c,c++", type=lambda text: text.split(","))
    parser.add_argument("--options", action="append", help="one option set; repeatable")
    parser.add_argument("--filter", default="", help="only forms whose name contains this")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--launcher", default="", help="put in front of the compiler, for example ccache")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--table", type=Path, help="write a line for each form that was missed")
    parser.add_argument("--keep", type=Path, help="build in this folder, and leave the programs there")
    parser.add_argument("--show", help="print the program of the form with this name, and stop")
    return parser.parse_args()


class Bench:
    """Builds programs of forms and asks heddle about them."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.controls = {}
        self.lock = threading.Lock()

    def build(self, name, some, setting):
        compiler, language, options = setting
        source = self.folder / (name + SUFFIXES[language])
        program = self.folder / name
        source.write_text(source_of(some, language))
        variable = "HEDDLE_CC" if language == "c" else "HEDDLE_CXX"
        launcher = self.arguments.launcher + " " if self.arguments.launcher else ""
        outcome = run([str(self.arguments.heddle), "cc" if language == "c" else "c++", STANDARDS[language], "-w", "-pthread",
                       *options.split(), str(source), "-o", str(program), "-lm", "-latomic"], BUILD_S,
                      environment={variable: launcher + COMPILERS[compiler, language]})
        if outcome.code != 0:
            raise SystemExit(f"{name}: does not build\n{outcome.text()}")
        return program

    def command(self, program, number, locked, answer):
        return [str(self.arguments.heddle), "check", "--json", str(answer), "--trace-dir", str(self.folder / "traces"),
                str(program), str(number), *(["locked"] if locked else [])]

    def ask(self, program, number, locked=False):
        answer = self.folder / f"{program.name}-{number}-{int(locked)}.json"
        outcome = run(self.command(program, number, locked, answer), CHECK_S)
        try:
            return json.loads(answer.read_text())
        except (OSError, ValueError):
            return {"verdict": f"exit code {outcome.code}", "findings": [], "error": outcome.text()[:300]}
        finally:
            answer.unlink(missing_ok=True)

    def uncovered_alone(self, form, setting):
        """What is listed for a program that holds this form alone, and not for one that holds nothing."""
        with self.lock:
            if setting not in self.controls:
                self.controls[setting] = self._listed(CONTROL, setting)
            control = self.controls[setting]
            return self._listed(form, setting) - control

    def _listed(self, form, setting):
        name = "alone-" + "-".join([form.name, *setting]).replace(" ", "").replace("/", "")
        program = self.build(name, [form], setting)
        return {(u["what"], u["function"], u["reason"]) for u in self.ask(program, 0).get("uncovered", [])}


def source_of(some, language):
    return forms.c_program(some) if language == "c" else forms.cxx_program(some, CXX_HEADERS)


def judge(bench, program, number, form, setting):
    """'reported', 'uncovered', or what is wrong."""
    found = bench.ask(program, number)
    if form.has_twin:
        twin = bench.ask(program, number, locked=True)
        if twin["findings"] or twin["verdict"] not in ("verified", "within-bound"):
            kinds = sorted({finding["kind"] for finding in twin["findings"]})
            return f"twin is not clean: {twin['verdict']} {' '.join(kinds)} {twin.get('error', '')}".strip()
    kinds = {finding["kind"] for finding in found["findings"]}
    if found["verdict"] == "bug" and kinds & RACES:
        return "reported"
    if found.get("unknown"):
        return "unknown"
    if found["verdict"] in ("verified", "within-bound") and bench.uncovered_alone(form, setting):
        return "uncovered"
    return f"missed: {found['verdict']} {' '.join(sorted(kinds))} {found.get('error', '')}".strip()


def read_gaps():
    lines = [line.split(" | ") for line in (HERE / "gaps.txt").read_text().splitlines() if line and line[0] != "#"]
    return [(re.compile(name), compiler) for name, compiler, _ in lines]


def settings_of(arguments):
    if arguments.quick:
        return QUICK
    return [(compiler, language, options) for compiler in arguments.compilers for language in arguments.languages
            for options in arguments.options or OPTIONS]


def forms_of(arguments, setting, position):
    compiler, language, _ = setting
    some = [form for form in forms.all_forms(language) if arguments.filter in form.name and form.is_for(compiler)]
    return some[position % QUICK_STEP::QUICK_STEP] if arguments.quick else some


def tasks_of(arguments, bench):
    for position, setting in enumerate(settings_of(arguments)):
        some = forms_of(arguments, setting, position * 5)
        step = CHUNKS[setting[1]]
        for begin in range(0, len(some), step):
            yield bench, setting, some[begin:begin + step], f"forms-{position}-{begin}"


def work(task):
    bench, setting, some, name = task
    program = bench.build(name, some, setting)
    return [(form, setting, judge(bench, program, number, form, setting), program, number)
            for number, form in enumerate(some)]


def main():
    arguments = parse_arguments()
    arguments.heddle = arguments.heddle.resolve()
    if arguments.show:
        language = next(l for l in ("c", "c++") if any(f.name == arguments.show for f in forms.all_forms(l)))
        print(source_of([f for f in forms.all_forms(language) if f.name == arguments.show], language))
        return 0
    with tempfile.TemporaryDirectory(prefix="heddle-forms-") as temporary:
        folder = arguments.keep or Path(temporary)
        (folder / "traces").mkdir(parents=True, exist_ok=True)
        bench = Bench(arguments, folder)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            results = [result for results in pool.map(work, tasks_of(arguments, bench)) for result in results]
        return tell(arguments, bench, results)


def tell(arguments, bench, results):
    counts = {}
    lines = []
    failures = 0
    gaps = read_gaps()
    for form, setting, answer, program, number in results:
        kind = answer.split(":")[0]
        known = any(compiler == setting[0] and name.fullmatch(form.name) for name, compiler in gaps)
        counts[kind] = counts.get(kind, 0) + 1
        if answer not in ("reported", "uncovered", "unknown"):
            lines.append(f"{form.name} | {setting[0]} | {setting[2]} | {answer}")
            if known and kind == "missed":
                continue
            failures += 1
            command = bench.command(program, number, answer.startswith("twin"), "-")
            print(f"FAILED {form.name} {' '.join(setting)}: {answer}")
            if arguments.keep:
                print("  repeat:", " ".join(word for word in command if word not in ("--json", "-")))
    if arguments.table:
        arguments.table.write_text("".join(line + "\n" for line in lines))
    print(", ".join(f"{count} {answer}" for answer, count in sorted(counts.items())))
    return 1 if failures or not results else 0


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.exit(main())
