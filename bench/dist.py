#!/usr/bin/env python3
"""Figures of searches that many workers share.

    dist.py --heddle PATH/heddle [--rounds N] [--long]

Prints `figure NAME VALUE UNIT`, one a line. Rates are compared within a round, in turns, and the median over the quiet rounds (quiet.py) is printed: `-j 2` against
one worker confined to one core (where it shares that core with its target), and as many workers as there are cores against one worker
that is not confined. Two separate searches at once, each confined to a core of its own, show what this machine has to give. `--long` adds the bounded buffer with four producers and four consumers (003, sec. 4) to its end.
"""
import argparse
import os
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine import Bench, figure
from quiet import QuietRounds

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "search"
PROGRAMS = HERE.parent / "tests" / "programs"  # the headers of the classics

# name, source, flags, executions that the program has
SEARCHES = [
    ("indexer_16", SOURCES / "indexer.c", ["-DN=16"], 32768),
    ("factorial_8", SOURCES / "factorial.c", ["-DN=8"], 40320),
]


class DistBench(Bench):
    """The same, with `prefix` before the command."""
    prefix = ()

    def run(self, *words):
        return super().run(*self.prefix, *words)

    def confined(self, core):
        folder = Path(self.folder) / f"core{core}"
        folder.mkdir(exist_ok=True)
        other = DistBench(self.heddle, folder, self.seconds)
        other.prefix = ("taskset", "-c", core)
        return other


def rate(result):
    return (result["executions"] + result["blocked"]) / result["time_s"]


def between(before, result, after):
    """How many times the rate of what was measured right before and right after it: machines have better and worse minutes."""
    return 2 * rate(result) / (rate(before) + rate(after))


def at_once(searchers, program):
    """A whole search by each of them, at the same time."""
    with ThreadPoolExecutor(len(searchers)) as pool:
        return list(pool.map(lambda s: s.check(program, "-j1"), searchers))


def speed_up(bench, rounds, cores):
    confined = bench.confined(cores[0])
    for name, source, flags, expected in SEARCHES:
        program = bench.compile(str(source), name, *flags, f"-I{PROGRAMS}")

        def measure(watch):
            def rates_of(one, *jobs):
                results = [watch(searcher.check, program, j) for searcher, j in ((one, "-j1"), *jobs, (one, "-j1"))]
                for result in results:
                    if result["executions"] != expected:
                        sys.exit(f"{name}: {result['executions']} executions instead of {expected}")
                return results

            before, pair, after = rates_of(confined, (bench, "-j2"))
            free, all_cores, freed = rates_of(bench, (bench, f"-j{len(cores)}"))
            apart = watch(at_once, [bench.confined(core) for core in cores[:2]], program)
            return {
                "two": between(before, pair, after),
                "many": between(free, all_cores, freed),
                "apart": 2 * sum(rate(r) for r in apart) / (rate(before) + rate(after)),
                "redundant": pair["distribution"]["redundant"] / expected,
            }

        quiet = QuietRounds(rounds, measure)
        figure(f"{name}_j2_over_one_worker_confined_to_one_core", quiet.median("two"), f"x (asked: at least 1.7; {quiet.text})")
        figure(f"{name}_two_separate_searches_over_one", quiet.median("apart"), "x (what the machine gives)")
        figure(f"{name}_j{len(cores)}_over_one_unconfined_worker", quiet.median("many"), "x (asked: at least 1)")
        figure(f"{name}_redundant", 100 * quiet.most("redundant"), "% (asked: below 1)")


def updates(bench, rounds):
    """The plain and the aggressive update of backtrack sets (003 figs. 1 and 8) on the bounded buffer."""
    program = bench.compile(str(SOURCES / "bbuf.c"), "bbuf_3_3", "-DPRODUCERS=3", "-DCONSUMERS=3", f"-I{PROGRAMS}")
    for update in ("plain", "aggressive"):
        results = [bench.check(program, "-j2", "--algorithm", "dpor", f"--update={update}") for _ in range(rounds)]
        figure(f"bbuf_3_3_dpor_{update}_time", statistics.median(r["time_s"] for r in results), "s")
        figure(f"bbuf_3_3_dpor_{update}_executions", results[0]["executions"], "executions")
        figure(f"bbuf_3_3_dpor_{update}_redundant", statistics.median(r["distribution"]["redundant"] for r in results), "runs")
        figure(f"bbuf_3_3_dpor_{update}_units", statistics.median(r["distribution"]["units"] for r in results), "units")


def bounded_buffer_to_the_end(bench):
    program = bench.compile(str(SOURCES / "bbuf.c"), "bbuf_4_4", "-DPRODUCERS=4", "-DCONSUMERS=4", f"-I{PROGRAMS}")
    result = bench.check(program, "-j2")
    figure("bbuf_4_4_to_the_end_executions", result["executions"], "executions (003: 1938816)")
    figure("bbuf_4_4_to_the_end_time", result["time_s"], "s with -j 2 (003: 39710 with one process)")
    figure("bbuf_4_4_to_the_end_redundant", 100 * result["distribution"]["redundant"] / result["executions"], "%")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        bench = DistBench(Path(arguments.heddle).resolve(), folder, 2)
        speed_up(bench, arguments.rounds, cores)
        updates(bench, arguments.rounds)
        if arguments.long:
            bounded_buffer_to_the_end(bench)


if __name__ == "__main__":
    main()
