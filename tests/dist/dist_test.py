#!/usr/bin/env python3
"""dist_test.py HEDDLE: the same verdict, findings and counts with 1, 2, 4 and 8 workers, also when workers and targets are killed."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = sys.argv.pop(1)
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "programs")
NAMES = """abba_deadlock.c abba_ordered_ok.c account_check_then_act_assert.cpp account_mutex_ok.c bounded_buffer_2_2_ok.c
bounded_buffer_if_assert.c condvar_wakes_any_assert.c counter_2x2_atomic_ok.c fsbench_16_ok.c indexer_13_ok.c flag_spin_ok.c
barrier_reuse_ok.c""".split()


def command(program, json_file, *options):
    return [HEDDLE, "check", "--quiet", "--stop-at", "all", "--json", json_file, "--trace-dir", os.path.dirname(json_file), *options, program]


def facts(json_file):
    with open(json_file) as f:
        result = json.load(f)
    return result["verdict"], result["executions"], result["blocked"], sorted(x["signature"] for x in result["findings"])


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


class Workers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.json = os.path.join(self.folder.name, "result.json")

    def tearDown(self):
        self.folder.cleanup()

    def check(self, program, *options):
        subprocess.run(command(program, self.json, *options), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return facts(self.json)

    def test_any_number_of_workers_comes_to_the_same(self):
        for name in NAMES:
            program = os.path.join(PROGRAMS, name)
            alone = self.check(program)
            for workers in (1, 2, 4, 8):
                with self.subTest(program=name, workers=workers):
                    self.assertEqual(self.check(program, f"-j{workers}"), alone)

    def test_killed_workers_and_targets_lose_nothing(self):
        chance = random.Random(1)
        program = os.path.join(HERE, "seven_writers_ok.c")
        kills = 0
        for _ in range(5):
            run = subprocess.Popen(command(program, self.json, "-j3"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while run.poll() is None:
                time.sleep(0.05)
                workers = children(run.pid)[1:]  # the first is the balancer's own target, which only confirms findings
                victims = workers + [target for worker in workers for target in children(worker)]
                if victims:
                    try:
                        os.kill(chance.choice(victims), signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass
            self.assertEqual(facts(self.json), ("verified", 5040, 0, []))
        self.assertGreater(kills, 0)

    def test_combinations_that_cannot_be_divided_are_refused(self):
        program = os.path.join(PROGRAMS, NAMES[0])
        for options in (["-j2", "--algorithm", "random"], ["-j2", "--races", "explore"], ["-j0"]):
            with self.subTest(options=options):
                done = subprocess.run([HEDDLE, "check", *options, program], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertIn("-j", done.stderr)


if __name__ == "__main__":
    unittest.main()
