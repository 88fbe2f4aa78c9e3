"""The schema checker. Run: python3 -m unittest discover -s tests -p '*_test.py'"""
import json
import unittest
from pathlib import Path

from schema import violations

SCHEMA = json.loads((Path(__file__).resolve().parent.parent / "docs/manual/result.schema.json").read_text())
APPROVED = Path(__file__).resolve().parent / "replay/approved/race.json"


class Schema(unittest.TestCase):
    def test_the_approved_report_is_as_described(self):
        self.assertEqual(list(violations(json.loads(APPROVED.read_text()), SCHEMA)), [])

    def test_whatever_is_wrong_is_seen(self):
        for name, value in [("schema", 1), ("verdict", "fine"), ("executions", -1), ("executions", 1.5), ("executions", True),
                            ("time_s", "1"), ("assumes", [""]), ("assumes", "x"), ("vacuous", ""), ("vacuous", 1), ("notes", []),
                            ("uncovered", [{"what": "access"}]), ("other", 1), ("findings", [{"kind": "data-race"}]),
                            ("bounds", {"steps": 1})]:
            report = json.loads(APPROVED.read_text())
            report[name] = value
            self.assertTrue(list(violations(report, SCHEMA)), (name, value))

    def test_whatever_is_missing_is_seen(self):
        for name in SCHEMA["required"]:
            report = json.loads(APPROVED.read_text())
            del report[name]
            self.assertTrue(list(violations(report, SCHEMA)), name)

    def test_a_keyword_that_is_not_checked_is_refused(self):
        with self.assertRaises(ValueError):
            list(violations(1, {"maximum": 3}))


if __name__ == "__main__":
    unittest.main()
