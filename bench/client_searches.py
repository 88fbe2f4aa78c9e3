"""The searches of clients.py, and their results: each is run once and kept in a file."""
import hashlib
import json
import time
from pathlib import Path

from client_family import SOURCES

# In results, the algorithm is one of these names.
OPTIONS = {
    "spor": ["--algorithm=spor"],
    "dl-spor": ["--algorithm=dl-spor"],
    "de-spor": ["--algorithm=de-spor"],
    "o-dpor": ["--algorithm=o-dpor"],
    "dl-spor-without-safe": ["--algorithm=dl-spor", "--without=safe"],  # the paper's DL-JPF
    "de-spor-without-safe": ["--algorithm=de-spor", "--without=safe"],  # DE-JPF
    "dfs": ["--algorithm=dfs", "--state=exact"],  # JPF
    "source": ["--algorithm=source"],
}
STATELESS = ("source",)
ORDERS = ("sequential", "random:1")
IN_BOTH_ORDERS = ("spor", "dl-spor", "de-spor", "o-dpor")


def configurations(algorithms):
    """Of a search: algorithm and order."""
    return [(a, o) for a in algorithms for o in (ORDERS if a in IN_BOTH_ORDERS else ORDERS[:1])]


def name_of(configuration):
    algorithm, order = configuration
    return algorithm if algorithm in STATELESS else f"{algorithm}_{order.split(':')[0]}"


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
        options = [*OPTIONS[algorithm], "--timeout", self.limit, "--stop-at", stop_at]
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


def run_all(runner, clients, configured, stop_at):
    """configuration → results. In turns: what disturbs the machine disturbs all of them."""
    rows = [{c: runner.run(client, *c, stop_at) for c in configured} for client in clients]
    return {c: [row[c] for row in rows] for c in configured}


def time_of(result):
    return max(result["time_s"], 1e-3 if result["finished"] else result["limit_s"])


def memory_of(result):
    return max(result["peak_rss_kb"], 1024) / 1024  # nothing is told of a run whose limit is over before main
