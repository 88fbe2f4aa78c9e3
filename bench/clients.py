#!/usr/bin/env python3
"""Paper 001's experiment in C++: bounded clients of concurrent data structures under the stateful algorithms, in both orders.

    clients.py --heddle PATH/heddle [--clients 75] [--buggy 8] [--limit SECONDS] [--seed N] [--out FOLDER] [--budget SECONDS] [--fresh]

Three parts. Correct clients to the end under every algorithm: figs. 5 to 8. Clients with all, half, one or none of their calls wrong, until the first error
under every algorithm. dl-spor with all six permutations of the threads and three random orders: figs. 9 (all states) and 10 (until the first error).
Writes results.json and the plots (SVG) into the folder, and prints `figure NAME VALUE UNIT`, among them the average speed-up of dl-spor over spor (the
paper: 2.6), by time and by states.

What is in the folder's results.json was run by this very heddle and is not run again: a call that ends early, or after --budget, is taken up by the next one.
A run that reaches its limit counts with the limit in scatter plots, and not at all in quantiles and speed-ups, as in the paper. Figs. 6 and 8 of the paper show
what safe sets bring; here they show every algorithm in both orders instead, since safe sets cannot be switched off.
"""
import argparse
import hashlib
import itertools
import json
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

from client_family import DEGREES, SOURCES, THREADS, sample_buggy_clients, sample_clients
from engine import Bench, figure
from plot import Axis, Chart

STATELESS = ("source",)
ALGORITHMS = ("spor", "dl-spor", "de-spor", "o-dpor", "source")
ORDERS = ("sequential", "random:1")
# Thread 0 is main, which creates the others first and joins them last.
PERMUTATIONS = ["sequential:" + ",".join(map(str, (*p, 0))) for p in itertools.permutations(range(1, THREADS + 1))]
SEEDS = [f"random:{seed}" for seed in (1, 2, 3)]


class Budget(Exception):
    """Time is up; the same command goes on."""


class Runner:
    """Runs clients, each once: what is known from the file is not run again."""

    def __init__(self, bench, limit, out, budget, fresh):
        self.bench, self.limit, self.programs = bench, limit, {}
        self.end = time.monotonic() + budget
        self.file = out / "results.json"
        self.build = hashlib.sha256(Path(bench.heddle).read_bytes()).hexdigest()[:16]
        stored = json.loads(self.file.read_text()) if self.file.exists() and not fresh else []
        self.results = [r for r in stored if r.get("build") == self.build]
        self.known = {self.key(r): r for r in self.results}

    @staticmethod
    def key(result):
        return tuple(result[k] for k in ("client", "algorithm", "order", "stop_at", "limit_s"))

    def program(self, structure):
        if structure.name not in self.programs:
            source = str(SOURCES / "client.cpp")
            self.programs[structure.name] = self.bench.compile(source, structure.name, *structure.flags())
        return self.programs[structure.name]

    def run(self, client, algorithm, order="sequential", stop_at="all"):
        key = (client.name(), algorithm, order, stop_at, self.limit)
        if key not in self.known:
            self.known[key] = self.run_now(client, algorithm, order, stop_at)
        return self.known[key]

    def run_now(self, client, algorithm, order, stop_at):
        if time.monotonic() > self.end:
            raise Budget
        options = ["--algorithm", algorithm, "--timeout", self.limit, "--stop-at", stop_at]
        if algorithm not in STATELESS:
            options += ["--order", order]
        found = self.bench.check(self.program(client.structure), *options, arguments=client.arguments(), may_fail=True)
        ended = found["verdict"] != "incomplete" and (stop_at == "first" or found["time_s"] < self.limit)  # a bug does not end a search for all
        result = {"client": client.name(), "structure": client.structure.name, "algorithm": algorithm, "order": order, "stop_at": stop_at,
                  "limit_s": self.limit, "finished": ended, "verdict": found["verdict"], "build": self.build,
                  "findings": sorted({f["kind"] for f in found["findings"]}), "time_s": found["time_s"], "executions": found["executions"],
                  "peak_rss_kb": found["peak_rss_kb"], "states": found.get("states"), "transitions": found.get("transitions")}
        self.results.append(result)
        self.file.write_text(json.dumps(self.results, indent=1) + "\n")
        return result


def configurations(algorithms):
    """Of a search: algorithm and order. Stateless ones have none to choose."""
    return [(a, o) for a in algorithms for o in ORDERS if a not in STATELESS or o == ORDERS[0]]


def name_of(configuration):
    algorithm, order = configuration
    return algorithm if algorithm in STATELESS else f"{algorithm}_{order.split(':')[0]}"


def run_all(runner, clients, configured, stop_at):
    """configuration → results. In turns: what disturbs the machine disturbs all of them."""
    rows = [{c: runner.run(client, *c, stop_at) for c in configured} for client in clients]
    return {c: [row[c] for row in rows] for c in configured}


def disagreements(table):
    """Clients for which searches that came to an end do not say the same."""
    for results in zip(*table.values()):
        told = {r["verdict"] == "bug" for r in results if r["finished"]}
        if len(told) > 1:
            yield results[0]["client"]


def print_disagreements(table):
    wrong = list(disagreements(table))
    for client in wrong:
        print(f"# ALGORITHMS DISAGREE: {client}", flush=True)
    return len(wrong)


# --- correct clients -------------------------------------------------------------------------------------------------

def correct_clients(runner, clients, algorithms, out):
    table = run_all(runner, clients, configurations(algorithms), "all")
    for configuration, results in table.items():
        name = name_of(configuration)
        figure(f"clients_{name}_verified", sum(r["verdict"] == "verified" for r in results), f"of {len(clients)} within {runner.limit:g} s")
        figure(f"clients_{name}_time", sum(r["time_s"] for r in results), "s in all, limits included")
    for slow, fast in (("spor", "dl-spor"), ("de-spor", "dl-spor"), ("o-dpor", "dl-spor")):
        if slow in algorithms and fast in algorithms:
            speed_ups(table, slow, fast)
    plots_of_correct_clients(table, out)
    return print_disagreements(table)


def ratios(slow, fast, value):
    """Client by client, of those that both finish."""
    return [value(a) / value(b) for a, b in zip(slow, fast) if a["finished"] and b["finished"] and value(b)]


def speed_ups(table, slow, fast):
    for order in ORDERS:
        a, b = table[slow, order], table[fast, order]
        what = f"{fast}_over_{slow}_{order.split(':')[0]}"
        times, states = ratios(a, b, time_of), ratios(a, b, lambda r: r["states"])
        if times:
            figure(f"clients_speed_up_{what}", statistics.mean(times), f"x, the average over {len(times)} clients that both finish")
            figure(f"clients_speed_up_{what}_median", statistics.median(times), "x")
            figure(f"clients_fewer_states_{what}", statistics.mean(states), f"x, the average over {len(states)} clients")
        figure(f"clients_only_finished_by_{what.replace('_over_', '_not_')}", sum(y["finished"] and not x["finished"] for x, y in zip(a, b)), "clients")
        figure(f"clients_only_finished_by_{slow}_not_{fast}_{order.split(':')[0]}", sum(x["finished"] and not y["finished"] for x, y in zip(a, b)), "clients")


def time_of(result):
    return max(result["time_s"], 1e-3 if result["finished"] else result["limit_s"])


def memory_of(result):
    return max(result["peak_rss_kb"], 1024) / 1024  # nothing is told of a run whose limit is over before main


def quantiles(table, title, value, label, path, log=True):
    chart = Chart(title, Axis("clients, in ascending order"), Axis(label, log=log), width=900, legend_beside=225)
    for configuration, results in table.items():
        values = sorted(value(r) for r in results if r["finished"])
        dash = "6 3" if configuration[1] != ORDERS[0] else ""
        chart.add(f"{name_of(configuration).replace('_', ', ')} ({len(values)})", enumerate(values, 1), marks=False, dash=dash)
    chart.write(path)


def finished_by_all(table):
    """The clients that every search of the table finishes: memory is compared on these, as in the paper."""
    together = [row for row in zip(*table.values()) if all(r["finished"] for r in row)]
    return {c: [row[k] for row in together] for k, c in enumerate(table)}


def scatter(series, x, y, title, path, limit=None):
    """series: name → points."""
    chart = Chart(title, Axis(x, log=True), Axis(y, log=True), width=520, height=500)
    for name, points in series.items():
        chart.add(name, points, line=False)
    values = [v for points in series.values() for p in points for v in p] or [1]
    ends = [10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))]
    chart.guide("equal", [(v, v) for v in ends])
    if limit is not None and max(values) >= limit:
        chart.guide("the limit", [(limit, ends[0]), (limit, limit), (ends[0], limit)])
    chart.write(path)


def plots_of_correct_clients(table, out):
    def chosen(algorithms, orders):
        return {c: r for c, r in table.items() if c[0] in algorithms and c[1] in orders}
    paper = chosen(("spor", "dl-spor", "de-spor", "source"), ORDERS[:1])
    every = chosen(ALGORITHMS, ORDERS)
    quantiles(paper, "Time of verification (001 fig. 5)", time_of, "seconds", out / "fig5-time-quantiles.svg")
    quantiles(every, "Time, every algorithm and order (001 fig. 6)", time_of, "seconds", out / "fig6-time-quantiles-all.svg")
    quantiles(finished_by_all(paper), "Memory of the tool (001 fig. 7)", memory_of, "MB", out / "fig7-memory-quantiles.svg", log=False)
    lazy_or_eager = chosen(("spor", "dl-spor", "de-spor"), ORDERS)
    quantiles(finished_by_all(lazy_or_eager), "Memory, both orders (001 fig. 8)", memory_of, "MB", out / "fig8-memory-quantiles-all.svg", log=False)
    if ("spor", ORDERS[0]) not in table or ("dl-spor", ORDERS[0]) not in table:
        return
    limit = max(r["limit_s"] for results in table.values() for r in results)
    for value, label, file, most in ((time_of, "seconds", "fig5-time-scatter.svg", limit), (memory_of, "MB", "fig7-memory-scatter.svg", None)):
        series = {o.split(":")[0]: [(value(a), value(b)) for a, b in zip(table["spor", o], table["dl-spor", o])] for o in ORDERS}
        number = file[3]
        scatter(series, f"spor: {label}", f"dl-spor: {label}", f"Client by client (001 fig. {number})", out / file, most)


# --- wrong clients ---------------------------------------------------------------------------------------------------

def wrong_clients(runner, buggy, algorithms):
    """Until the first error, every algorithm in both orders."""
    wrong = 0
    for degree in DEGREES:
        table = run_all(runner, buggy[degree], configurations(algorithms), "first")
        for configuration, results in table.items():
            found = sum(r["verdict"] == "bug" for r in results)
            unknown = sum(not r["finished"] for r in results)
            name = f"clients_{degree}_wrong_{name_of(configuration)}"
            figure(f"{name}_buggy", found, f"of {len(results)}, {unknown} unknown after {runner.limit:g} s")
            figure(f"{name}_time", sum(r["time_s"] for r in results), "s until the first error")
        wrong += print_disagreements(table)
    return wrong


def compare_orders(runner, buggy, out):
    """001 figs. 9 and 10: dl-spor with every permutation of the threads and with random orders; averages and minima."""
    for number, degree, stop_at, what in ((9, "one", "all", "all states, one call wrong"), (10, "all", "first", "until the first error, all calls wrong")):
        times = {kind: [[time_of(runner.run(c, "dl-spor", o, stop_at)) for o in orders] for c in buggy[degree]]
                 for kind, orders in (("sequential", PERMUTATIONS), ("random", SEEDS))}
        for name, combine in (("average", statistics.mean), ("minimum", min)):
            points = [(combine(s), combine(r)) for s, r in zip(times["sequential"], times["random"])]
            ratio = statistics.mean(s / r for s, r in points)
            figure(f"clients_orders_fig{number}_{name}_sequential_over_random", ratio, f"x of the time, {what}")
            scatter({"a client": points}, f"sequential: seconds, the {name} of {len(PERMUTATIONS)}", f"random: seconds, the {name} of {len(SEEDS)}",
                    f"Orders, {what} (001 fig. {number})", out / f"fig{number}-orders-{name}.svg", runner.limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--clients", type=int, default=75)
    parser.add_argument("--buggy", type=int, default=8, help="clients for each degree of wrong calls")
    parser.add_argument("--limit", type=float, default=2, help="seconds for one run")
    parser.add_argument("--calls", type=int, default=5, help="at most so many calls a thread")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(ALGORITHMS), help="algorithms")
    parser.add_argument("--out", default="bench-clients")
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds for this call")
    parser.add_argument("--fresh", action="store_true", help="run again what is known")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    algorithms = arguments.only.split(",")
    print(f"# {arguments.clients} correct clients, {arguments.buggy} for each degree of wrong calls, at most {arguments.limit:g} s a run; the paper gave 30 minutes")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Bench(Path(arguments.heddle).resolve(), folder, 1), arguments.limit, out, arguments.budget, arguments.fresh)
        buggy = sample_buggy_clients(arguments.buggy, arguments.seed)
        try:
            wrong = correct_clients(runner, sample_clients(arguments.clients, arguments.seed, arguments.calls), algorithms, out)
            wrong += wrong_clients(runner, buggy, algorithms)
            if "dl-spor" in algorithms:
                compare_orders(runner, buggy, out)
        except Budget:
            sys.exit(f"the budget is spent after {len(runner.results)} runs; the same command goes on")
    figure("clients_about_which_algorithms_disagree", wrong, "(0)")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
