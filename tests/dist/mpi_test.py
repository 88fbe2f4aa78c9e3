#!/usr/bin/env python3
"""mpi_test.py HEDDLE MPIRUN BELLS MODULE: what mpirun starts comes to the same as one process; and what can be wrong with it is told by rank."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from search import MEMORY

BELLS, MODULE = sys.argv.pop(3), sys.argv.pop(3)
MPIRUN = sys.argv.pop(2)
HEDDLE = sys.argv.pop(1)
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "programs")
NAMES = "abba_deadlock.c bounded_buffer_2_2_ok.c condvar_wakes_any_assert.c indexer_13_ok.c".split()
IS_OPEN_MPI = "Open MPI" in subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
# More ranks than processors, and root: what tests do and users should not.
FLAGS = ["--oversubscribe", "-q"] if IS_OPEN_MPI else []
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

WRITERS = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *write_x(void *a) { atomic_store(&x, (int)(long)a); return 0; }
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, write_x, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}
"""
LONG_RUN = """int main(void) {
  for (volatile long i = 0; i < N; i++) {}
}
"""
# Rank 2 works in another directory than the others.
TWO_PLACES = """#!/bin/sh
cd "{folder}/$([ "${{OMPI_COMM_WORLD_RANK:-${{PMI_RANK-}}}}" = 2 ] && echo there || echo here)" || exit
exec "{heddle}" "$@"
"""


def side_by_side(run, cases):
    """Results in the order of the cases. mpirun takes about a second to end, and does nothing in that time."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(run, cases))


class Ranks(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.json = os.path.join(self.folder, "result.json")
        self.memory = tempfile.TemporaryDirectory(dir=MEMORY)
        self.checkpoint = os.path.join(self.memory.name, "saved")

    def tearDown(self):
        self.scratch.cleanup()
        self.memory.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def words(self, ranks, *words, heddle=HEDDLE):
        return [MPIRUN, *FLAGS, "-np", str(ranks), heddle, "check", "--quiet", *words]

    def environment(self):
        """Open MPI keeps a folder for each mpirun in one for all of them, and fails where that one is just being removed by the last that ended."""
        folder = tempfile.mkdtemp(dir=self.folder)
        return dict(ENVIRONMENT, OMPI_MCA_orte_tmpdir_base=folder, PRTE_MCA_prte_tmpdir_base=folder)

    def run_ranks(self, ranks, *words, **more):
        return subprocess.run(self.words(ranks, *words, **more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, env=self.environment(), cwd=self.folder)

    def facts(self, path=None):
        with open(path or self.json) as f:
            result = json.load(f)
        return result["verdict"], result["executions"], result["blocked"], sorted(x["signature"] for x in result["findings"])

    def compile(self, text, name, *flags):
        source = self.path(name + ".c")
        with open(source, "w") as f:
            f.write(text)
        subprocess.run([HEDDLE, "cc", "-O1", "-g", "-pthread", *flags, source, "-o", self.path(name)], check=True, timeout=60)
        return self.path(name)

    def two_places(self):
        """A starter for ranks in two directories, `here` and (rank 2) `there`."""
        for name in ("here", "there"):
            os.mkdir(self.path(name))
        starter = self.path("starter")
        with open(starter, "w") as f:
            f.write(TWO_PLACES.format(folder=self.folder, heddle=HEDDLE))
        os.chmod(starter, 0o755)
        return starter

    def test_any_number_of_ranks_comes_to_the_same(self):
        def json_of(name, ranks):
            return self.path(f"{name}-{ranks}.json")

        def words(name, ranks):
            return ["--stop-at", "all", "--json", json_of(name, ranks), "--trace-dir", self.folder, os.path.join(PROGRAMS, name)]

        for name in NAMES:
            subprocess.run([HEDDLE, "check", "--quiet", "--algorithm", "optimal", *words(name, 1)], stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=60)
            alone = self.facts(json_of(name, 1))
            numbers = (2, 3, 5)
            for ranks, done in zip(numbers, side_by_side(lambda ranks: self.run_ranks(ranks, *words(name, ranks)), numbers)):
                with self.subTest(program=name, ranks=ranks):
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    self.assertTrue(os.path.exists(json_of(name, ranks)), done.stderr)
                    self.assertEqual(self.facts(json_of(name, ranks)), alone, done.stderr)
                    self.assertEqual(done.returncode, 0 if alone[0] == "verified" else 1)
                    self.assertEqual(len(re.findall("VERIFIED|BUG", done.stdout)), 1, "only rank 0 reports")
                    self.assertNotIn("\033", done.stdout)

    def test_work_is_divided(self):
        program = self.compile(WRITERS, "writers", "-DN=8")
        self.run_ranks(3, "--json", self.json, program)
        self.assertEqual(self.facts(), ("verified", 40320, 0, []))

    def test_ranks_start_over_together(self):
        done = self.run_ranks(3, "--json", self.json, os.path.join(PROGRAMS, "timed_wait_in_loop_within_bound.c"))
        self.assertEqual(self.facts(), ("within-bound", 3, 0, []), done.stderr)

    def test_ranks_share_a_bound_on_preemptions(self):
        done = self.run_ranks(3, "--json", self.json, "--preemptions=auto", os.path.join(PROGRAMS, "philosophers_3_ordered_auto_ok.c"))
        self.assertEqual(self.facts(), ("verified", 1341, 0, []), done.stderr)

    def test_files_that_differ_are_told_with_the_rank(self):
        starter = self.two_places()
        for name in ("one", "other"):
            self.compile(WRITERS, name, "-DN=3", f"-DV{name}={len(name)}", "-g3")
        for file, there, words in [("program", "other", "rank 2 .*has another ./program than rank 0"),
                                   ("program", "one", None),
                                   ("input", "other", "rank 2 .*has another input than rank 0"),
                                   ("input", None, "rank 2 .*does not have input, which rank 0 has"),
                                   ("program", None, r"rank 2 .*: cannot open \./program")]:
            with self.subTest(file=file, there=there):
                shutil.copy(self.path("one"), self.path("here", file))
                if there:
                    shutil.copy(self.path(there), self.path("there", file))
                else:
                    os.remove(self.path("there", file))
                arguments = ["input"] if file == "input" else []
                done = self.run_ranks(3, "./program", *arguments, heddle=starter)
                if words:
                    self.assertRegex(done.stderr, words)
                self.assertEqual(done.returncode, 2 if words else 0, done.stderr)

    def test_what_cannot_be_is_refused_once(self):
        program = os.path.join(PROGRAMS, NAMES[0])
        cases = [(1, [program], "single rank"), (2, ["-j2", program], "-j is for one machine"), (2, ["--no-such-option", program], "no option"),
                 (2, ["--algorithm", "dfs", program], "cannot divide"), (2, [self.path("absent")], "absent")]
        for (_, words, text), done in zip(cases, side_by_side(lambda case: self.run_ranks(case[0], *case[1]), cases)):
            with self.subTest(words=words):
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count(text), 1, done.stderr)

    def test_without_the_mpi_part_it_says_so(self):
        program = self.compile(WRITERS, "writers", "-DN=3")
        os.mkdir(self.path("bin"))
        shutil.copy(HEDDLE, self.path("bin", "heddle"))
        done = self.run_ranks(2, program, heddle=self.path("bin", "heddle"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("built without MPI"), 1, done.stderr)
        alone = subprocess.run([self.path("bin", "heddle"), "check", "--quiet", program], capture_output=True, text=True, timeout=60)
        self.assertEqual(alone.returncode, 0, alone.stderr)

    def start(self, program, *options):
        """Three ranks, once all of them are at work."""
        run = subprocess.Popen(self.words(3, *options, program), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=self.environment(), cwd=self.folder)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and len(self.processes_of(program)) < 3:  # one target a rank
            time.sleep(0.05)
        time.sleep(0.5)
        return run

    def start_long_search(self, *options):
        program = self.compile(WRITERS, "writers", "-DN=12")
        return program, self.start(program, *options)

    @staticmethod
    def processes_of(program):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/exe") == program:
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def parent(self, pid):
        with open(f"/proc/{pid}/stat") as f:
            return int(f.read().rpartition(")")[2].split()[1])

    def assert_ends_incomplete(self, program, run):
        out, err = run.communicate(timeout=30)
        self.assertIn("INCOMPLETE", out, err)
        deadline = time.monotonic() + 10
        while self.processes_of(program) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.processes_of(program), [])
        return out + err

    def test_interrupted_it_says_how_far_it_came(self):
        program, run = self.start_long_search()
        run.send_signal(signal.SIGINT)
        self.assert_ends_incomplete(program, run)

    @unittest.skipUnless(IS_OPEN_MPI, "what happens to the other ranks is up to mpirun")
    def test_a_lost_rank_ends_the_search_and_the_checkpoint_goes_on(self):
        program, run = self.start_long_search("--checkpoint", self.checkpoint, "--checkpoint-interval", "0.2")
        ranks = sorted(self.parent(pid) for pid in self.processes_of(program))
        os.kill(ranks[-1], signal.SIGKILL)
        self.assertIn("mpirun -np 3 heddle check --resume", self.assert_ends_incomplete(program, run))
        self.assertNotEqual(run.returncode, 0)
        resumed = self.run_ranks(2, "--resume", self.checkpoint, "--timeout", "1", program)
        self.assertEqual(resumed.returncode, 3, resumed.stderr)
        here = subprocess.run([HEDDLE, "check", "-j2", "--resume", self.checkpoint, "--timeout", "1", program], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(here.returncode, 3, here.stderr)

    def test_ranks_of_one_machine_wake_each_other(self):
        # Seen to fail (it never ends) when MPI was asked only once after a bell, and when nobody rang.
        done = subprocess.run([MPIRUN, *FLAGS, "-np", "3", BELLS, MODULE], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        ranks = re.findall(r"^rank (\d): right, overslept (\d+)$", done.stdout, re.M)
        self.assertEqual(sorted(rank for rank, _ in ranks), ["0", "1", "2"], done.stdout)
        self.assertLess(sum(int(overslept) for _, overslept in ranks), 5, "of 2,000 messages; MPICH takes in one or another only later")

    @staticmethod
    def times_it_slept(pid):
        with open(f"/proc/{pid}/status") as f:
            return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", f.read(), re.M)[1])

    def test_ranks_with_nothing_to_do_sleep_on(self):
        program = self.compile(LONG_RUN, "long_run", "-DN=100000000000L", "-O0")
        run = self.start(program, "--hang-timeout", "100")
        ranks = {self.parent(pid) for pid in self.processes_of(program)}
        before = {rank: self.times_it_slept(rank) for rank in ranks}
        time.sleep(1)
        slept = sorted(self.times_it_slept(rank) - before[rank] for rank in ranks)
        run.send_signal(signal.SIGINT)
        self.assert_ends_incomplete(program, run)
        # Whoever asks MPI for messages every millisecond or oftener sleeps as often. Seen to fail without bells.
        self.assertEqual(len(slept), 3)
        self.assertLess(slept[-1], 400, slept)

    def test_nobody_waits_awake(self):
        program = self.compile(LONG_RUN, "long_run", "-DN=4000000000L", "-O0")  # long against the start of four ranks

        def processor_time(command):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, env=self.environment(), check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        patient = ["--hang-timeout", "100"]  # one run is the whole test, however busy the machine
        alone = processor_time([HEDDLE, "check", "--quiet", *patient, program])
        ranks = processor_time(self.words(4, *patient, program))
        self.assertGreater(alone, 0.3)
        # One rank runs the program. Three ranks that waited awake for it would take three times as much in addition.
        self.assertLess(ranks, 1.6 * alone + 1)


if __name__ == "__main__":
    unittest.main()
