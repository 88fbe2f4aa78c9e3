#!/usr/bin/env python3
"""Machines that refuse what heddle would like: it still gives the right answer, or one clear line, and the doctor knows.

    tests/machine/machine_test.py HEDDLE [unittest arguments]

refuse.c, beside this file, runs a command under a filter that refuses system calls, as the default ones of containers do.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = None  # set by main
HERE = Path(__file__).resolve().parent
LIMIT_S = 60

# Objects everywhere an address can come from: a library's, the program's, the heap's, a stack's. The race shows in some runs only.
PROGRAM = """
#include <mutex>
#include <iostream>
#include <map>
#include <string>
#include <thread>
static std::mutex mutex;
int turns, racy;
int main() {
  auto* lock = new std::mutex;
  std::mutex local;
  std::map<const void*, std::string> names = {{lock, "heap"}, {&local, "stack"}, {&mutex, "global"}, {&std::cout, "library"}};
  std::string order;
  for (const auto& [address, name] : names) order += name[0];
  auto work = [&](int number) {
    int seen = 0;
    for (std::mutex* m : {lock, &local, &mutex}) {
      std::lock_guard<std::mutex> guard(*m);
      if (m == &mutex) seen = turns = turns * 10 + number;
    }
    if (seen == 1 || seen == 12) racy = number;
  };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
  delete lock;
  return order.size() != 4;
}
"""


class Machine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="heddle-machine-"))
        cls.refuse = cls.folder / "refuse"
        cls.program = cls.folder / "program"
        (cls.folder / "program.cpp").write_text(PROGRAM)
        subprocess.run(["gcc", "-O1", "-Wall", "-Werror", HERE / "refuse.c", "-o", cls.refuse], check=True)
        subprocess.run([HEDDLE, "c++", "-std=c++20", "-O1", cls.folder / "program.cpp", "-o", cls.program], check=True)

    launcher = []

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def heddle(self, *words, refused=None):
        prefix = [self.refuse, refused] if refused else self.launcher
        return subprocess.run([*prefix, HEDDLE, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              timeout=LIMIT_S, stdin=subprocess.DEVNULL)

    def check(self, *options, refused=None):
        """Exit code, and what of the result must not depend on the machine."""
        done = self.heddle("check", "--json=facts", *options, self.program, refused=refused)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        facts = json.loads((self.folder / "facts").read_text())
        same = {key: facts[key] for key in ("verdict", "executions", "blocked", "transitions", "max_depth", "threads")}
        same["findings"] = [{k: v for k, v in f.items() if k != "trace"} for f in facts["findings"]]
        return same, [f["trace"] for f in facts["findings"]]

    def assert_refused(self, refused, *says):
        done = self.heddle("check", self.program, refused=refused)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)
        for words in says:
            self.assertIn(words, done.stderr)

    def assert_doctor(self, refused, words, code):
        done = self.heddle("doctor", refused=refused)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(words, done.stdout)
        self.assertNotIn(words, self.heddle("doctor").stdout)

    def test_addresses_are_randomised(self):
        for options in ((), ("--executor=fork",), ("-j2",)):
            with self.subTest(options):
                usual, _ = self.check("--stop-at=all", *options)
                self.assertEqual([f["kind"] for f in usual["findings"]], ["data-race"])
                for _ in range(3):
                    refused, _ = self.check("--stop-at=all", *options, refused="personality")
                    self.assertEqual(refused, usual)
        self.assert_doctor("personality", "personality(ADDR_NO_RANDOMIZE) is refused", 0)

    def test_recordings_travel_to_randomised_addresses_and_back(self):
        for there, here in ((None, "personality"), ("personality", None), ("personality", "personality")):
            with self.subTest(recorded=there, replayed=here):
                _, traces = self.check(refused=there)
                done = self.heddle("replay", traces[0], refused=here)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_no_filters(self):
        self.assert_refused("seccomp", "seccomp", "--executor=fork")
        usual, _ = self.check("--executor=fork")
        refused, _ = self.check("--executor=fork", refused="seccomp")
        self.assertEqual(refused, usual)
        self.assert_doctor("seccomp", "seccomp filters are refused", 0)

    def test_no_memory_files(self):
        self.assert_refused("memfd_create", "memory", "heddle doctor")
        self.assert_doctor("memfd_create", "MISSING  shared memory", 2)

    def test_files_must_be_small(self):
        """The table of states is too large for such a limit (ulimit -f, in blocks of 1 kB): there is none. Killed heddle once."""
        usual, _ = self.check()
        self.launcher = ["sh", "-c", 'ulimit -f 1000000; exec "$@"', "sh"]
        limited, _ = self.check()
        self.assertEqual(limited, usual)

    def test_calls_that_are_not_needed(self):
        usual, _ = self.check()
        refused, _ = self.check(refused="ptrace,userfaultfd,perf_event_open,rseq")
        self.assertEqual(refused, usual)


def main():
    global HEDDLE
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    HEDDLE = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
