"""The plots of clients.py, figs. 5 to 10 of paper 001. A table: (algorithm, order) → results, one a client."""
import math

from client_searches import IN_BOTH_ORDERS, ORDERS, memory_of, name_of, time_of
from plot import COLOURS, Axis, Chart

WITHOUT_SAFE = "-without-safe"
SAFE_OR_NOT = ("dl-spor", "dl-spor" + WITHOUT_SAFE, "de-spor", "de-spor" + WITHOUT_SAFE)


def plots_of_correct_clients(table, out):
    def chosen(algorithms, orders=ORDERS[:1]):
        return {(a, o): table[a, o] for a in algorithms for o in orders if (a, o) in table}
    quantiles(chosen(("spor", "dl-spor", "de-spor", "dfs", "source")), "Time of verification (001 fig. 5)", time_of, "seconds", out / "fig5-time-quantiles.svg")
    quantiles(chosen(SAFE_OR_NOT), "Time with and without safe sets (001 fig. 6)", time_of, "seconds", out / "fig6-time-quantiles-safe-sets.svg")
    memory_quantiles(chosen(("spor", "dl-spor", "dfs")), "Memory of the tool (001 fig. 7)", out / "fig7-memory-quantiles.svg")
    memory_quantiles(chosen(SAFE_OR_NOT), "Memory with and without safe sets (001 fig. 8)", out / "fig8-memory-quantiles-safe-sets.svg")
    quantiles(chosen(IN_BOTH_ORDERS, ORDERS), "Time in both orders", time_of, "seconds", out / "both-orders-time-quantiles.svg")
    if all(("spor", o) in table and ("dl-spor", o) in table for o in ORDERS):
        client_by_client(table, out)


def client_by_client(table, out):
    """In figs. 5 and 7, the plots at the top left."""
    limit = max(r["limit_s"] for r in table["spor", ORDERS[0]])
    for number, what, value, label, most in ((5, "time", time_of, "seconds", limit), (7, "memory", memory_of, "MB", None)):
        series = {o.split(":")[0]: [(value(a), value(b)) for a, b in zip(table["spor", o], table["dl-spor", o])] for o in ORDERS}
        scatter(series, f"spor: {label}", f"dl-spor: {label}", f"Client by client (001 fig. {number})", out / f"fig{number}-{what}-scatter.svg", most)


def quantiles(table, title, value, label, path, log=True):
    """An algorithm has one colour; its random order, or what it does without safe sets, has dashes."""
    chart = Chart(title, Axis("clients, in ascending order"), Axis(label, log=log), width=900, legend_beside=225)
    families = list(dict.fromkeys(a.removesuffix(WITHOUT_SAFE) for a, _ in table))
    for (algorithm, order), results in table.items():
        values = sorted(value(r) for r in results if r["finished"])
        family = algorithm.removesuffix(WITHOUT_SAFE)
        name = name_of((algorithm, order)).replace("_", ", ") if family == algorithm else f"{family}, no safe sets"
        is_second = family != algorithm or order != ORDERS[0]
        chart.add(f"{name} ({len(values)})", enumerate(values, 1), marks=False, colour=COLOURS[families.index(family)], dash="6 3" if is_second else "")
    chart.write(path)


def memory_quantiles(table, title, path):
    """Of the clients that every search of the table finishes, as in the paper. One that finishes less than a third of what another does, as dfs within
    seconds, would leave hardly any: it has a curve over its own clients and does not count for the others."""
    finished = {c: sum(r["finished"] for r in results) for c, results in table.items()}
    counting = [c for c in table if finished[c] * 3 >= max(finished.values())]
    together = [all(r["finished"] for r in row) for row in zip(*(table[c] for c in counting))]
    common = {c: [r for r, is_common in zip(results, together) if is_common or c not in counting] for c, results in table.items()}
    quantiles(common, title, memory_of, "MB", path, log=False)


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
