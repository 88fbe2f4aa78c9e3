#!/usr/bin/env python3
"""The search's figures: exhaustive searches with `optimal` against a bare fork, end to end.

    search.py --heddle PATH/heddle [--rounds N]

Prints `figure NAME VALUE UNIT`, one a line: executions per second of each search as a ratio to the fork rate measured before and after
it in the same run (median over the rounds), the number of executions (which is the number of traces), and the tool's memory.
"""
import argparse
import statistics
import tempfile
from pathlib import Path

from engine import Bench, figure

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "search"
PROGRAMS = HERE.parent / "tests" / "programs"  # the headers of the classics

# name, source, flags, executions that the program has
SEARCHES = [
    ("factorial_8_threads", SOURCES / "factorial.c", ["-DN=8"], 40320),
    ("indexer_16_threads", SOURCES / "indexer.c", ["-DN=16"], 32768),
    ("fsbench_26_threads", SOURCES / "fsbench.c", ["-DN=26"], 8192),
]


def search_against_fork(bench, rounds):
    fork = bench.compile("fork_rate.c", "fork_rate", instrumented=False)
    for name, source, flags, expected in SEARCHES:
        program = bench.compile(str(source), name, *flags, f"-I{PROGRAMS}")
        rates, ratios = [], []
        for _ in range(rounds):
            before = bench.fork_rate(fork)
            result = bench.check(program, "--algorithm", "optimal")
            yardstick = (before + bench.fork_rate(fork)) / 2
            rates.append(result["executions"] / result["time_s"])
            ratios.append(rates[-1] / yardstick)
        figure(f"{name}_executions", result["executions"], f"of {expected}")
        figure(f"{name}_redundant", result["blocked"], "executions")
        figure(f"{name}_rate", statistics.median(rates), "1/s")
        figure(f"{name}_executions_per_fork", statistics.median(ratios), "x")
        figure(f"{name}_rss", result["peak_rss_kb"], "kB")


def memory_of_optimal(bench):
    """The explorer's memory follows the depth of the search, not the number of executions."""
    for threads in (5, 7, 8):
        program = bench.compile(str(SOURCES / "factorial.c"), f"factorial_{threads}", f"-DN={threads}")
        result = bench.check(program, "--algorithm", "optimal")
        figure(f"factorial_{threads}_rss_after_{result['executions']}_executions", result["peak_rss_kb"], "kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(arguments.heddle).resolve(), folder, arguments.seconds)
        search_against_fork(bench, arguments.rounds)
        memory_of_optimal(bench)


if __name__ == "__main__":
    main()
