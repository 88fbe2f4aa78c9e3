"""What the tests of divided searches share: run `heddle check`, look at its result, find its processes."""
import json
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "programs")
HEDDLE = None  # set by the test's main
# Every checkpoint is flushed, which takes seconds on a disk that others write to. Programs are not kept there: it may forbid to start them.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def here(name):
    return os.path.join(HERE, name)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def processes(pid):
    """(the balancer's own target, workers, the workers' targets)"""
    mine = children(pid)
    return mine[:1], mine[1:], [target for worker in mine[1:] for target in children(worker)]


class SearchTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.json = self.path("result.json")
        self.checkpoint = self.path("search.checkpoint")

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def command(self, program, *options):
        stop = [] if "--stop-at" in options else ["--stop-at", "all"]
        return [HEDDLE, "check", "--quiet", *stop, "--json", self.json, "--trace-dir", self.folder.name, *options, program]

    def start(self, program, *options):
        if os.path.exists(self.json):
            os.remove(self.json)
        return subprocess.Popen(self.command(program, *options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def check(self, program, *options):
        """Runs to the end. (exit code, standard output and error)"""
        run = self.start(program, *options)
        out, err = run.communicate(timeout=120)
        return run.returncode, out + err

    def result(self):
        with open(self.json) as f:
            return json.load(f)

    def facts(self):
        result = self.result()
        return result["verdict"], result["executions"], sorted(x["signature"] for x in result["findings"])

    def compile(self, program):
        """So that no compiler is among the processes of later runs."""
        self.check(program, "--max-executions", "1")

    def check_facts(self, program, *options):
        _, text = self.check(program, *options)
        self.assertTrue(os.path.exists(self.json), text)
        return self.facts()
