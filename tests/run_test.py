"""What run.py compares besides the verdict. Run: python3 -m unittest discover -s tests -p '*_test.py'"""
import unittest

from expectation import parse
from run import doubts

UNSEEN = {"what": "call", "function": "frobnicate", "where": "a.c:3", "reason": "no row", "count": 1}
RACE = {"message": "data race: write and read", "maybe_ordered_by": "libfoo.so"}


def complaints(*lines, **result):
    return list(doubts(parse("".join(f"// {line}\n" for line in lines)), result))


class Doubts(unittest.TestCase):
    def test_what_is_not_seen_must_be_expected(self):
        self.assertTrue(complaints("EXPECT: within-bound", uncovered=[UNSEEN]))
        self.assertFalse(complaints("EXPECT: within-bound", "UNCOVERED: call frobnicate", uncovered=[UNSEEN]))
        self.assertTrue(complaints("EXPECT: within-bound", "UNCOVERED: access frobnicate", uncovered=[UNSEEN]))

    def test_a_bug_may_have_more_that_is_not_seen(self):
        self.assertFalse(complaints("EXPECT: bug crash", uncovered=[UNSEEN]))
        self.assertTrue(complaints("EXPECT: bug crash", "UNCOVERED: call other", uncovered=[UNSEEN]))

    def test_what_is_expected_must_be_there(self):
        self.assertTrue(complaints("EXPECT: within-bound", "UNCOVERED: call frobnicate", uncovered=[]))
        self.assertTrue(complaints("EXPECT: unknown", "UNKNOWN: libfoo", unknown=[]))
        self.assertFalse(complaints("EXPECT: unknown", "UNKNOWN: libfoo", unknown=[RACE]))
        self.assertTrue(complaints("EXPECT: verified", "ASSUMES: time", assumes=["the input is fixed"]))
        self.assertFalse(complaints("EXPECT: verified", "ASSUMES: input", assumes=["the input is fixed"]))

    def test_vacuous(self):
        for line, vacuous, expected in [("VACUOUS: one thread", "only one thread ever ran", False), ("VACUOUS: one thread", None, True),
                                        ("VACUOUS: other", "only one thread", True), ("VACUOUS: no", "only one thread", True),
                                        ("VACUOUS: no", None, False)]:
            self.assertEqual(bool(complaints("EXPECT: verified", line, vacuous=vacuous)), expected, (line, vacuous))
        self.assertFalse(complaints("EXPECT: verified", vacuous="only one thread ever ran"))


if __name__ == "__main__":
    unittest.main()
