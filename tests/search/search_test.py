#!/usr/bin/env python3
"""search_test.py HEDDLE: how a search is chosen, limited and continued: auto, the samplers and what they say at their end, Ctrl-C."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HEDDLE = sys.argv.pop(1)
HERE = Path(__file__).resolve().parent
LATE_BUG = HERE / "late_bug_assert.c"
TOO_BIG = HERE / "twelve_writers_ok.c"
LOG = HERE / "log_of_orders_ok.c"
PROGRAMS = HERE.parent / "programs"
STATEFUL = HERE.parent.parent / "bench" / "stateful"
SMALL = PROGRAMS / "three_traces_ok.c"


class Search(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def command(self, program, *options):
        return [HEDDLE, "check", "--json", os.path.join(self.folder.name, "result.json"), "--trace-dir", self.folder.name, *options, str(program)]

    def facts(self):
        with open(os.path.join(self.folder.name, "result.json")) as f:
            return json.load(f)

    def check(self, program, *options):
        done = subprocess.run(self.command(program, *options), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        return done, self.facts()


class Auto(Search):
    def test_small_enough_is_verified(self):
        done, result = self.check(SMALL, "--max-executions=1000", "--timeout=60")
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (0, "verified", "optimal"))
        self.assertNotIn("sampling", result)

    def test_too_big_for_its_runs(self):
        done, result = self.check(TOO_BIG, "--max-executions=2000")
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (3, "incomplete", "optimal+sampling"))
        self.assertEqual(result["executions"], 2000)
        said = [line for line in done.stderr.splitlines() if "sampling" in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("--max-executions 2000", said[0])
        self.assertEqual({s["sampler"] for s in result["sampling"]}, {"pos", "pct", "random"})

    def test_too_big_for_its_time(self):
        done, result = self.check(TOO_BIG, "--timeout=2", "--state=none")  # stored states would get far in it
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (3, "incomplete", "optimal+sampling"))
        self.assertIn("--timeout 2", done.stderr)

    def test_quiet_says_it_in_the_result_only(self):
        done, result = self.check(TOO_BIG, "--max-executions=1000", "--quiet")
        self.assertEqual(done.stderr, "")
        self.assertTrue(any("sampling" in note for note in result["notes"]))

    def test_finds_what_an_exhaustive_search_comes_to_last(self):
        _, optimal = self.check(LATE_BUG, "--algorithm=optimal", "--max-executions=20000")
        self.assertEqual(optimal["verdict"], "incomplete")
        done, result = self.check(LATE_BUG, "--max-executions=5000")
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (1, "bug", "optimal+sampling"))
        self.assertEqual([f["kind"] for f in result["findings"]], ["assertion"])
        replayed = subprocess.run([HEDDLE, "replay", os.path.join(self.folder.name, result["findings"][0]["trace"])],
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual(replayed.returncode, 1, replayed.stderr)


class States(Search):
    """Whether auto stores states: where they repeat, and nothing is lost by it."""

    def said(self, done):
        lines = [line for line in done.stderr.splitlines() if "auto:" in line]
        self.assertLessEqual(len(lines), 1, done.stderr)
        return lines[0] if lines else ""

    def expect(self, algorithm, why, program, *options, verdict="verified"):
        done, result = self.check(program, *options)
        self.assertEqual((result["verdict"], result["algorithm"]), (verdict, algorithm), done.stdout + done.stderr)
        self.assertIn(why, self.said(done))
        if why:
            self.assertTrue(any(why in note for note in result["notes"]), result["notes"])
        return result

    def test_states_that_repeat_are_stored(self):
        self.expect("dl-spor", "ended at a known one", STATEFUL / "counter.c")
        self.expect("dl-spor", "ended at a known one", STATEFUL / "example1.c", "--cflags=-DN=30")

    def test_states_that_repeat_go_on_being_stored_after_the_trial(self):
        result = self.expect("dl-spor", "stores states, since they repeat", TOO_BIG)
        self.assertGreater(result["revisits"], 16384)

    def test_states_that_hardly_repeat_are_not(self):
        result = self.expect("optimal", "without stored states", LOG)  # since they hardly repeat, or it was through before that was known
        self.assertEqual(result["executions"], 34650)  # 12! / 4!^3: what was done before the trial is neither lost nor repeated

    def test_threads_that_only_bad_luck_keeps_going_round_are_no_bug(self):
        program = HERE / "scoped_locks_ok.cpp"
        self.expect("dl-spor", "ended at a known one", program, verdict="within-bound")
        _, result = self.check(program, "--livelocks=possible")
        self.assertEqual([f["kind"] for f in result["findings"]], ["livelock"])

    def test_threads_that_go_round_for_ever_are(self):
        _, result = self.check(HERE / "polled_for_ever_livelock.c")
        self.assertEqual([f["kind"] for f in result["findings"]], ["livelock"])

    def test_small_programs_need_none(self):
        self.expect("optimal", "", SMALL)

    def test_races_that_no_state_shows(self):
        self.expect("optimal", "may be missed", HERE / "relaxed_counter_ok.c")
        self.expect("dl-spor", "ended at a known one", HERE / "relaxed_counter_ok.c", "--races=ignore")

    def test_endless_trees_have_few_states(self):
        self.expect("dl-spor", "was through first", PROGRAMS / "poll_under_mutex_ok.c")
        self.expect("dl-spor", "was through first", PROGRAMS / "semaphore_polled_within_bound.c", verdict="within-bound")

    def test_a_bound_on_steps_that_states_do_not_keep(self):
        program = PROGRAMS / "flag_spin_counting_within_bound.c"
        done, result = self.check(program, "--max-steps=12")
        self.assertEqual((done.returncode, result["verdict"]), (0, "within-bound"), done.stdout + done.stderr)
        self.assertIn("--max-steps", self.said(done))

    def test_what_excludes_states(self):
        counter = STATEFUL / "counter.c"
        for options in (["--state=none"], ["-j1"], ["--max-executions=1000"], ["--preemptions=0"], ["--executor=fork"],
                        [f"--checkpoint={self.folder.name}/saved"]):
            with self.subTest(options):
                done, result = self.check(counter, "--timeout=1.5", *options)
                self.assertNotIn("dl-spor", result["algorithm"])
                self.assertEqual(self.said(done), "")

    def test_effects_outside_of_memory(self):
        self.expect("optimal", "cannot be captured", HERE / "pipe_between_threads_ok.c")

    def test_a_limit_that_does_not_suffice_ends_in_sampling(self):
        done, result = self.check(TOO_BIG, "--timeout=1", "--cflags=-DWRITERS=14")
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (3, "incomplete", "optimal+sampling"), done.stderr)
        # Which of the two finds out depends on how fast the machine is.
        self.assertTrue(any("limit is nearly spent" in note or "the limit allows" in note for note in result["notes"]), result["notes"])

    def find_all(self, *options):
        command = self.command(HERE / "three_late_bugs_assert.c", "--stop-at=all", *options)
        done = subprocess.run(command, input="3\n", capture_output=True, text=True, timeout=120)
        return done, self.facts()

    def test_all_bugs_are_found_and_can_be_replayed_with_the_same_input(self):
        done, result = self.find_all()
        self.assertEqual((done.returncode, result["verdict"], result["algorithm"]), (1, "bug", "dl-spor"), done.stderr)
        self.assertEqual(len({f["signature"] for f in result["findings"]}), 3)
        for finding in result["findings"]:
            replayed = subprocess.run([HEDDLE, "replay", os.path.join(self.folder.name, finding["trace"])], stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, timeout=60)
            self.assertEqual(replayed.returncode, 1, replayed.stderr)

    def test_what_only_the_search_before_has_found_is_told(self):
        """A race that rests on a failed try shows without stored states only; what is endless is explored with them."""
        done, result = self.check(HERE / "race_and_endless_loop.c", "--stop-at=all")
        self.assertEqual((done.returncode, result["verdict"]), (1, "bug"), done.stdout + done.stderr)
        self.assertEqual(sorted(f["kind"] for f in result["findings"]), ["assertion", "data-race"])


class Samplers(Search):
    def test_each_says_what_its_runs_are_worth(self):
        for sampler in ("random", "pos", "pct"):
            with self.subTest(sampler):
                done, result = self.check(TOO_BIG, f"--algorithm={sampler}", "--max-executions=300")
                self.assertEqual(done.returncode, 3)
                self.assertIn("would have been seen", done.stdout)
                (said,) = result["sampling"]
                self.assertEqual((said["sampler"], said["runs"], said["confidence"]), (sampler, 300, 0.95))
                self.assertAlmostEqual(said["excluded_rate"], 3 / 300, delta=0.001)
                self.assertEqual("seen_probability" in said, sampler == "pct")

    def test_depth(self):
        chances = []
        for depth in (1, 2, 3):
            _, result = self.check(TOO_BIG, "--algorithm=pct", f"--pct-depth={depth}", "--max-executions=300")
            (said,) = result["sampling"]
            n, k = said["threads"], said["steps"]
            self.assertEqual(said["depth"], depth)
            self.assertAlmostEqual(said["seen_probability"], 1 - (1 - 1 / (n * k ** (depth - 1))) ** 299, delta=1e-9)  # all but the first
            chances.append(said["seen_probability"])
        self.assertEqual(chances, sorted(chances, reverse=True))

    def test_same_seed_same_runs(self):
        for sampler in ("random", "pos", "pct"):
            with self.subTest(sampler):
                found = []
                for seed in (5, 5):
                    _, result = self.check(LATE_BUG, f"--algorithm={sampler}", f"--seed={seed}", "--max-executions=5000")
                    found.append((result["verdict"], result["executions"], result["transitions"]))
                self.assertEqual(found[0], found[1])
                self.assertEqual(found[0][0], "bug")


class SleepSets(Search):
    def test_dpor_without_them_comes_to_the_same_verdict_in_more_runs(self):
        _, with_them = self.check(SMALL, "--visible=all", "--races=ignore", "--algorithm=dpor")
        _, without = self.check(SMALL, "--visible=all", "--races=ignore", "--algorithm=dpor", "--sleep-sets=off")
        self.assertEqual(with_them["verdict"], without["verdict"])
        self.assertGreaterEqual(without["executions"], with_them["executions"])
        self.assertEqual(without["blocked"], 0)


class SideBySide(Search):
    def test_all_algorithms_agree_in_one_table(self):
        done = subprocess.run([HEDDLE, "check", "--algorithm=all", str(SMALL), ], capture_output=True, text=True, timeout=110)
        rows = {line.split()[0]: line for line in done.stdout.splitlines()[1:]}
        for algorithm in ("optimal", "source", "dpor", "dfs", "spor", "dl-spor", "de-spor", "sdpor", "o-dpor"):
            self.assertIn(algorithm, rows, done.stdout + done.stderr)

    def test_the_table_has_the_counts_of_single_runs(self):
        # Seen to fail when the table's executions were those that end at a known state, too.
        done = subprocess.run([HEDDLE, "check", "--algorithm=all", str(SMALL)], capture_output=True, text=True, timeout=110)
        head, *rows = [line.split() for line in done.stdout.splitlines()]
        for row in rows:
            if row[0] not in ("optimal", "spor", "dl-spor", "sdpor"):
                continue
            _, alone = self.check(SMALL, "--visible=all", f"--algorithm={row[0]}")
            for name in ("executions", "blocked", "revisits", "transitions", "states"):
                told = row[head.index(name)]
                self.assertEqual(0 if told == "-" else int(told), alone.get(name, 0), f"{row[0]}: {name}")

    def test_the_first_verdict_of_a_portfolio(self):
        done, result = self.check(HERE.parent / "programs" / "polled_flag_under_lock_ok.c", "--algorithm=portfolio", "-j", "2")
        self.assertEqual((done.returncode, result["verdict"]), (0, "verified"), done.stdout + done.stderr)
        self.assertIn(result["algorithm"], ("spor", "dl-spor"))

    def begin(self, *options):
        """A comparison that takes long, and the process that searches for it now (or all of a portfolio's)."""
        run = subprocess.Popen(self.command(TOO_BIG, "--timeout=20", *options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wanted = 2 if "--algorithm=portfolio" in options else 1
        children = []
        while run.poll() is None and len(children) < wanted:
            time.sleep(0.01)
            children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        time.sleep(0.3)
        return run, [int(pid) for pid in children]

    def test_an_interrupt_that_comes_twice_is_one(self):
        # From the terminal and from the process that compares. Seen to fail every other time when a search ended at once at the second.
        self.check(TOO_BIG, "--max-executions=1")  # compiled from here on
        for _ in range(6):
            run, (child,) = self.begin("--algorithm=all")
            run.send_signal(signal.SIGTERM)
            until = time.time() + 0.05
            while time.time() < until:
                try:
                    os.kill(child, signal.SIGTERM)
                except ProcessLookupError:
                    break
            out, said = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 3, said)
            self.assertEqual([line.split()[:2] for line in out.splitlines()[1:]], [["optimal", "incomplete"]], out)

    def test_a_member_that_is_killed_leaves_the_verdict_to_the_others(self):
        self.check(TOO_BIG, "--max-executions=1")
        run, members = self.begin("--algorithm=portfolio", "-j", "2")
        os.kill(members[0], signal.SIGKILL)
        out, said = run.communicate(timeout=60)
        self.assertEqual((run.returncode, self.facts()["verdict"]), (0, "verified"), out + said)

    def test_a_portfolio_of_which_nobody_is_left_is_an_error(self):
        self.check(TOO_BIG, "--max-executions=1")
        run, members = self.begin("--algorithm=portfolio", "-j", "2")
        for member in members:
            os.kill(member, signal.SIGKILL)
        out, said = run.communicate(timeout=60)
        self.assertEqual((run.returncode, out), (70, ""))
        self.assertIn("killed", said)

    def test_nothing_goes_on_without_the_process_that_compares(self):
        self.check(TOO_BIG, "--max-executions=1")
        run, (child,) = self.begin("--algorithm=all")
        run.kill()
        run.communicate()
        until = time.time() + 10
        while os.path.exists(f"/proc/{child}") and time.time() < until:
            time.sleep(0.01)
        self.assertFalse(os.path.exists(f"/proc/{child}"))


class Tables(Search):
    def test_many_objects_and_pages(self):
        # Seen to fail when the table of pages was made larger without what was in it.
        done, result = self.check(HERE.parent / "runtime" / "many_objects.c", "--algorithm=spor")
        self.assertEqual((done.returncode, result["verdict"], result["executions"]), (0, "within-bound", 1), done.stdout + done.stderr)


class Interrupt(Search):
    def test_gives_a_partial_verdict(self):
        run = subprocess.Popen(self.command(TOO_BIG, "--algorithm=optimal"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertIn("INCOMPLETE", out)
        self.assertEqual(self.facts()["verdict"], "incomplete")

    def test_a_signal_that_is_sent_twice_is_one(self):
        # As `timeout` does. Seen to fail when the second of two signals ended the tool at once, however soon it came.
        self.check(TOO_BIG, "--max-executions=1")  # compiled from here on
        for _ in range(8):
            run = subprocess.Popen(self.command(TOO_BIG, "--algorithm=spor"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.4)
            until = time.time() + 0.05
            while time.time() < until and run.poll() is None:
                run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 3)
            self.assertIn("INCOMPLETE", out)

    def test_what_was_interrupted_was_not_through(self):
        """At any moment: while states are tried, too, which ends early then."""
        self.check(TOO_BIG, "--max-executions=1")  # compiled from here on
        for moment in (0.2, 0.5, 1):
            run = subprocess.Popen(self.command(TOO_BIG), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(moment)
            run.send_signal(signal.SIGINT)
            out, said = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 3, said)
            self.assertNotIn("was through", out)


class LongRuns(Search):
    """What an algorithm has to think about a run of 100,000 steps can take it minutes."""
    PROGRAM = HERE / "long_arrays_ok.c"
    SEARCHES = (["--algorithm=dl-spor"], ["--algorithm=de-spor"], ["--algorithm=sdpor"], ["--algorithm=o-dpor"], ["--algorithm=dpor", "--preemptions=2"])

    def setUp(self):
        super().setUp()
        self.check(self.PROGRAM, "--max-executions=1")  # compiled from here on

    def test_the_time_limit_is_kept_while_an_algorithm_thinks(self):
        # Seen to fail for each of them, by 8 seconds and more, when only the explorer looked at the clock, between runs.
        for search in self.SEARCHES:
            with self.subTest(search):
                begun = time.time()
                _, result = self.check(self.PROGRAM, "--timeout=1", *search)
                self.assertEqual(result["verdict"], "incomplete")
                self.assertLess(time.time() - begun, 4)

    def test_so_is_an_interrupt(self):
        run = subprocess.Popen(self.command(self.PROGRAM, "--algorithm=dl-spor"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        begun = time.time()
        run.send_signal(signal.SIGINT)
        out, said = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 3, said)
        self.assertIn("INCOMPLETE", out)
        self.assertLess(time.time() - begun, 3)


if __name__ == "__main__":
    unittest.main()
