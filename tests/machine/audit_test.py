#!/usr/bin/env python3
"""`heddle audit` on linked programs: what it lists, and that it leaves the runtime alone.

    tests/machine/audit_test.py HEDDLE [--update] [unittest arguments]

sites.txt, beside this file, has every access of tests/programs (gcc 12, -O1) that the compiler leaves out: program, function, how many.
C programs have none at all. --update writes it anew; look at every line that changes: it is a hole of the compiler, or a mistake of the audit.
"""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = None  # set by main
HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "sites.txt"
LIMIT_S = 120
STANDARDS = {".c": "-std=gnu17", ".cpp": "-std=gnu++20"}
CCACHE = "ccache " if shutil.which("ccache") else ""

HOLE = """
#include <pthread.h>
#include <string.h>
static char line[64];
static int counter;
void* fill(void* unused) { memset(line, 1, sizeof line); return unused; }
void* count(void* unused) { counter++; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fill, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return line[0] + counter;
}
"""
THROWS = """
#include <stdexcept>
#include <string>
#include <thread>
int total;
int main(int argc, char**) {
  std::thread t([&] { try { if (argc) throw std::runtime_error(std::to_string(argc)); } catch (const std::exception&) { ++total; } });
  t.join();
}
"""


def run(words, environment=None):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, errors="replace", timeout=LIMIT_S,
                          env=dict(os.environ, **(environment or {})))


def compiled(source, program, *flags, compilers=("gcc", "g++")):
    is_c = Path(source).suffix == ".c"
    environment = {"HEDDLE_CC": CCACHE + compilers[0], "HEDDLE_CXX": CCACHE + compilers[1]}
    done = run([HEDDLE, "cc" if is_c else "c++", STANDARDS[Path(source).suffix], "-O1", "-g", *flags, source, "-o", program], environment)
    if done.returncode != 0:
        raise AssertionError(f"{source} does not compile with {flags}: {done.stderr}")
    return program


def audited(program):
    done = run([HEDDLE, "audit", "--json", program])
    if done.returncode != 0:
        raise AssertionError(f"audit of {program}: {done.stderr}")
    return json.loads(done.stdout)


def sites_of_programs(folder):
    """(program, function) → how many, over all of tests/programs."""
    def sites(source):
        program = compiled(source, folder / (source.name + ".program"))
        found = audited(program)
        program.unlink()
        return source.name, found

    sources = sorted(p for p in (HERE.parent / "programs").iterdir() if p.suffix in STANDARDS)
    counts, accesses = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, found in pool.map(sites, sources):
            accesses += found["covered"]
            for site in found["sites"]:
                counts[name, site["function"]] += 1
            for gap in found["gaps"]:
                counts[name, gap["function"] + ": " + gap["why"]] += 1
    assert accesses > 1000, accesses
    return counts


def lines_of(counts):
    return [f"{program}  {function}  {n}\n" for (program, function), n in sorted(counts.items())]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-audit-"))
        self.addCleanup(shutil.rmtree, self.folder)
        cache = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.addCleanup(lambda: os.environ.pop("XDG_CACHE_HOME") if cache is None else os.environ.update(XDG_CACHE_HOME=cache))

    def source(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name


class Programs(Case):
    def test_list_is_the_expected_one(self):
        found = lines_of(sites_of_programs(self.folder))
        in_c = [line for line in found if line.split()[0].endswith(".c")]
        self.assertEqual(in_c, [])
        version = run(["gcc", "-dumpversion"]).stdout.split(".")[0].strip()
        if version != "12":
            self.skipTest(f"the list for C++ is gcc 12's, this is {version}")
        self.assertEqual(found, EXPECTED.read_text().splitlines(keepends=True))


class Linking(Case):
    """Whatever way it is linked: the hole is seen, and nothing of the runtime."""

    def check(self, *flags, compilers=("gcc", "g++"), strip=False):
        program = compiled(self.source("hole.c", HOLE), self.folder / "hole", *flags, compilers=compilers)
        if strip:
            subprocess.run(["strip", program], check=True)
        found = audited(program)
        self.assertEqual(found["gaps"], [], flags)
        self.assertGreater(found["covered"], 0, flags)
        self.assertLess(found["accesses"], 60, flags)  # the runtime has thousands
        self.assertGreater(len(found["sites"]), 0, flags)
        if not strip:
            self.assertEqual({s["function"] for s in found["sites"]}, {"fill"}, flags)
        return found

    def test_with_gcc(self):
        for flags in [(), ("-no-pie",), ("-O2", "-flto"), ("-ffunction-sections", "-Wl,--gc-sections"), ("-fno-plt",), ("-Wl,-z,now",),
                      ("-static-libgcc",), ("-pie", "-fPIE", "-O3")]:
            with self.subTest(flags=flags):
                self.check(*flags)

    def test_with_other_linkers(self):
        for name in ("gold", "lld"):
            if shutil.which(f"ld.{name}"):
                with self.subTest(linker=name):
                    self.check(f"-fuse-ld={name}")
                    self.check(f"-fuse-ld={name}", "-Wl,--gc-sections", "-Wl,--icf=all")

    def test_without_symbols(self):
        self.check(strip=True)

    def test_unwinder_that_is_linked_in_is_no_code_of_the_program(self):
        program = compiled(self.source("throws.cpp", THROWS), self.folder / "throws", "-static-libgcc")
        self.assertEqual([s for s in audited(program)["sites"] if re.search("nwind|gcc_personality|frame_info", s["function"])], [])

    def test_library(self):
        library = compiled(self.source("hole.c", HOLE), self.folder / "libhole.so", "-shared", "-fPIC")
        self.assertEqual({s["function"] for s in audited(library)["sites"]}, {"fill"})


class CommandLine(Case):
    def test_json_has_its_fields(self):
        found = audited(compiled(self.source("hole.c", HOLE), self.folder / "hole"))
        self.assertEqual(set(found), {"accesses", "covered", "private", "sites", "gaps"})
        self.assertEqual(found["accesses"], found["covered"] + found["private"] + len(found["sites"]))
        for site in found["sites"]:
            self.assertEqual(set(site), {"address", "function", "where", "instruction", "instrumented"})
            self.assertTrue(site["where"].endswith("hole.c:6"), site)
            self.assertIn("mov", site["instruction"])

    def test_text_names_the_place(self):
        program = compiled(self.source("hole.c", HOLE), self.folder / "hole")
        done = run([HEDDLE, "audit", program])
        self.assertEqual(done.returncode, 0)
        self.assertIn("fill", done.stdout)
        self.assertIn("hole.c:6", done.stdout)

    def test_mistakes_get_a_line(self):
        text = self.source("text", "no program\n")
        for words in ([], ["--jsn", "x"], [self.folder / "missing"], [self.folder], [text], ["a", "b"]):
            done = run([HEDDLE, "audit", *words])
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stdout, "", words)
            self.assertLessEqual(len(done.stderr.splitlines()), 2, words)
        self.assertEqual(run([HEDDLE, "audit", "--help"]).returncode, 0)


def main():
    global HEDDLE
    HEDDLE = Path(sys.argv.pop(1)).resolve()
    if "--update" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            EXPECTED.write_text("".join(lines_of(sites_of_programs(Path(folder)))))
        return
    unittest.main()


if __name__ == "__main__":
    main()
