"""From a finding to its trace file and back, through the real tool: heddle check, replay, report.

Usage: replay_test.py HEDDLE [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = None

RACE = r"""
#include <thread>
struct Account { int id = 7; int balance = 0; };
int main() {
  Account account;
  std::thread a([&] { account.balance += 1; });
  std::thread b([&] { account.balance += 2; });
  a.join();
  b.join();
}
"""

DEADLOCK = r"""
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void* forth(void* p) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return p;
}
static void* back(void* p) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return p;
}
int main(void) {
  pthread_t a, b;
  puts("starting");
  fflush(stdout);
  pthread_create(&a, 0, forth, 0);
  pthread_create(&b, 0, back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""

# Fails only while a variable is set that trace files do not keep: not a function of its schedule.
MOODY = r"""
#include <assert.h>
#include <stdlib.h>
int main(void) { assert(getenv("MOOD") == 0); return 0; }
"""

# Fails on what it reads from standard input.
READER = r"""
#include <assert.h>
#include <stdio.h>
int main(void) { int n = 0; if (scanf("%d", &n) != 1) return 0; assert(n != 42); return 0; }
"""


class Replaying(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle-replay-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def heddle(self, *arguments, expect, **options):
        done = subprocess.run([HEDDLE, *map(str, arguments)], cwd=options.pop("cwd", self.folder), text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              **({"stdin": subprocess.DEVNULL} if "input" not in options else {}), **options)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def build(self, source, name):
        file = self.folder / name
        file.write_text(source)
        binary = self.folder / file.stem
        self.heddle("c++" if file.suffix == ".cpp" else "cc", "-O1", file, "-o", binary, expect=0)
        return binary

    def find(self, binary, **options):
        """Checks the program and answers the report and the trace file."""
        report = self.heddle("check", binary, expect=1, **options)
        traces = sorted(self.folder.glob("*.trace"))
        self.assertEqual(len(traces), 1, report.stdout)
        return report.stdout, traces[0]

    def expect_refused(self, text, *arguments):
        done = self.heddle(*arguments, expect=2)
        self.assertIn(text, done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)


class ReplayTest(Replaying):
    def test_a_race_comes_back_with_its_names(self):
        report, trace = self.find(self.build(RACE, "account.cpp"))
        self.assertIn("data race on account.balance", report)
        self.assertIn("heddle replay " + trace.name, report)
        again = self.heddle("replay", trace.name, expect=1).stdout
        self.assertIn("data race on account.balance", again)
        self.assertIn("account.cpp:6", again)
        self.assertIn("account.cpp:7", again)
        self.assertNotIn("\033", again)

    def test_a_deadlock_shows_who_holds_what_and_the_output(self):
        report, trace = self.find(self.build(DEADLOCK, "forth.c"))
        again = self.heddle("replay", trace, expect=1, cwd="/").stdout
        for text in (report, again):
            self.assertIn("waits for mutex right", text)
            self.assertIn("holds left, taken at", text)
            self.assertIn("| starting", text)
            self.assertNotIn("place unknown", text)

    def test_the_same_finding_keeps_its_file(self):
        binary = self.build(DEADLOCK, "forth.c")
        self.find(binary)
        self.find(binary)

    def test_a_report_needs_no_program(self):
        binary = self.build(RACE, "account.cpp")
        _, trace = self.find(binary)
        binary.unlink()
        self.assertIn("account.balance", self.heddle("report", trace, expect=0).stdout)
        document = json.loads(self.heddle("report", trace, "--json", "-", expect=0).stdout)
        self.assertEqual(document["schema"], 2)
        self.assertEqual(document["verdict"], "bug")
        self.assertEqual({l["line"] for l in document["findings"][0]["locations"]}, {6, 7})
        self.expect_refused("is gone", "replay", trace)

    def test_a_changed_program_is_recognised(self):
        _, trace = self.find(self.build(RACE, "account.cpp"))
        self.build(RACE.replace("+= 2", "+= 3"), "account.cpp")
        self.expect_refused("has changed", "replay", trace)

    def test_damaged_files_are_refused(self):
        _, trace = self.find(self.build(RACE, "account.cpp"))
        whole = trace.read_bytes()
        bad = self.folder / "bad.trace"
        for length in (0, 1, len(whole) // 2, len(whole) - 2):
            bad.write_bytes(whole[:length])
            self.expect_refused("bad.trace", "replay", bad)
            self.expect_refused("bad.trace", "report", bad)
        middle = whole.index(b'"choices"') + 14
        bad.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:])
        self.expect_refused("damaged", "replay", bad)
        bad.write_bytes(whole.replace(b'"version":1', b'"version":9'))
        self.expect_refused("trace format 9", "replay", bad)
        self.expect_refused("cannot read", "replay", self.folder / "missing.trace")
        self.expect_refused("not a Heddle trace", "replay", self.folder / "account.cpp")

    def test_an_unwritable_directory_costs_the_file_and_not_the_finding(self):
        binary = self.build(RACE, "account.cpp")
        if os.geteuid() != 0:  # refused before anything is run
            return self.expect_refused("--trace-dir", "check", "--trace-dir", "/proc", binary)
        done = self.heddle("check", "--trace-dir", "/proc", binary, expect=1)  # root may, it seems, and cannot
        self.assertIn("data race on account.balance", done.stdout)
        self.assertIn("--trace-dir", done.stdout)

    def test_a_run_that_goes_another_way_is_diagnosed(self):
        _, trace = self.find(self.build(MOODY, "moody.c"), env={**os.environ, "MOOD": "bad"})
        done = self.heddle("replay", trace, expect=4)
        self.assertIn("did not come back", done.stderr)
        self.assertIn("likely cause", done.stderr)

    def test_piped_input_is_part_of_the_recording(self):
        _, trace = self.find(self.build(READER, "reader.c"), input="42\n")
        self.heddle("replay", trace, expect=1)


if __name__ == "__main__":
    HEDDLE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
