#!/usr/bin/env python3
"""verdicts_test.py HEDDLE: verdicts that are qualified, the same from every kind of search; exit codes; JSON against its schema."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from schema import violations  # noqa: E402  (found beside run.py)

HEDDLE = sys.argv.pop(1)
ORDERS = HERE.parent / "orders"
PROGRAMS = HERE.parent / "programs"
SCHEMA = json.loads((HERE.parent.parent / "docs/manual/result.schema.json").read_text())

# Those that say how all executions are looked at.
SEARCHES = [["--algorithm=optimal"], ["--algorithm=dpor"], ["--algorithm=dfs"], ["-j2"], ["--executor=fork"], ["--algorithm=dl-spor"],
            ["--algorithm=spor"], ["--algorithm=dfs", "--state=exact"], ["--preemptions=auto", "--algorithm=source"]]

ONE_THREAD = "int main(void) { return 0; }\n"
NOTHING_SHARED = """
#include <pthread.h>
static void* alone(void* unused) { volatile int mine = 0; while (mine < 3) mine++; return unused; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, alone, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
"""
SHARED_IN_ORDER = """
#include <pthread.h>
static int x;
static void* writes(void* unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  pthread_join(t, 0);
  return x - 1;
}
"""
LOCK_SHARED = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* locks(void* unused) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return unused; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, locks, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
"""
READ_BY_BOTH = """
#include <pthread.h>
static const int x = 3;
static const volatile int* at = &x;
static void* reads(void* unused) { return *at == 3 ? unused : (void*)at; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, reads, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
"""
NOT_INSTRUMENTED = """
#include <pthread.h>
__attribute__((no_sanitize_thread)) static void* reads(void* unused) { return unused; }
__attribute__((no_sanitize_thread)) int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  pthread_join(t, 0);
  return 0;
}
"""
BUG_THEN_UNSUPPORTED = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int x;
static void* sets(void* unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  int first = x, second = x;
  if (!first && second) fork();
  assert(first);
  pthread_join(t, 0);
  return 0;
}
"""


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def source(self, text, name="program.c"):
        path = Path(self.folder.name, name)
        path.write_text(text)
        return path

    def check(self, program, *options):
        result = Path(self.folder.name, "result.json")
        result.unlink(missing_ok=True)
        command = [HEDDLE, "check", "--json", str(result), "--trace-dir", self.folder.name, *options, str(program)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        document = json.loads(result.read_text())
        if "algorithms" not in document:
            self.assertEqual(list(violations(document, SCHEMA)), [])
        return done, document

    def test_memory_orders_are_seen_by_every_kind_of_search(self):
        for name in ["store_buffering_release_within_bound.c", "counter_beside_seq_cst_within_bound.c", "late_pair_within_bound.c",
                     "mixed_sizes_within_bound.c", "failed_exchange_is_a_load_within_bound.c"]:
            for search in SEARCHES:
                with self.subTest(name=name, search=search):
                    done, facts = self.check(ORDERS / name, *search)
                    self.assertEqual((facts["verdict"], done.returncode), ("within-bound", 0))
                    self.assertRegex(done.stdout.splitlines()[0], "under sequential consistency; the program relies on memory orders")
                    self.assertRegex(done.stdout, rf"memory orders: nothing orders the .*{re.escape(name)}:\d+ and .*{re.escape(name)}:\d+")
                    self.assertTrue(any(text.startswith("sequential consistency: ") for text in facts["assumes"]))

    def test_orders_that_allow_nothing_else_stay_verified_in_every_kind_of_search(self):
        for name in ["message_passing_ok.c", "seq_cst_ok.c", "strong_modifications_ok.c", "exchanges_that_succeed_ok.c"]:
            for search in SEARCHES:
                with self.subTest(name=name, search=search):
                    done, facts = self.check(ORDERS / name, *search)
                    self.assertEqual((facts["verdict"], done.returncode), ("verified", 0))
                    self.assertNotIn("memory_orders", facts)

    def test_a_checkpoint_keeps_the_pairs(self):
        kept = Path(self.folder.name, "kept")
        program = ORDERS / "late_pair_within_bound.c"
        self.check(program, "-j1", f"--checkpoint={kept}", "--max-executions=6")
        _, facts = self.check(program, "-j1", f"--resume={kept}")
        self.assertEqual(facts["verdict"], "within-bound")

    def test_vacuous_verdicts(self):
        for text, reason in [(ONE_THREAD, "only one thread ever ran"), (NOTHING_SHARED, "the threads share nothing"),
                             (READ_BY_BOTH, "the threads share nothing"), (SHARED_IN_ORDER, None), (LOCK_SHARED, None)]:
            for search in [[], ["-j2"], ["--executor=fork"], ["--algorithm=dl-spor"]]:
                with self.subTest(reason=reason, search=search, text=text):
                    done, facts = self.check(self.source(text), *search)
                    self.assertEqual((facts["verdict"], facts["vacuous"], done.returncode), ("verified", reason, 0))
                    self.assertEqual(f"VERIFIED, but vacuous: {reason}" in done.stdout, reason is not None)
                    self.assertEqual(self.check(self.source(text), "--strict", *search)[0].returncode, 3 if reason else 0)

    def test_code_without_instrumentation_makes_a_verdict_vacuous(self):
        done, facts = self.check(self.source(NOT_INSTRUMENTED))
        self.assertEqual(facts["vacuous"], "no instrumented code accessed memory")
        self.assertEqual(done.returncode, 0)

    def test_strict(self):
        for program, options, code in [(ORDERS / "seq_cst_ok.c", [], 0), (ORDERS / "store_buffering_release_within_bound.c", [], 3),
                                       (PROGRAMS / "account_race.c", [], 1), (ORDERS / "seq_cst_ok.c", ["--max-executions=1"], 3)]:
            self.assertEqual(self.check(program, "--strict", *options)[0].returncode, code, program)

    def test_an_error_wins_over_a_bug_and_the_bug_is_shown(self):
        program = self.source(BUG_THEN_UNSUPPORTED)
        for search in [["--stop-at=all"], ["--stop-at=all", "--algorithm=dfs"]]:
            done, facts = self.check(program, *search)
            self.assertEqual((facts["verdict"], done.returncode), ("error", 5), done.stdout)
            self.assertEqual([f["kind"] for f in facts["findings"]], ["assertion"])
            self.assertIn("fork", facts["error"])
            self.assertTrue(done.stderr.strip())

    def test_all_algorithms_in_one_document(self):
        _, facts = self.check(ORDERS / "message_passing_ok.c", "--algorithm=all")
        self.assertEqual(facts["schema"], 2)
        for one in facts["algorithms"]:
            self.assertEqual(list(violations(one, SCHEMA)), [])

    def test_samples_and_bounds_are_as_described(self):
        for options in [["--algorithm=pct"], ["--preemptions=1", "--algorithm=optimal"], ["--timeout=0.001"], ["-j2"]]:
            self.check(HERE / "twelve_writers_ok.c", *options, "--max-executions=30")


if __name__ == "__main__":
    unittest.main()
