#!/usr/bin/env python3
"""The stateful searches' figures: every algorithm on the programs of 000, beside the paper's table 1; auto against optimal; what states cost.

    stateful.py --heddle PATH/heddle [--only example1,shared_array,bbuf,auto,capture,memory]

Prints `figure NAME VALUE UNIT`, one a line. Transitions are compared with the states that stateful dfs counts on the same program.
Times are of one run on whatever else the machine does; ratios are within one run.
"""
import argparse
import resource
import statistics
import tempfile
from pathlib import Path

from engine import Bench, figure

SOURCES = Path(__file__).resolve().parent / "stateful"
STATEFUL = ["spor", "dl-spor", "de-spor", "o-dpor", "sdpor"]
MINUTE = 60

# 000, table 1: DPOR runs and transitions; SDPOR runs, transitions and re-visited states. None: DPOR did not end.
PAPER = {"example1": (None, None, 35, 2084, 12), "shared_array": (None, None, 98, 18557, 33), "bbuf": (47096, 1058962, 16246, 349717, 669)}
DIFFERENCES = """\
# What differs: an operation is one transition here and a signal may wake any waiter, where the paper has a transition for each access to a global variable;
# creating and joining threads counts; nothing stops at the first error; a run of ours ends at the first known state, so that there are as
# many runs as there are branches; and a state is a fingerprint of the whole program, where the paper's light-weight local states tell some equal ones apart (few
# re-visits)."""


def runs_of(result):
    return result["executions"] + result["revisits"] + result["blocked"]


def beside_the_paper(name, dpor, sdpor):
    """One row of 000's table 1, theirs and ours."""
    def number(value):
        return f"{value:>12,}" if value is not None else f"{'-':>12}"
    ended = dpor["verdict"] != "incomplete"
    ours = (dpor["executions"] if ended else None, dpor["transitions"] if ended else None, runs_of(sdpor), sdpor["transitions"], sdpor["revisits"])
    print(f"# 000, table 1  {'DPOR runs':>22}{'transitions':>12}{'SDPOR runs':>12}{'transitions':>12}{'re-visited':>12}")
    for who, row in (("the paper", PAPER[name]), ("heddle", ours)):
        print(f"#   {name:<13}{who:<9}{''.join(number(v) for v in row)}")
    print(DIFFERENCES, flush=True)


def whole_space(bench, name, source, *flags):
    """Every stateful algorithm to the end; how many transitions that takes for each state there is."""
    program = bench.compile(str(SOURCES / source), name, *flags)
    dfs = bench.check(program, "--algorithm", "dfs", "--state", "exact")
    figure(f"{name}_states_of_dfs", dfs["states"], "states")
    results = {a: bench.check(program, "--algorithm", a) for a in STATEFUL}
    for algorithm, result in results.items():
        figure(f"{name}_{algorithm}_verified", result["verdict"] == "verified", "(1: yes)")
        figure(f"{name}_{algorithm}_transitions_per_dfs_state", result["transitions"] / dfs["states"], "(at most 2.2)")
        figure(f"{name}_{algorithm}_runs", runs_of(result), "runs")
        figure(f"{name}_{algorithm}_time", result["time_s"], "s (under 1)")
    dpor = bench.check(program, "--algorithm", "dpor", "--timeout", MINUTE)
    figure(f"{name}_stateless_dpor_executions_in_a_minute", dpor["executions"], f"executions, {dpor['verdict']}")
    beside_the_paper(name.removesuffix("_64"), dpor, results["sdpor"])


def bounded_buffer(bench, name, items):
    """Two producers, two consumers. Executions are all runs of sdpor, also those that end at a known state."""
    program = bench.compile(str(SOURCES / "bbuf.c"), name, f"-DITEMS={items}")
    dpor = bench.check(program, "--algorithm", "dpor", "--visible", "all", "--timeout", 120)
    sdpor = bench.check(program, "--algorithm", "sdpor", "--timeout", 120)
    figure(f"{name}_dpor_executions", dpor["executions"], f"executions, {dpor['verdict']} ({dpor['blocked']} more were cut)")
    figure(f"{name}_sdpor_executions", runs_of(sdpor), f"executions, {sdpor['verdict']} ({sdpor['revisits']} of them ended at a known state)")
    figure(f"{name}_dpor_executions_per_sdpor_execution", dpor["executions"] / runs_of(sdpor), "x")
    return dpor, sdpor


def bounded_buffers(bench):
    """How many items the paper's buffer takes is not told; two each come nearest to its number of runs."""
    bounded_buffer(bench, "bbuf_2_2_one_item_each", 1)
    dpor, sdpor = bounded_buffer(bench, "bbuf_2_2", 2)
    figure("bbuf_sdpor_fewer_executions_than_dpor", dpor["executions"] / runs_of(sdpor), "x (at least 2.9)")
    beside_the_paper("bbuf", dpor, sdpor)


def against_optimal(bench, name, source, *flags):
    """How much sooner auto is verified than optimal, side by side: the median of several rounds where these are short."""
    program = bench.compile(str(SOURCES / source), name, *flags)
    rounds = []
    while not rounds or (len(rounds) < 5 and rounds[0][1] < 3):
        optimal = bench.check(program, "--algorithm", "optimal", "--timeout", 200)
        autos = [bench.check(program) for _ in range(15)]  # a few milliseconds each
        rounds.append((statistics.median(a["time_s"] for a in autos), optimal["time_s"]))
    figure(f"{name}_auto", statistics.median(auto for auto, _ in rounds), f"s, {autos[0]['verdict']} by {autos[0]['algorithm']}")
    figure(f"{name}_optimal", statistics.median(o for _, o in rounds), f"s, {optimal['verdict']}, {optimal['executions']} executions")
    figure(f"{name}_auto_sooner_than_optimal", statistics.median(o / auto for auto, o in rounds), "x (at least 100)")


def cost_of_capture(bench):
    """Time per transition with states captured against the stateless search on the same program."""
    program = bench.compile(str(SOURCES / "counter.c"), "capture", "-DTHREADS=3", "-DTIMES=2")
    def per_transition(*options):
        result = bench.check(program, "--visible", "all", *options)
        return result["time_s"] / (result["transitions"] + result["replayed"])
    ratios = [per_transition("--algorithm", "dfs", "--state", "exact", "--order", "random") / per_transition("--algorithm", "optimal") for _ in range(5)]
    figure("capture_time_per_transition_against_stateless", statistics.median(ratios), "x (at most 4)")


def ten_million_states(bench):
    """Within --max-memory 2G nothing is left unstored, and tool and program together take less."""
    program = bench.compile(str(SOURCES / "many_states.c"), "many_states")
    before = peak_of_children_kb()
    result = bench.check(program, "--algorithm", "spor", "--max-memory", "2G")
    full = any("table of states was full" in note for note in result.get("notes", []))
    figure("spor_states", result["states"], f"states, {result['verdict']}, {'some' if full else 'all'} of them stored, {result['time_s']:.0f} s")
    figure("spor_bytes_per_state", result["bytes_per_state"], "bytes")
    figure("spor_peak_memory", result["peak_rss_kb"] / 1024, "MB of the tool, the table included (at most 2048)")
    after = peak_of_children_kb()
    if after > before:
        figure("spor_peak_memory_of_any_process", after / 1024, "MB (at most 2048)")


def peak_of_children_kb():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


PARTS = {
    "example1": lambda bench: whole_space(bench, "example1_64", "example1.c", "-DN=64"),
    "shared_array": lambda bench: whole_space(bench, "shared_array", "shared_array.c"),
    "bbuf": bounded_buffers,
    "auto": lambda bench: (against_optimal(bench, "example1_30", "example1.c", "-DN=30"), against_optimal(bench, "counter_3x3", "counter.c")),
    "capture": cost_of_capture,
    "memory": ten_million_states,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--only", default=",".join(PARTS))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(arguments.heddle).resolve(), folder, 2)
        for part in arguments.only.split(","):
            PARTS[part](bench)


if __name__ == "__main__":
    main()
