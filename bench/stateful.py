#!/usr/bin/env python3
"""The stateful searches' figures: every algorithm on the programs of 000, beside the paper's table 1.

    stateful.py --heddle PATH/heddle

Prints `figure NAME VALUE UNIT`, one a line. Transitions are compared with the states that stateful dfs counts on the same program.
Times are of one run on whatever else the machine does; ratios are within one run.
"""
import argparse
import tempfile
from pathlib import Path

from engine import Bench, figure

SOURCES = Path(__file__).resolve().parent / "stateful"
STATEFUL = ["spor", "dl-spor", "de-spor", "o-dpor", "sdpor"]

PAPER = """\
# 000, table 1            DPOR runs  transitions    SDPOR runs  transitions  re-visited
#   example1 (N=64)               -            -            35        2,084          12
#   sharedArray                   -            -            98       18,557          33
#   bbuf                     47,096    1,058,962        16,246      349,717         669
# What differs here: a visible operation is one atomic access, lock or signal (there: each access to a global, with its own transition
# before and after); nothing stops at the first error; thread creation and joins are transitions too; and states are fingerprints of
# the whole program, where the paper's light-weight local states tell some equal ones apart (few re-visits)."""


def whole_space(bench, name, source, *flags):
    """Every stateful algorithm to the end; how many transitions that takes for each state there is."""
    program = bench.compile(str(SOURCES / source), name, *flags)
    dfs = bench.check(program, "--algorithm", "dfs", "--state", "exact")
    figure(f"{name}_states_of_dfs", dfs["states"], "states")
    for algorithm in STATEFUL:
        result = bench.check(program, "--algorithm", algorithm)
        figure(f"{name}_{algorithm}_verified", result["verdict"] == "verified", "(1: yes)")
        figure(f"{name}_{algorithm}_transitions_per_dfs_state", result["transitions"] / dfs["states"], "(at most 2.2)")
        figure(f"{name}_{algorithm}_runs", result["executions"] + result["revisits"], "runs")
        figure(f"{name}_{algorithm}_time", result["time_s"], "s")
    stateless = bench.check(program, "--algorithm", "dpor", "--timeout", "60")
    figure(f"{name}_stateless_dpor_executions_in_60_s", stateless["executions"], stateless["verdict"])
    print(PAPER, flush=True)


def bounded_buffer(bench):
    program = bench.compile(str(SOURCES / "bbuf.c"), "bbuf")
    dpor = bench.check(program, "--algorithm", "dpor", "--visible", "all", "--timeout", "120")
    sdpor = bench.check(program, "--algorithm", "sdpor", "--timeout", "120")
    runs = sdpor["executions"] + sdpor["revisits"] + sdpor["blocked"]
    figure("bbuf_dpor_executions", dpor["executions"], dpor["verdict"])
    figure("bbuf_sdpor_runs", runs, sdpor["verdict"])
    figure("bbuf_dpor_executions_per_sdpor_run", dpor["executions"] / runs, "x (the paper: 2.9)")


def against_optimal(bench, name, source, *flags):
    """How much sooner auto is verified than optimal, in one run."""
    program = bench.compile(str(SOURCES / source), name, *flags)
    auto = bench.check(program, "--timeout", "120")
    optimal = bench.check(program, "--algorithm", "optimal", "--timeout", "120")
    figure(f"{name}_auto", auto["time_s"], f"s, {auto['verdict']} by {auto['algorithm']}")
    figure(f"{name}_optimal", optimal["time_s"], f"s, {optimal['verdict']}")
    figure(f"{name}_auto_sooner_than_optimal", optimal["time_s"] / auto["time_s"], "x (at least 100)")


def cost_of_capture(bench):
    """Time per transition with states captured against the stateless search on the same program."""
    program = bench.compile(str(SOURCES / "counter.c"), "capture", "-DTHREADS=3", "-DTIMES=2")
    def per_transition(*options):
        result = bench.check(program, "--visible", "all", *options)
        return result["time_s"] / (result["transitions"] + result["replayed"])
    ratios = sorted(per_transition("--algorithm", "dfs", "--state", "exact", "--order", "random") / per_transition("--algorithm", "optimal") for _ in range(3))
    figure("capture_time_per_transition_against_stateless", ratios[1], "x (at most 4)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(arguments.heddle).resolve(), folder, arguments.seconds)
        whole_space(bench, "example1_64", "example1.c", "-DN=64")
        whole_space(bench, "shared_array", "shared_array.c")
        bounded_buffer(bench)
        against_optimal(bench, "counter_3x3", "counter.c")
        against_optimal(bench, "example1_30", "example1.c", "-DN=30")
        cost_of_capture(bench)


if __name__ == "__main__":
    main()
