#!/usr/bin/env python3
"""dist_test.py HEDDLE: the same verdict, findings and counts with any number of workers."""
import os
import subprocess
import sys
import time
import unittest

import search
from search import PROGRAMS, SearchTest, here, processes

NAMES = """abba_deadlock.c abba_ordered_ok.c account_check_then_act_assert.cpp account_mutex_ok.c bounded_buffer_2_2_ok.c
bounded_buffer_if_assert.c condvar_wakes_any_assert.c counter_2x2_atomic_ok.c fsbench_16_ok.c indexer_13_ok.c flag_spin_ok.c
barrier_reuse_ok.c""".split()


def cpu_seconds(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            words = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def disk_bytes(pid):
    try:
        with open(f"/proc/{pid}/io") as f:
            return int(next(line for line in f if line.startswith("write_bytes")).split()[1])
    except (OSError, StopIteration):
        return 0


class Workers(SearchTest):
    def test_any_number_of_workers_comes_to_the_same(self):
        programs = [os.path.join(PROGRAMS, name) for name in NAMES] + [here("grandchildren_ok.c"), here("two_bugs_assert.c")]
        for program in programs:
            alone = self.check_facts(program, "--algorithm", "optimal")  # by itself it may store states, which cannot be divided
            for workers in (1, 2, 4, 8, 16):
                with self.subTest(program=program, workers=workers):
                    self.assertEqual(self.check_facts(program, f"-j{workers}"), alone)
                    self.assertEqual(self.result()["blocked"], 0)

    def test_every_algorithm_comes_to_the_same(self):
        for name in ("bounded_buffer_2_2_ok.c", "abba_deadlock.c", "account_check_then_act_assert.cpp"):
            program = os.path.join(PROGRAMS, name)
            for algorithm in (["source"], ["dpor"], ["dpor", "--update=plain"]):
                with self.subTest(program=name, algorithm=algorithm):
                    alone = self.check_facts(program, "--algorithm", *algorithm)
                    self.assertEqual(self.check_facts(program, "-j3", "--algorithm", *algorithm), alone)

    def test_searches_that_start_over_come_to_the_same(self):
        """Runs that are cut by the bound on steps, and threads that time out without end. Whoever searches alone counts what it did before it started over."""
        for name, options, algorithm, executions in (
                ("flag_spin_counting_within_bound.c", ["--max-steps=60"], "source", 60),
                ("flag_spin_counting_within_bound.c", ["--max-steps=60", "--algorithm=dpor"], "dpor", 60),
                ("std_lock_within_bound.cpp", ["--max-steps=60"], "source", None),
                ("semaphore_polled_within_bound.c", ["--max-steps=60", "--timeouts=any"], "source", None),
                ("timed_wait_in_loop_within_bound.c", [], "optimal", 3),
                ("thread_pool_polls_within_bound.cpp", [], "optimal", 48),
                ("watchdog_beside_deadlock.c", [], "optimal", 7)):
            program = os.path.join(PROGRAMS, name)
            alone = self.check_facts(program, *options, *([] if "--algorithm=dpor" in options else ["--algorithm=optimal"]))
            counts = set()
            for workers in (1, 2, 4, 8):
                with self.subTest(program=name, workers=workers):
                    divided = self.check_facts(program, f"-j{workers}", *options)
                    self.assertEqual(divided[::2], alone[::2])
                    self.assertEqual(self.result()["algorithm"], algorithm)
                    self.assertGreater(self.result()["distribution"]["redundant"], 0, "what was done before counts as such")
                    counts.add(divided[1])
            with self.subTest(program=name):
                self.assertEqual(len(counts), 1, counts)
                self.assertIn(executions, counts | {None})

    def test_bounds_on_preemptions_hold_for_all_workers(self):
        """Also bounds that grow; and dpor without sleep sets, since within such bounds there are none."""
        for name, *options in (("torn_reads_auto_assert.c", "--preemptions=1"), ("torn_reads_auto_assert.c", "--preemptions=auto"),
                               ("philosophers_3_1_preemption_deadlock.c", "--preemptions=0"), ("philosophers_3_1_preemption_deadlock.c", "--preemptions=auto"),
                               ("philosophers_3_ordered_auto_ok.c", "--preemptions=1"), ("philosophers_3_ordered_auto_ok.c", "--preemptions=auto"),
                               ("flag_spin_counting_within_bound.c", "--preemptions=1", "--max-steps=60"),
                               ("bounded_buffer_2_2_ok.c", "--algorithm=dpor", "--sleep-sets=off")):
            program = os.path.join(PROGRAMS, name)
            alone = self.check_facts(program, *options)
            bounds, notes = self.result().get("bounds"), self.result().get("notes")
            for workers in (1, 2, 4, 8):
                with self.subTest(program=name, options=options, workers=workers):
                    self.assertEqual(self.check_facts(program, f"-j{workers}", *options)[::2], alone[::2])
                    self.assertEqual(self.result().get("bounds"), bounds)
                    self.assertEqual(self.result().get("notes"), notes)

    def test_samples_are_the_same(self):
        program = os.path.join(PROGRAMS, "account_check_then_act_assert.cpp")
        for algorithm in ("random", "pct", "pos"):
            options = ["--algorithm", algorithm, "--max-executions", "3000", "--seed", "5"]
            alone = self.check_facts(program, *options)
            self.assertEqual(alone[1], 3000)
            for workers in (1, 3):
                with self.subTest(algorithm=algorithm, workers=workers):
                    self.assertEqual(self.check_facts(program, f"-j{workers}", *options), alone)

    def test_figures_of_every_worker(self):
        self.check(here("seven_writers_ok.c"), "-j3")
        result = self.result()
        workers = result["distribution"]["workers"]
        self.assertEqual(len(workers), 3)
        self.assertEqual(sum(w["executions"] for w in workers), result["executions"])
        self.assertEqual(sum(w["units"] for w in workers), result["distribution"]["units"])
        self.assertGreater(result["distribution"]["units"], 1)  # it is divided
        self.assertEqual(result["blocked"], 0)
        # A run that was made ahead of its turn is not asked for if its branch was given away in the meantime.
        self.assertLess(result["distribution"]["redundant"], result["executions"] / 100)
        for w in workers:
            self.assertTrue(0 <= w["busy"] <= 1, w)

    def test_the_first_finding_stops_everybody(self):
        run = self.start(here("endless_assert.c"), "-j3", "--stop-at", "first")
        workers = []
        while run.poll() is None:
            target, others, theirs = processes(run.pid)
            workers = max(workers, target + others + theirs, key=len)
            time.sleep(0.01)
        run.communicate()
        self.assertEqual(run.returncode, 1)
        self.assertLess(self.result()["time_s"], 20)
        time.sleep(0.2)
        self.assertEqual([pid for pid in workers if os.path.exists(f"/proc/{pid}/exe")], [])

    def test_idle_workers_and_the_balancer_sleep(self):
        run = self.start(here("busy_main_ok.c"), "-j4")
        busiest = {}
        while run.poll() is None:
            for pid in [run.pid] + processes(run.pid)[1]:
                busiest[pid] = max(busiest.get(pid, 0), cpu_seconds(pid))
            time.sleep(0.02)
        out, err = run.communicate()
        self.assertEqual(run.returncode, 0, out + err)
        self.assertGreater(self.result()["time_s"], 0.3, "long enough to tell")
        used = sorted(seconds for pid, seconds in busiest.items() if pid != run.pid)
        self.assertLess(max(used[:3]), 0.1, "three of four have nothing to do")
        self.assertLess(busiest[run.pid], 0.25)

    def test_nothing_is_written_to_the_disk_per_execution(self):
        self.check(here("eight_writers_ok.c"), "--max-executions=1")  # compiles it, which does write
        run = self.start(here("eight_writers_ok.c"), "-j2")
        written = {}
        while run.poll() is None:
            target, workers, targets = processes(run.pid)
            for pid in [run.pid] + target + workers + targets:
                written[pid] = max(written.get(pid, 0), disk_bytes(pid))
            time.sleep(0.02)
        run.communicate()
        self.assertEqual(self.facts()[1], 40320)
        self.assertLess(sum(written.values()), 64 * 4096, "for 40,320 executions")

    def test_a_recorded_tree_has_every_run(self):
        tree = self.path("tree")
        for options in ([], ["--algorithm", "dpor", "--update=plain"], ["--algorithm", "dpor", "--update=aggressive"]):
            with self.subTest(options=options):
                self.check(here("seven_writers_ok.c"), "--record-tree", tree, *options)
                self.assertEqual(self.facts(), ("verified", 5040, []))
                with open(tree, "rb") as f:
                    magic, runs = f.readline(), f.read()
                self.assertEqual(magic, b"heddle tree 1\n")
                self.assertEqual(len(runs) // 16, 5040 + self.result()["blocked"])
                self.assert_simulated_workers_share(tree)
        for options in (["-j2"], ["--preemptions", "2"], ["--algorithm", "dfs"]):
            code, text = self.check(here("seven_writers_ok.c"), "--record-tree", tree, *options)
            self.assertEqual(code, 2, text)
            self.assertIn("--record-tree", text)

    def assert_simulated_workers_share(self, tree):
        simulator = os.path.join(os.path.dirname(search.HEDDLE), "bench", "ddpor_simulator")
        if not os.path.exists(simulator):
            return
        lines = subprocess.run([simulator, "--tree", tree, "2", "8"], capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()
        of_two, of_eight = (float(line.split()[1]) for line in lines[1:])
        self.assertTrue(1.5 < of_two <= 2, lines)
        self.assertTrue(4 < of_eight <= 8, lines)

    def test_combinations_that_cannot_be_divided_are_refused(self):
        program = os.path.join(PROGRAMS, NAMES[0])
        for options in (["-j2", "--algorithm", "dfs"], ["-j2", "--races", "explore"], ["-j0"], ["-j2", "--update=plain"]):
            with self.subTest(options=options):
                code, text = self.check(program, *options)
                self.assertEqual(code, 2)
                self.assertIn("--update" if "--update=plain" in options else "-j", text)


if __name__ == "__main__":
    search.HEDDLE = sys.argv.pop(1)
    unittest.main()
