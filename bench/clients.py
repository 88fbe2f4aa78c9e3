#!/usr/bin/env python3
"""Paper 001's experiment in C++: bounded clients of concurrent data structures under the stateful algorithms.

    clients.py --heddle PATH/heddle [--clients 75] [--buggy 8] [--limit SECONDS] [--seed N] [--out FOLDER] [--only ALGORITHM,…] [--budget SECONDS]

Runs every client under each algorithm with a time limit, writes results.json and the plots of 001 figs. 5 to 10 (SVG) into the folder,
and prints `figure NAME VALUE UNIT`, among them the average speed-up of dl-spor over spor (the paper: 2.6).
With --budget it ends after that time, and goes on when it is called again with the same folder: what is in results.json is not run again.
A run that reaches its limit counts with the limit in the plots and not at all in the speed-up, as in the paper.
"""
import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

from client_family import DEGREES, SOURCES, STRUCTURES, sample_buggy_clients, sample_clients
from engine import Bench, figure
from plot import Axis, Chart

STATELESS = ("source", "optimal")
ALGORITHMS = ("spor", "dl-spor", "de-spor", "o-dpor", "source")
ORDERS = ("sequential", "random:1")


class Runner:
    def __init__(self, bench, limit, out, budget):
        self.bench, self.limit, self.out, self.programs = bench, limit, out, {}
        self.end = time.monotonic() + budget
        self.file = out / "results.json"
        self.results = json.loads(self.file.read_text()) if budget < math.inf and self.file.exists() else []
        self.known = {self.key(r): r for r in self.results}

    def key(self, result):
        return tuple(result[k] for k in ("client", "algorithm", "order", "stop_at", "degree", "limit_s"))

    def program(self, structure):
        if structure.name not in self.programs:
            source = str(SOURCES / "client.cpp")
            self.programs[structure.name] = self.bench.compile(source, structure.name, *structure.flags())
        return self.programs[structure.name]

    def run(self, client, algorithm, order="sequential", stop_at="all", degree="correct"):
        key = (client.name(), algorithm, order, stop_at, degree, self.limit)
        if key in self.known:
            return self.known[key]
        if time.monotonic() > self.end:
            sys.exit(f"the budget is spent after {len(self.results)} runs; the same command goes on")
        options = ["--algorithm", algorithm, "--timeout", self.limit, "--stop-at", stop_at]
        if algorithm not in STATELESS:
            options += ["--order", order]
        found = self.bench.check(self.program(client.structure), *options, arguments=client.arguments(), may_fail=True)
        kinds = sorted({f["kind"] for f in found["findings"]})
        result = {"client": client.name(), "structure": client.structure.name, "algorithm": algorithm, "order": order, "stop_at": stop_at,
                  "degree": degree, "limit_s": self.limit, "finished": found["verdict"] != "incomplete", "verdict": found["verdict"], "findings": kinds,
                  "time_s": found["time_s"], "executions": found["executions"], "peak_rss_kb": found["peak_rss_kb"],
                  "states": found.get("states"), "transitions": found.get("transitions")}
        self.results.append(result)
        self.file.write_text(json.dumps(self.results, indent=1) + "\n")
        return result


def compare_on_correct_clients(runner, clients, algorithms):
    rows = [{a: runner.run(c, a) for a in algorithms} for c in clients]  # algorithms in turn: what disturbs the machine disturbs all of them
    table = {a: [row[a] for row in rows] for a in algorithms}
    for algorithm, results in table.items():
        disagree = [r["client"] for r in results if r["finished"] and r["verdict"] != "verified"]
        for name in disagree:
            print(f"# {algorithm} does not verify: {name}", flush=True)
        figure(f"clients_{algorithm}_verified", sum(r["verdict"] == "verified" for r in results), f"of {len(clients)}")
        figure(f"clients_{algorithm}_time", sum(r["time_s"] for r in results), "s")
    return table


def speed_up(table, slow, fast, limit):
    """Average over the clients that both finish, client by client. Clients that only the fast one finishes are not in it."""
    pairs = [(a["time_s"], b["time_s"]) for a, b in zip(table[slow], table[fast]) if a["finished"] and b["finished"]]
    if not pairs:
        return
    figure(f"clients_speed_up_{fast}_over_{slow}", statistics.mean(s / f for s, f in pairs), "x")
    figure(f"clients_speed_up_{fast}_over_{slow}_median", statistics.median(s / f for s, f in pairs), "x")
    figure(f"clients_finished_by_{fast}_not_{slow}", sum(b["finished"] and not a["finished"]
                                                          for a, b in zip(table[slow], table[fast])), "clients")


def quantiles(table, title, value, label, path):
    chart = Chart(title, Axis("clients, fastest first"), Axis(label, log=True))
    for algorithm, results in table.items():
        values = sorted(value(r) for r in results if r["finished"])
        chart.add(f"{algorithm} ({len(values)})", enumerate(values, 1))
    chart.write(path)


def scatter(table, x, y, title, value, label, path):
    chart = Chart(title, Axis(f"{x}: {label}", log=True), Axis(f"{y}: {label}", log=True), width=520, height=500)
    points = [(value(a), value(b)) for a, b in zip(table[x], table[y])]
    chart.add("a client", points, line=False)
    ends = [min(min(p) for p in points), max(max(p) for p in points)]
    chart.guide("equal", [(v, v) for v in ends])
    chart.write(path)


def time_of(result):
    return max(result["time_s"], 1e-3)


def memory_of(result):
    return result["peak_rss_kb"] / 1024


def plots_of_correct_clients(table, out):
    main = {a: r for a, r in table.items() if a in ("spor", "dl-spor", "de-spor", "source")}
    quantiles(main, "Time of verification (001 fig. 5)", time_of, "seconds", out / "fig5-time-quantiles.svg")
    quantiles(table, "Time of verification, every algorithm (001 fig. 6)", time_of, "seconds", out / "fig6-time-quantiles-all.svg")
    quantiles(main, "Memory of the tool (001 fig. 7)", memory_of, "MB", out / "fig7-memory-quantiles.svg")
    quantiles(table, "Memory of the tool, every algorithm (001 fig. 8)", memory_of, "MB", out / "fig8-memory-quantiles-all.svg")
    if "spor" in table and "dl-spor" in table:
        scatter(table, "spor", "dl-spor", "Time, client by client (001 fig. 5)", time_of, "seconds", out / "fig5-time-scatter.svg")
        scatter(table, "spor", "dl-spor", "Memory, client by client (001 fig. 7)", memory_of, "MB", out / "fig7-memory-scatter.svg")


def compare_orders(runner, buggy, out):
    """001 figs. 9 and 10: dl-spor with both orders, to the end and to the first error."""
    for stop_at, number in (("all", 9), ("first", 10)):
        for degree in DEGREES:
            if stop_at == "first" and degree == "none":
                continue
            table = {order: [runner.run(c, "dl-spor", order, stop_at, degree) for c in buggy[degree]] for order in ORDERS}
            for order, results in table.items():
                name = order.split(":")[0]
                figure(f"clients_{degree}_wrong_{stop_at}_{name}_time", sum(r["time_s"] for r in results), "s")
                figure(f"clients_{degree}_wrong_{stop_at}_{name}_buggy", sum(bool(r["findings"]) for r in results), f"of {len(results)}")
            what = "all states" if stop_at == "all" else "until the first error"
            scatter(table, *ORDERS, f"Orders, {what}, {degree} of the calls wrong (001 fig. {number})", time_of, "seconds",
                    out / f"fig{number}-orders-{degree}.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--clients", type=int, default=75)
    parser.add_argument("--buggy", type=int, default=8, help="clients for each degree of wrong calls")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one run")
    parser.add_argument("--calls", type=int, default=5, help="at most so many calls a thread")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(ALGORITHMS))
    parser.add_argument("--out", default="bench-clients")
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds for this call")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Bench(Path(arguments.heddle).resolve(), folder, 1), arguments.limit, out, arguments.budget)
        clients = sample_clients(arguments.clients, arguments.seed, arguments.calls)
        table = compare_on_correct_clients(runner, clients, arguments.only.split(","))
        if "spor" in table and "dl-spor" in table:
            speed_up(table, "spor", "dl-spor", arguments.limit)
        if "de-spor" in table and "dl-spor" in table:
            speed_up(table, "de-spor", "dl-spor", arguments.limit)
        plots_of_correct_clients(table, out)
        if "dl-spor" in table:
            compare_orders(runner, sample_buggy_clients(arguments.buggy, arguments.seed), out)


if __name__ == "__main__":
    main()
