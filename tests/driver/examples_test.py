#!/usr/bin/env python3
"""The examples, as a newcomer runs them: `heddle check examples/FILE`. Usage: examples_test.py HEDDLE"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HEDDLE = None  # set by main
EXPECTED = {
    "account_race.cpp": "data-race",
    "transfer_deadlock.cpp": "deadlock",
    "transfer_ok.cpp": None,
    "lost_wakeup.c": "deadlock",
    "odd_job.c": "assertion",
}


class ExamplesTest(unittest.TestCase):
    def test_every_example_is_expected(self):
        self.assertEqual({path.name for path in EXAMPLES.iterdir()}, set(EXPECTED))

    def test_verdicts(self):
        for name, kind in EXPECTED.items():
            with self.subTest(example=name), tempfile.TemporaryDirectory() as directory:
                done = subprocess.run([HEDDLE, "check", "--json", "out.json", str(EXAMPLES / name)], cwd=directory,
                                      capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 1 if kind else 0, done.stdout + done.stderr)
                result = json.loads((Path(directory) / "out.json").read_text())
                self.assertEqual(result["verdict"], "bug" if kind else "verified")
                self.assertEqual([finding["kind"] for finding in result["findings"]], [kind] if kind else [])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    HEDDLE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
