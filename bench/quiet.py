"""Rounds of a measurement in which this machine had its processors.

A virtual machine is not always run when it could: the time that others get instead is counted in /proc/stat as stolen. It weighs differently on what uses
one processor and on what uses all of them, so that a ratio of the two says little about either where much is stolen. Whether a round counts is decided by that
alone, never by what was measured in it.
"""
import statistics

MOST_STOLEN = 0.03  # of the processors' time, during any search of a round
FEWEST = 3          # rounds; fewer quiet ones mean nothing, and all are taken


def stolen_and_all():
    """Ticks of all processors together; none are stolen where there is nobody to do so."""
    with open("/proc/stat") as f:
        ticks = [int(word) for word in f.readline().split()[1:9]]
    return (ticks[7] if len(ticks) > 7 else 0), sum(ticks)


class Watch:
    """Calls a function, and remembers the worst share of time that was stolen meanwhile."""
    worst = 0.0

    def __call__(self, function, *arguments):
        stolen, ticks = stolen_and_all()
        result = function(*arguments)
        stolen_then, ticks_then = stolen_and_all()
        self.worst = max(self.worst, (stolen_then - stolen) / max(1, ticks_then - ticks))
        return result


class QuietRounds:
    """`measure(watch)` answers a dict of figures; it is called until `wanted` rounds were quiet, three times as often at most."""

    def __init__(self, wanted, measure):
        quiet, everything = [], []
        while len(quiet) < wanted and len(everything) < 3 * wanted:
            watch = Watch()
            everything.append(measure(watch))
            if watch.worst <= MOST_STOLEN:
                quiet.append(everything[-1])
        enough = len(quiet) >= min(FEWEST, wanted)
        self.rounds = quiet if enough else everything
        self.text = f"{len(quiet)} quiet rounds of {len(everything)}" if enough else f"all {len(everything)} rounds, of which {len(quiet)} were quiet"

    def median(self, name):
        return statistics.median(r[name] for r in self.rounds)

    def most(self, name):
        return max(r[name] for r in self.rounds)
