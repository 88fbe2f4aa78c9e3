#!/usr/bin/env python3
"""library_test.py HEDDLE [--filter REGEX]: what functions of the C library do to the program's memory (cases.h).

Each RACE is a race without the lock and nothing under it; each CALM is nothing either way.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def cases():
    """(name, whether it races)"""
    return [(match[2], match[1] == "RACE") for match in re.finditer(r"^(RACE|CALM)\((\w+),", (HERE / "cases.h").read_text(), re.M)]


def build(heddle, compiler, folder):
    program = folder / f"races-{compiler}"
    command = [heddle, "cc", "-O1", "-g", "-fno-builtin", "-pthread", "-w", str(HERE / "races.c"), "-o", str(program), "-lm"]
    subprocess.run(command, check=True, env={**__import__("os").environ, "HEDDLE_CC": compiler}, timeout=120)
    return program


def verdict(heddle, program, folder, name, locked):
    facts = folder / f"{program.name}-{name}-{locked}.json"
    command = [heddle, "check", "--quiet", "--json", str(facts), "--trace-dir", str(folder / "traces"), str(program), name, str(locked)]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    try:
        found = json.loads(facts.read_text())
    except FileNotFoundError:
        return f"no answer: {done.stdout}{done.stderr}", command
    kinds = sorted({finding["kind"] for finding in found.get("findings", [])})
    uncovered = [f"{entry['function']}: {entry['reason']}" for entry in found.get("uncovered", [])]
    return " ".join([found["verdict"], *kinds, *uncovered]), command


def check(heddle, program, folder, name, races):
    complaints = []
    for locked, expected in ((0, "bug data-race" if races else "verified"), (1, "verified")):
        answer, command = verdict(heddle, program, folder, name, locked)
        if answer != expected:
            complaints.append(f"{program.name} {name} {'with' if locked else 'without'} the lock: {answer}, not {expected}\n  {' '.join(command)}")
    return complaints


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("heddle")
    arguments.add_argument("--filter", default="")
    arguments.add_argument("--compilers", default="gcc,clang")
    chosen = arguments.parse_args()
    heddle, complaints, count = str(Path(chosen.heddle).resolve()), [], 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        folder = Path(scratch)
        (folder / "data").write_text("12 heddle\n34 shuttle\n")
        (folder / "link").symlink_to("data")
        (folder / "traces").mkdir()
        for compiler in chosen.compilers.split(","):
            program = build(heddle, compiler, folder)
            wanted = [case for case in cases() if re.search(chosen.filter, case[0])]
            count += len(wanted)
            for found in pool.map(lambda case: check(heddle, program, folder, *case), wanted):
                complaints += found
    print("\n".join(complaints + [f"{count} cases, {len(complaints)} wrong"]))
    return 1 if complaints or not count else 0


if __name__ == "__main__":
    sys.exit(main())
