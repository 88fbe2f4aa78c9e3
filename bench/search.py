#!/usr/bin/env python3
"""The search's figures: exhaustive searches with `optimal` against a bare fork, end to end.

    search.py --heddle PATH/heddle [--rounds N]

Prints `figure NAME VALUE UNIT`, one a line: executions per second of each search as a ratio to the fork rate measured before and after
it in the same run (median over the rounds), the number of executions (which is the number of traces), and the tool's memory; then
how the time of an execution and the memory grow with the length of the trace.
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


# Programs with many races in a trace: crossing has one for every two steps of the first run; in a run of counter (the engine's
# steps.c) every step of a thread conflicts with every step of the other.
LONG_PROGRAMS = {"crossing": SOURCES / "crossing.c", "counter": HERE / "engine" / "steps.c"}
STEPS = (10, 100, 1000, 10000)


def time_by_length(bench, rounds):
    """Time of an execution by the length of the trace, first run included; linear if the cost per added step stays the same."""
    for name, source in LONG_PROGRAMS.items():
        programs = {s: bench.compile(str(source), f"{name}_{s}", f"-DSTEPS={s}") for s in STEPS}
        for algorithm in ("dpor", "source", "optimal"):
            times, rss = {}, {}
            for steps, program in programs.items():
                limit = max(200, 200000 // steps)
                samples = []
                for _ in range(rounds):
                    start_up = bench.check(programs[10], "--algorithm", algorithm, "--max-executions", 1)["time_s"]
                    result = bench.check(program, "--algorithm", algorithm, "--max-executions", limit)
                    samples.append((result["time_s"] - start_up) / (result["executions"] + result["blocked"]))
                times[steps], rss[steps] = statistics.median(samples), result["peak_rss_kb"]
                figure(f"{algorithm}_{name}_execution_of_{steps}_steps", times[steps] * 1e6, "us")
            costs = [(times[b] - times[a]) / (b - a) for a, b in zip(STEPS, STEPS[1:])]
            figure(f"{algorithm}_{name}_cost_per_added_step_1000_to_10000_over_100_to_1000", costs[2] / costs[1], "x")
            figure(f"{algorithm}_{name}_rss_at_10000_over_1000_steps", rss[10000] / rss[1000], "x")


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
        time_by_length(bench, arguments.rounds)


if __name__ == "__main__":
    main()
