#!/usr/bin/env python3
"""visible_all_test.py HEDDLE: what the default finds, --visible=all --races=explore finds too, and the other way round.

Programs by chance: threads that access neighbouring variables of all sizes, copy structs, exchange atomics and take a lock. The
seeds are fixed; HEDDLE_VISIBLE_SEED=S begins elsewhere, HEDDLE_VISIBLE_PROGRAMS=N makes N of them.
"""
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = sys.argv.pop(1)
SEED = int(os.environ.get("HEDDLE_VISIBLE_SEED", "1"))
PROGRAMS = int(os.environ.get("HEDDLE_VISIBLE_PROGRAMS", "12"))

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static struct { char c[4]; short s[2]; int i[2]; long w[3]; } g, h;
static struct { long w[4]; } whole, other;
static atomic_int flag, turn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
PLACES = ["g.c[0]", "g.c[1]", "g.s[0]", "g.s[1]", "g.i[0]", "g.i[1]", "g.w[0]", "g.w[2]", "whole.w[1]", "whole.w[3]"]


def plain(draw):
    a, b = draw.choice(PLACES), draw.choice(PLACES)
    return draw.choice([f"{a}++;", f"{a} = 1;", f"{a} = (char){b};", "h = g;", "other = whole;", "whole = other;",
                        "memcpy(&h.w, &g.w, sizeof g.w);", "memset(&g.s, 0, sizeof g.s);"])


def statement(draw):
    body = plain(draw)
    return draw.choice([body, body, f"pthread_mutex_lock(&m); {body} pthread_mutex_unlock(&m);", "flag = 1;",
                        f"if (flag) {{ {body} }}", f"if (!atomic_exchange(&turn, 1)) {{ {body} }}",
                        f"{{ int e = 0; if (atomic_compare_exchange_strong(&flag, &e, 1)) {{ {body} }} }}",
                        f"{{ int e = 1; if (atomic_compare_exchange_strong(&turn, &e, 0)) {{ {body} }} }}"])


def program(seed):
    draw = random.Random(seed)
    threads = draw.choice([2, 2, 3])
    text = HEAD
    for t in range(threads):
        body = "\n  ".join(statement(draw) for _ in range(draw.choice([1, 2, 3] if threads == 2 else [1, 2])))
        text += f"static void* t{t}(void* u) {{\n  {body}\n  return u;\n}}\n"
    text += f"int main(void) {{\n  pthread_t t[{threads}];\n"
    text += "".join(f"  pthread_create(&t[{t}], 0, t{t}, 0);\n" for t in range(threads))
    text += f"  for (int i = 0; i < {threads}; ++i) pthread_join(t[i], 0);\n  return 0;\n}}\n"
    return text


def verdict(source, *options):
    command = [HEDDLE, "check", "--trace-dir", str(source.parent), "--max-executions=20000", *options, str(source)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


class VisibleAll(unittest.TestCase):
    def test_finds_what_the_default_finds(self):
        bugs = compared = 0
        for seed in range(SEED, SEED + PROGRAMS):
            with tempfile.TemporaryDirectory() as folder, self.subTest(seed=seed):
                source = Path(folder) / "program.c"
                source.write_text(program(seed))
                default, told = verdict(source)
                everything, told_all = verdict(source, "--visible=all", "--races=explore")
                self.assertIn(default, (0, 1), told)
                if everything == 3:  # too many executions
                    continue
                self.assertEqual(default, everything, source.read_text() + told + told_all)
                compared += 1
                bugs += default
        self.assertGreater(compared, PROGRAMS // 2)
        self.assertTrue(PROGRAMS < 10 or 0 < bugs < compared, f"{bugs} bugs in {compared} programs say little")


if __name__ == "__main__":
    unittest.main()
