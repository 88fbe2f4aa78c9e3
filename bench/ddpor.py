#!/usr/bin/env python3
"""Distributed search: ranks of mpirun on this machine, and a simulation of 2 to 4,096 workers.

    ddpor.py --heddle PATH/heddle [--rounds N]            mpirun -np 3 against one worker that is confined to one processor
    ddpor.py --heddle PATH/heddle --simulate    speed-up curves from recorded searches, as SVG files in --out

The simulation records the tree of work of real searches with what each run cost (heddle check --record-tree, confined to one processor so that
nobody spins), and replays it with the real balancer in simulated time (bench/ddpor_simulator). 003 figs. 10 to 12 are the shapes to compare with.
Prints `figure NAME VALUE UNIT`, one a line.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from dist import between
from engine import Bench, figure
from plot import Axis, Chart
from quiet import QuietRounds

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "search"
PROGRAMS = HERE.parent / "tests" / "programs"
WORKERS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
UPDATES = ("plain", "aggressive")

# name, title, source, flags
SEARCHES = [
    ("indexer_16", "indexer, 16 threads", "indexer.c", ["-DN=16"]),
    ("fsbench_26", "fsbench, 26 threads", "fsbench.c", ["-DN=26"]),
    ("downloader", "downloader, 5 threads", "downloader.c", []),
    ("bbuf_4_4", "bounded buffer, 4 producers and 4 consumers", "bbuf.c", ["-DPRODUCERS=4", "-DCONSUMERS=4"]),
]
# 10,020,672 runs: the paper's buffer, with as many slots as there (docs/papers.md)
TEN_MILLION = ("bbuf_4_4_slots_2", "bounded buffer, 4 + 4, 2 slots", "bbuf.c", ["-DPRODUCERS=4", "-DCONSUMERS=4", "-DSLOTS=2"])


# --- ranks on this machine ------------------------------------------------------------------------------------------------

def ranks_against_one_worker(bench, rounds):
    mpirun = shutil.which("mpirun")
    if not mpirun:
        sys.exit("ddpor: there is no mpirun")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    open_mpi = "Open MPI" in bench.run(mpirun, "--version")[1]
    many = [mpirun, *(["--oversubscribe", "-q"] if open_mpi else []), "-np", "3"]
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    for name, source, flags in [("indexer_16", "indexer.c", ["-DN=16"]), ("factorial_8", "factorial.c", ["-DN=8"])]:
        program = bench.compile(str(SOURCES / source), name, *flags, f"-I{PROGRAMS}")

        def measure(watch):
            before = watch(bench.check_with, one, program, "-j1")
            ranks = watch(bench.check_with, many, program)
            after = watch(bench.check_with, one, program, "-j1")
            return {"ratio": between(before, ranks, after), "redundant": ranks["distribution"]["redundant"] / ranks["executions"]}

        quiet = QuietRounds(rounds, measure)
        figure(f"{name}_mpirun_np_3_over_one_confined_worker", quiet.median("ratio"), f"x (asked: at least 1.7; {quiet.text})")
        figure(f"{name}_mpirun_np_3_redundant", 100 * quiet.most("redundant"), "% (asked: below 1)")


# --- thousands of workers -------------------------------------------------------------------------------------------------

class Simulator:
    def __init__(self, bench, program, latency_us):
        self.bench, self.program, self.latency_us = bench, program, latency_us

    def record(self, program, file, *options):
        """A confined worker's search, unless it was recorded before."""
        if not file.exists():
            scratch = file.with_suffix(".part")
            self.bench.check_with(["taskset", "-c", str(min(os.sched_getaffinity(0)))], program, "--record-tree", scratch, *options)
            scratch.rename(file)
        return file

    def replay(self, tree, workers, *options):
        """Number of runs, seconds of work, and a dict of figures for each number of workers."""
        code, out, err = self.bench.run(self.program, "--tree", tree, "--latency-us", self.latency_us, *options, *workers)
        if code != 0:
            sys.exit(f"the simulation of {tree} failed:\n{err}")
        lines = [line.split() for line in out.splitlines()]
        names = "speedup units messages bytes largest balancer workers time service".split()
        return int(lines[0][1]), float(lines[0][2]), {int(l[0]): dict(zip(names, map(float, l[1:]))) for l in lines[1:]}


def simulate(bench, simulator, trees, out, names):
    for name, title, source, flags in SEARCHES:
        if names and name not in names:
            continue
        program = bench.compile(str(SOURCES / source), name, *flags, f"-I{PROGRAMS}")
        chart = Chart(f"{title}: speed-up by workers (simulated)", Axis("workers", log=True), Axis("speed-up over one worker", log=True))
        most = 2
        for update in UPDATES:
            tree = simulator.record(program, trees / f"{name}.{update}.tree", "--algorithm", "dpor", "--update", update)
            runs, seconds, results = simulator.replay(tree, WORKERS)
            chart.add(f"{update} update, {runs} runs of {seconds / runs * 1e6:.0f} µs", [(n, r["speedup"]) for n, r in results.items()])
            most = max(most, *(n for n, r in results.items()))
            for n in (16, 64, 256, 1024, 4096):
                figure(f"{name}_{update}_speedup_of_{n}_workers", results[n]["speedup"], "x")
        if name == "bbuf_4_4":
            tree = simulator.record(program, trees / f"{name}.optimal.tree", "--algorithm", "optimal")
            runs, seconds, results = simulator.replay(tree, WORKERS)
            chart.add(f"optimal, {runs} runs of {seconds / runs * 1e6:.0f} µs", [(n, r["speedup"]) for n, r in results.items()])
            figure(f"{name}_executions", runs, "executions")
            figure(f"{name}_optimal_speedup_of_64_workers", results[64]["speedup"], "x")
        chart.guide("ideal", [(1, 1), (most, most)])
        chart.write(out / f"ddpor_{name}.svg")
    if not names or TEN_MILLION[0] in names:
        ten_million(bench, simulator, trees, out)


def ten_million(bench, simulator, trees, out):
    name, title, source, flags = TEN_MILLION
    program = bench.compile(str(SOURCES / source), name, *flags, f"-I{PROGRAMS}")
    tree = simulator.record(program, trees / f"{name}.optimal.tree", "--algorithm", "optimal")
    runs, seconds, results = simulator.replay(tree, WORKERS)
    chart = Chart(f"{title}, {runs} runs: efficiency by workers (simulated)", Axis("workers", log=True),
                  Axis("speed-up / workers", low=0, high=1.3))
    chart.add(f"efficiency, runs of {seconds / runs * 1e6:.0f} µs", [(n, r["speedup"] / n) for n, r in results.items()])
    chart.add("part of the time that the balancer works", [(n, r["balancer"]) for n, r in results.items()])
    chart.guide("ideal", [(2, 1), (max(results), 1)])
    chart.write(out / "ddpor_ten_million.svg")
    figure("ten_million_executions", runs, "executions")
    figure("ten_million_efficiency_of_1024_workers", results[1024]["speedup"] / 1024, "")
    figure("ten_million_balancer_busy_with_1024_workers", results[1024]["balancer"], "")
    figure("balancer_time_for_a_report_with_1024_workers", results[1024]["service"], "us")
    figure("largest_message", max(r["largest"] for r in results.values()), "bytes")


class RankBench(Bench):
    def check_with(self, starter, program, *options):
        file = self.folder / "result.json"
        code, out, err = self.run(*starter, self.heddle, "check", "--quiet", "--json", file, *options, program)
        if code not in (0, 3):
            sys.exit(f"heddle check {program} ended with {code}:\n{out}{err}")
        return json.loads(file.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--simulate", action="store_true", help="record searches and replay them over many workers")
    parser.add_argument("--only", nargs="*", default=[], help="simulate only these searches")
    parser.add_argument("--latency-us", type=float, default=20, help="of a message between two simulated machines")
    parser.add_argument("--trees", help="a folder that keeps the recordings; what is there is not recorded again")
    parser.add_argument("--out", default=".", help="where the charts go")
    arguments = parser.parse_args()
    heddle = Path(arguments.heddle).resolve()
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
        bench = RankBench(heddle, folder, 2)
        if not arguments.simulate:
            return ranks_against_one_worker(bench, arguments.rounds)
        trees = Path(arguments.trees or folder).resolve()
        trees.mkdir(parents=True, exist_ok=True)
        out = Path(arguments.out)
        out.mkdir(parents=True, exist_ok=True)
        simulate(bench, Simulator(bench, heddle.parent / "bench" / "ddpor_simulator", arguments.latency_us), trees, out, arguments.only)


if __name__ == "__main__":
    main()
