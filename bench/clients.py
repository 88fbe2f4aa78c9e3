#!/usr/bin/env python3
"""Paper 001's experiment in C++: bounded clients of concurrent data structures under the stateful algorithms.

    clients.py --heddle PATH/heddle [--clients 75] [--buggy 8] [--limit SECONDS] [--seed N] [--out FOLDER] [--budget SECONDS] [--fresh]

Three parts. Correct clients to the end under every algorithm: figs. 5 to 8. Clients with all, half, one or none of their calls wrong, until the first error
under every algorithm. dl-spor with all six permutations of the threads and three random orders: figs. 9 (all states) and 10 (until the first error).
Writes results.json and the plots (SVG) into the folder, and prints `figure NAME VALUE UNIT`, among them the average speed-up of dl-spor over spor (the
paper: 2.6), by time and by states.

spor, dl-spor, de-spor and o-dpor run in sequential and in random order. In sequential order only, to keep the time down: dl-spor and de-spor without safe sets
(the paper's DL-JPF and DE-JPF, figs. 6 and 8) and dfs with stored states (in the place of JPF, figs. 5 and 7). source, which stores nothing, has no order.

What is in the folder's results.json was run by this very heddle and is not run again: a call that ends early, or after --budget, is taken up by the next one.
A run that reaches its limit counts with the limit in scatter plots, and not at all in quantiles and speed-ups, as in the paper.
"""
import argparse
import itertools
import math
import statistics
import sys
import tempfile
from pathlib import Path

from client_family import DEGREES, THREADS, sample_buggy_clients, sample_clients
from client_plots import plots_of_correct_clients, scatter
from client_searches import OPTIONS, ORDERS, Budget, Runner, configurations, memory_of, name_of, run_all, time_of
from engine import Bench, figure

# Thread 0 is main, which creates the others first and joins them last.
PERMUTATIONS = ["sequential:" + ",".join(map(str, (*p, 0))) for p in itertools.permutations(range(1, THREADS + 1))]
# Which is how much faster than which.
COMPARED = (("spor", "dl-spor"), ("de-spor", "dl-spor"), ("o-dpor", "dl-spor"), ("dfs", "spor"), ("dfs", "dl-spor"),
            ("dl-spor-without-safe", "dl-spor"), ("de-spor-without-safe", "de-spor"), ("de-spor-without-safe", "dl-spor-without-safe"))
SEEDS = [f"random:{seed}" for seed in (1, 2, 3)]


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
    for slow, fast in COMPARED:
        speed_ups(table, slow, fast)
    plots_of_correct_clients(table, out)
    return print_disagreements(table)


def ratios(slow, fast, value):
    """Client by client, of those that both finish."""
    return [value(a) / value(b) for a, b in zip(slow, fast) if a["finished"] and b["finished"] and value(b)]


def speed_ups(table, slow, fast):
    """In each order that both have."""
    for order in ORDERS:
        if (slow, order) not in table or (fast, order) not in table:
            continue
        a, b = table[slow, order], table[fast, order]
        what = f"{fast}_over_{slow}_{order.split(':')[0]}"
        times, states = ratios(a, b, time_of), ratios(a, b, lambda r: r["states"])
        if times:
            figure(f"clients_speed_up_{what}", statistics.mean(times), f"x, the average over {len(times)} clients that both finish")
            figure(f"clients_speed_up_{what}_median", statistics.median(times), "x")
            figure(f"clients_fewer_states_{what}", statistics.mean(states), f"x, the average over {len(states)} clients")
            figure(f"clients_memory_{what}", statistics.mean(ratios(b, a, memory_of)), "x, of the tool")
        figure(f"clients_only_finished_by_{what.replace('_over_', '_not_')}", sum(y["finished"] and not x["finished"] for x, y in zip(a, b)), "clients")
        figure(f"clients_only_finished_by_{slow}_not_{fast}_{order.split(':')[0]}", sum(x["finished"] and not y["finished"] for x, y in zip(a, b)), "clients")


# --- wrong clients ---------------------------------------------------------------------------------------------------

def wrong_clients(runner, buggy, algorithms):
    """Until the first error, every algorithm in its orders."""
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
    parser.add_argument("--only", default=",".join(OPTIONS), help="algorithms")
    parser.add_argument("--out", default="bench-clients")
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds for this call")
    parser.add_argument("--fresh", action="store_true", help="run again what is known")
    arguments = parser.parse_args()
    algorithms = arguments.only.split(",")
    if unknown := set(algorithms) - set(OPTIONS):
        parser.error(f"--only: {', '.join(unknown)} is not one of {', '.join(OPTIONS)}")
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
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
