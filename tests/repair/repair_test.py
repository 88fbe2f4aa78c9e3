"""Accesses that the compiler does not announce are found all the same, or named in the verdict.

cases.c and cases.cpp are lists of small races with their right twins. Each file is built with several sets of options; every
race must be found and every twin be verified. Without --all, each compiler gets some of the sets.

Usage: repair_test.py HEDDLE [--all] [unittest arguments]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEDDLE = ""
ALL = False

OPTIONS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-O3 -march=native", "-O2 -mavx2", "-O2 -flto"]
USUAL = {"gcc": ["-O0", "-O2", "-Os", "-O3 -march=native"], "clang": ["-O0", "-O1", "-O3", "-O3 -march=native"]}


def run(*words, **environment):
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment}, timeout=300)


def compiler_environment(compiler):
    return {"HEDDLE_CC": compiler, "HEDDLE_CXX": "g++" if compiler == "gcc" else "clang++"}


class Verdicts:
    """Builds a file of cases once and says what heddle answers to each of them."""

    def __init__(self, folder, source, compiler, options, language_options=""):
        self.folder = Path(folder)
        self.environment = compiler_environment(compiler)
        self.program = self.folder / f"{source.name}-{compiler}{options.replace(' ', '')}"
        driver = "c++" if source.suffix == ".cpp" else "cc"
        words = [HEDDLE, driver, "-g", *language_options.split(), *options.split(), str(source), "-o", str(self.program), "-latomic"]
        built = run(*words, **self.environment)
        if built.returncode != 0:
            raise AssertionError(f"{' '.join(words)}\n{built.stderr}")

    def names(self):
        return run(str(self.program)).stdout.split()

    def check(self, *arguments, options=()):
        report = self.folder / "report.json"
        words = [HEDDLE, "check", "--quiet", "--json", str(report), "--trace-dir", str(self.folder), *options, str(self.program), *arguments]
        checked = run(*words, **self.environment)
        if not report.exists():
            raise AssertionError(f"{' '.join(words)}\n{checked.stdout}{checked.stderr}")
        answer = json.loads(report.read_text())
        report.unlink()
        return answer


class Cases(unittest.TestCase):
    maxDiff = None

    def every_case(self, source, language_options=""):
        wrong = []
        with tempfile.TemporaryDirectory() as folder:
            for compiler in ("gcc", "clang"):
                for options in OPTIONS if ALL else USUAL[compiler]:
                    verdicts = Verdicts(folder, HERE / source, compiler, options, language_options)
                    for name in verdicts.names():
                        wrong += self.wrong_answers(verdicts, name, f"{compiler} {options} {name}")
        self.assertEqual(wrong, [])

    def wrong_answers(self, verdicts, name, where):
        race, twin = verdicts.check(name, "race"), verdicts.check(name, "ok")
        # A function of whose accesses none has a hook may be one that was built without the drivers: then the race is unknown.
        kinds = {finding["kind"] for finding in race["findings"] + race["unknown"]}
        if race["verdict"] not in ("bug", "unknown") or kinds != {"data-race"}:
            yield f"{where} race: {race['verdict']} {kinds}"
        if twin["verdict"] != "verified":
            yield f"{where} ok: {twin['verdict']} {twin['uncovered'][:2]}"

    def test_c(self):
        self.every_case("cases.c")

    def test_cpp(self):
        self.every_case("cases.cpp", "-std=c++20")


if __name__ == "__main__":
    HEDDLE = str(Path(sys.argv.pop(1)).resolve())
    if "--all" in sys.argv:
        ALL = True
        sys.argv.remove("--all")
    unittest.main()
