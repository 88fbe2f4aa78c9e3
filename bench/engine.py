#!/usr/bin/env python3
"""The engine's figures: executions per second against a bare fork, cost of a step, memory, the race detector's fast path.

    engine.py --heddle PATH/heddle [--seconds S] [--rounds N]

Prints `figure NAME VALUE UNIT`, one a line. Times of this machine mean little by themselves; what an issue asks for is
printed as a ratio of two things measured in turns within this run, as the median over the rounds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "engine"
STEPS = (10, 100, 1000, 10000)


def figure(name, value, unit):
    print(f"figure {name} {value:.6g} {unit}", flush=True)


class Bench:
    def __init__(self, heddle, folder, seconds):
        self.heddle, self.folder, self.seconds = heddle, Path(folder), seconds

    def run(self, *words):
        result = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    def compile(self, source, name, *flags, instrumented=True):
        target = self.folder / name
        compiler = "c++" if source.endswith(".cpp") else "cc"
        command = [self.heddle, compiler] if instrumented else ["gcc"]
        code, out, err = self.run(*command, "-O2", "-g", *flags, SOURCES / source, "-o", target, "-pthread")
        if code != 0:
            sys.exit(f"cannot compile {source}:\n{out}{err}")
        return target

    def check(self, program, *options, arguments=(), may_fail=False):
        """The JSON of one `heddle check`: verified, incomplete, or with findings where they `may_fail`."""
        file = self.folder / "result.json"
        code, out, err = self.run(self.heddle, "check", "--quiet", "--json", file, "--trace-dir", self.folder, *options, program, *arguments)
        if code not in ((0, 1, 3) if may_fail else (0, 3)):
            sys.exit(f"heddle check {program} ended with {code}:\n{out}{err}")
        return json.loads(file.read_text())

    def random(self, program, executions):
        return self.check(program, "--algorithm", "random", "--max-executions", executions)

    def rate(self, program):
        """Executions per second of random search, start-up included, over about `seconds`."""
        result = self.check(program, "--algorithm", "random", "--timeout", self.seconds)
        return result["executions"] / result["time_s"]

    def fork_rate(self, program):
        return float(self.run(program, self.seconds / 2)[1])


def executions_against_fork(bench, rounds):
    fork = bench.compile("fork_rate.c", "fork_rate", instrumented=False)
    programs = {"c": bench.compile("counter_mutex.c", "counter_c"), "cpp": bench.compile("counter_mutex.cpp", "counter_cpp")}
    fork_rates, rates, ratios = [], {n: [] for n in programs}, {n: [] for n in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            before = bench.fork_rate(fork)
            rate = bench.rate(program)
            yardstick = (before + bench.fork_rate(fork)) / 2  # before and after: the machine may be shared
            fork_rates.append(yardstick)
            rates[name].append(rate)
            ratios[name].append(rate / yardstick)
    figure("fork_waitpid_rate", statistics.median(fork_rates), "1/s")
    for name in programs:
        figure(f"counter_mutex_{name}_executions", statistics.median(rates[name]), "1/s")
        figure(f"counter_mutex_{name}_executions_per_fork", statistics.median(ratios[name]), "x")


def cost_of_a_step(bench, rounds):
    """Time of an execution by its length; linear if the cost per added step stays the same."""
    times = {}
    for steps in STEPS:
        program = bench.compile("steps.c", f"steps_{steps}", f"-DSTEPS={steps}")
        executions = max(500, 400000 // steps)
        samples = []
        for _ in range(rounds):
            short, long = bench.random(program, 1), bench.random(program, executions + 1)
            samples.append((long["time_s"] - short["time_s"]) / executions)
        times[steps] = statistics.median(samples)
        figure(f"execution_of_{steps}_steps", times[steps] * 1e6, "us")
    costs = []
    for few, many in zip(STEPS, STEPS[1:]):
        costs.append((times[many] - times[few]) / (many - few))
        figure(f"cost_per_added_step_{few}_to_{many}", costs[-1] * 1e9, "ns")
    figure("cost_per_added_step_last_over_first", costs[-1] / costs[0], "x")


def memory_of_random(bench):
    program = bench.compile("counter_mutex.c", "counter_memory")
    few = bench.random(program, 10**4)["peak_rss_kb"]
    many = bench.random(program, 10**6)["peak_rss_kb"]
    figure("tool_rss_after_1e4_random_executions", few, "kB")
    figure("tool_rss_after_1e6_random_executions", many, "kB")
    figure("tool_rss_growth_1e4_to_1e6", many / few, "x")


def private_buffer(bench, rounds):
    """Cost of a pass over the buffer with and without heddle, from two lengths so that start-up cancels out."""
    few, many = 10, 110
    plain, checked = {}, {}
    for passes in (few, many):
        plain[passes] = bench.compile("private_buffer.c", f"buffer_plain_{passes}", f"-DPASSES={passes}", "-fno-tree-vectorize", instrumented=False)
        checked[passes] = bench.compile("private_buffer.c", f"buffer_{passes}", f"-DPASSES={passes}", "-fno-tree-vectorize")

    def plain_time(program):
        start = time.perf_counter()
        bench.run(program)
        return time.perf_counter() - start

    def slope(measure, programs):
        return (measure(programs[many]) - measure(programs[few])) / (many - few)

    ratios, bare, instrumented = [], [], []
    for _ in range(rounds):
        bare.append(slope(plain_time, plain))
        instrumented.append(slope(lambda p: bench.check(p)["time_s"], checked))
        ratios.append(instrumented[-1] / bare[-1])
    figure("private_1MB_buffer_pass_uninstrumented", statistics.median(bare) * 1e6, "us")
    figure("private_1MB_buffer_pass_under_check", statistics.median(instrumented) * 1e6, "us")
    figure("private_1MB_buffer_slowdown", statistics.median(ratios), "x")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=os.environ.get("HEDDLE", "heddle"))
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
        bench = Bench(arguments.heddle, folder, arguments.seconds)
        executions_against_fork(bench, arguments.rounds)
        cost_of_a_step(bench, rounds=min(3, arguments.rounds))
        memory_of_random(bench)
        private_buffer(bench, arguments.rounds)


if __name__ == "__main__":
    main()
