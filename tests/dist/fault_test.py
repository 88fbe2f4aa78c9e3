#!/usr/bin/env python3
"""fault_test.py HEDDLE: fifty times a worker, a target or the balancer itself is killed. Every search comes to what it would have come to."""
import os
import random
import signal
import sys
import time
import unittest

import search
from search import SearchTest, here, processes

KILLS = 50


class Faults(SearchTest):
    def pick(self, chance, pid):
        """One of the kinds of processes first, so that each has its turn. None before the search has begun."""
        target, workers, targets = processes(pid)
        if not targets:
            return None
        kinds = [kind for kind in (target, workers, targets, [pid]) if kind]
        return chance.choice(chance.choice(kinds))

    def test_fifty_kills_change_nothing(self):
        chance = random.Random(7)
        kills = {"balancer": 0, "other": 0}
        searches = repeated = 0
        program = here("eight_writers_ok.c")
        self.compile(program)
        while sum(kills.values()) < KILLS:
            kept = ["--checkpoint", self.checkpoint]
            while True:
                run = self.start(program, "-j3", *kept, "--checkpoint-interval", "0.05")
                while run.poll() is None:
                    time.sleep(chance.uniform(0.03, 0.15))
                    if sum(kills.values()) >= KILLS or run.poll() is not None:
                        continue
                    victim = self.pick(chance, run.pid)
                    if victim is None:
                        continue
                    kills["balancer" if victim == run.pid else "other"] += 1
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                out, err = run.communicate()
                if run.returncode != -signal.SIGKILL:
                    break
                if os.path.exists(self.checkpoint):
                    kept = ["--resume", self.checkpoint]
            self.assertEqual(self.facts(), ("verified", 40320, []), out + err)
            self.assertEqual(self.result()["blocked"], 0)
            repeated += self.result()["distribution"]["repeated"]
            searches += 1
            os.remove(self.checkpoint)
        self.assertGreater(kills["balancer"], 3)
        self.assertGreater(repeated, 3)
        print(f"{searches} searches, {kills['balancer']} balancers and {kills['other']} others killed, {repeated} units repeated")

    def test_a_target_killed_while_a_finding_is_confirmed(self):
        chance = random.Random(3)
        self.compile(here("two_bugs_assert.c"))
        for _ in range(5):
            run = self.start(here("two_bugs_assert.c"), "-j2")
            while run.poll() is None:
                time.sleep(chance.uniform(0.05, 0.5))
                for victim in processes(run.pid)[0]:
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            out, err = run.communicate()
            self.assertEqual(run.returncode, 1, out + err)
            self.assertEqual(len(self.facts()[2]), 2, out + err)
            self.assertEqual(self.facts()[1], 5040)


if __name__ == "__main__":
    search.HEDDLE = sys.argv.pop(1)
    unittest.main()
