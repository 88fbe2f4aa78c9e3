#!/usr/bin/env python3
"""checkpoint_test.py HEDDLE: interrupted searches go on from their checkpoint and come to the same; all other files are refused."""
import os
import shutil
import signal
import sys
import time
import unittest

import search
from search import SearchTest, here

WHOLE = ("verified", 40320, [])
PROGRAM = here("eight_writers_ok.c")


class Checkpoints(SearchTest):
    def resume(self, program, *options):
        return self.check_facts(program, "--resume", self.checkpoint, *options)

    def test_a_time_limit_is_no_loss(self):
        self.compile(PROGRAM)
        facts = ("incomplete", 0, [])
        parts = 0
        while facts[0] == "incomplete" and parts < 100:
            kept = ["--resume" if os.path.exists(self.checkpoint) else "--checkpoint", self.checkpoint]
            facts = self.check_facts(PROGRAM, *kept, "--timeout", "0.6", "-j2")
            parts += 1
            if facts[0] == "incomplete" and "distribution" in self.result():  # otherwise the time did not even suffice to begin
                self.assertIn(f"--resume {self.checkpoint}", self.result()["resume"])
        self.assertEqual(facts, WHOLE)
        self.assertEqual(self.resume(PROGRAM), WHOLE, "one that is finished says so again")

    def interrupt(self, how, *options):
        run = self.start(PROGRAM, "--checkpoint", self.checkpoint, "--checkpoint-interval", "0.05", *options)
        while not os.path.exists(self.checkpoint) and run.poll() is None:
            time.sleep(0.01)
        time.sleep(0.1)
        run.send_signal(how)
        return run.communicate(timeout=60)[0], run.returncode

    def test_signals_write_a_checkpoint(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=how):
                text, code = self.interrupt(how, "-j2")
                self.assertEqual(code, 3, text)
                self.assertIn(f"--resume {self.checkpoint}", text)
                self.assertEqual(self.resume(PROGRAM, "-j2"), WHOLE)
                os.remove(self.checkpoint)

    def test_a_killed_balancer_is_no_loss(self):
        for jobs in ([], ["-j2"]):
            with self.subTest(jobs=jobs):
                self.assertEqual(self.interrupt(signal.SIGKILL, *jobs)[1], -signal.SIGKILL)
                self.assertEqual(self.resume(PROGRAM, "-j3"), WHOLE)
                os.remove(self.checkpoint)

    def test_a_search_that_started_over_goes_on_with_its_terms(self):
        program = os.path.join(search.PROGRAMS, "flag_spin_counting_within_bound.c")
        options = ["--max-steps=60", "-j2"]
        whole = self.check_facts(program, *options)
        self.assertEqual(whole[0], "within-bound")
        self.check(program, *options, "--checkpoint", self.checkpoint, "--max-executions", "20")
        self.assertEqual(self.result()["algorithm"], "source")
        self.assertEqual(self.resume(program, *options), whole)
        self.assertEqual(self.result()["algorithm"], "source")

    def test_a_bound_that_grows_goes_on_growing(self):
        program = os.path.join(search.PROGRAMS, "philosophers_3_ordered_auto_ok.c")
        whole = self.check_facts(program, "--preemptions=auto")
        self.assertEqual(whole[0], "verified")
        # The first part ends with a bound of 2 or 3 of the 7 that it takes.
        self.assertEqual(self.check_facts(program, "--preemptions=auto", "--checkpoint", self.checkpoint, "--max-executions", "300")[0], "incomplete")
        self.assertIn("--preemptions was auto, is 2", self.refusal(program, "--resume", self.checkpoint, "--preemptions=2"))
        self.assertEqual(self.resume(program, "--preemptions=auto", "-j2"), whole)

    def test_what_a_finding_needs_is_told_as_it_was(self):
        program = os.path.join(search.PROGRAMS, "philosophers_3_1_preemption_deadlock.c")
        self.assertEqual(self.check_facts(program, "--preemptions=auto", "--checkpoint", self.checkpoint)[0], "bug")
        notes = self.result()["notes"]
        self.assertTrue(any(note.endswith("1 preemption suffices, fewer do not") for note in notes), notes)
        self.resume(program, "--preemptions=auto")
        self.assertEqual(sorted(self.result()["notes"]), sorted(notes))

    def test_findings_are_kept(self):
        program = here("two_bugs_assert.c")
        alone = self.check_facts(program, "--algorithm", "optimal")
        self.assertEqual(len(alone[2]), 2)
        facts = self.check_facts(program, "--checkpoint", self.checkpoint, "--max-executions", "500", "-j2")
        self.assertLess(facts[1], alone[1])
        self.assertNotEqual(facts[2], [])
        self.assertEqual(self.resume(program, "-j2"), alone)

    def test_findings_from_before_a_search_started_over_are_kept(self):
        program = here("gives_up_assert.c")
        whole = self.check_facts(program, "-j2", "--checkpoint", self.checkpoint)
        self.assertEqual(whole[0], "bug")
        self.assertTrue(any("time out again and again" in note for note in self.result()["notes"]), "it has started over")
        self.assertEqual(self.resume(program, "-j2"), whole)

    def test_samples_go_on_where_they_were(self):
        options = ["--algorithm", "pct", "--seed", "9"]
        alone = self.check_facts(here("two_bugs_assert.c"), *options, "--max-executions", "20000")
        self.check(here("two_bugs_assert.c"), *options, "--max-executions", "7000", "--checkpoint", self.checkpoint)
        self.assertEqual(self.resume(here("two_bugs_assert.c"), *options, "--max-executions", "20000", "-j2"), alone)

    def refusal(self, program, *options):
        code, text = self.check(program, *options)
        self.assertEqual(code, 2, text)
        return text

    def test_what_is_not_of_this_search_is_refused(self):
        self.check(PROGRAM, "--checkpoint", self.checkpoint, "--max-executions", "100")
        refused = lambda *options, program=PROGRAM: self.refusal(program, "--resume", self.checkpoint, *options)
        self.assertIn("--algorithm was optimal, is source", refused("--algorithm", "source"))
        self.assertIn("--max-steps was 100000, is 50", refused("--max-steps", "50"))
        self.assertIn("--visible was racy, is all", refused("--visible", "all"))
        self.assertIn("program's build was", refused(program=here("seven_writers_ok.c")))
        self.assertIn("cannot divide", refused("--algorithm", "dfs"))

    def test_damaged_files_are_refused(self):
        self.check(PROGRAM, "--checkpoint", self.checkpoint, "--max-executions", "100")
        with open(self.checkpoint, "rb") as f:
            whole = f.read()
        header = len(b"heddle checkpoint\n")
        damage = {
            "no checkpoint": b"x" + whole[1:],
            "version 77": whole[:header] + b"\x4d\0\0\0" + whole[header + 4:],
            "its end is missing": whole[:-1],
            "too long": whole + b"\0",
            "checksum": whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
            "is damaged": whole[:header + 14] + bytes([whole[header + 14] ^ 1]) + whole[header + 15:],
        }
        for words, content in damage.items():
            with self.subTest(words=words):
                with open(self.checkpoint, "wb") as f:
                    f.write(content)
                self.assertIn(words, self.refusal(PROGRAM, "--resume", self.checkpoint))

    def test_where_none_can_be_written_nothing_begins(self):
        self.assertIn("No such file", self.refusal(PROGRAM, "--checkpoint", self.path("missing/file")))
        mine = self.path("notes.txt")
        with open(mine, "w") as f:
            f.write("mine")
        self.assertIn("not overwritten", self.refusal(PROGRAM, "--checkpoint", mine))
        with open(mine) as f:
            self.assertEqual(f.read(), "mine")

    def test_a_disk_that_fills_up_costs_the_checkpoint_only(self):
        folder = self.path("gone")
        os.mkdir(folder)
        run = self.start(PROGRAM, "-j2", "--checkpoint", os.path.join(folder, "file"), "--checkpoint-interval", "0.1")
        time.sleep(0.2)
        shutil.rmtree(folder, ignore_errors=True)
        out, err = run.communicate(timeout=120)
        self.assertEqual(self.facts(), WHOLE, out + err)
        self.assertIn("cannot write the checkpoint", out + err)


if __name__ == "__main__":
    search.HEDDLE = sys.argv.pop(1)
    unittest.main()
