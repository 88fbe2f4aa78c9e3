"""`heddle replay --gdb`, with gdb driven by a script: where it stops, and what it sees there.

Seen to fail: without the visit to a thread's own stack when the scheduler finds something (deadlock, misuse), without SIGSYS passed on in
silence (the program with processes of its own), without Ctrl-C ignored by heddle.

Usage: gdb_test.py HEDDLE [unittest arguments]
"""
import os
import pty
import re
import select
import shutil
import sys
import time
import unittest

import replay_test
from replay_test import DEADLOCK, RACE, Replaying

# The places of interest carry a comment; a thread of each kind stands at its own.
CRASH = r"""
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, *pointer = &value;
static void* reset(void* p) {
  pthread_mutex_lock(&m);
  pointer = 0;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reset, 0);
  pthread_mutex_lock(&m);
  *pointer = 1;  // HERE
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""

# Writes a file, so that every run has a process of its own.
ASSERTION = r"""
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
_Thread_local int mine;
static void* work(void* p) {
  mine = 40 + *(int*)p;
  pthread_mutex_lock(&m);
  int before = count;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  count = before + 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t[2];
  int number[2] = {1, 2};
  FILE* f = fopen("log", "w");
  fputs("begun", f);
  fclose(f);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, work, &number[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(count == 2);  // HERE
  return 0;
}
"""

USE_AFTER_FREE = r"""
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int* shared;
static void* drop(void* p) {
  pthread_mutex_lock(&m);
  free(shared);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  pthread_create(&t, 0, drop, 0);
  pthread_mutex_lock(&m);
  *shared = 3;  // HERE
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""

# The main thread leaves; the lock is unlocked by somebody else.
MISUSE = r"""
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* stranger(void* p) {
  pthread_setname_np(pthread_self(), "stranger");
  pthread_mutex_unlock(&m);  // HERE
  return p;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, stranger, 0);
  pthread_exit(0);
}
"""

# Runs on without an operation while gdb says so.
HELD = DEADLOCK.replace('int main(void) {', 'int hold;\nint main(void) {\n  while (hold) __asm__ volatile("" ::: "memory");')


def line_of(source, marker="// HERE"):
    return next(i for i, line in enumerate(source.splitlines(), 1) if marker in line)


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
class GdbTest(Replaying):
    def gdb(self, trace, *commands, stop="finding", expect=1):
        words = [word for command in commands for word in ("-ex", command)]
        return self.heddle("replay", trace, f"--gdb={stop}", "--", "-nx", "-batch", *words, expect=expect)

    def expect_stop_at_the_marker(self, source, name, *commands):
        _, trace = self.find(self.build(source, name))
        out = self.gdb(trace, "frame", "info threads", *commands).stdout
        self.assertRegex(out, rf"\n#\d+ .*{re.escape(name)}:{line_of(source)}\n")
        self.assertIn("BUG again", out)
        return out

    def test_a_deadlock_shows_every_thread_in_its_call(self):
        _, trace = self.find(self.build(DEADLOCK, "forth.c"))
        out = self.gdb(trace, "info threads", "thread apply all bt").stdout
        self.assertIn("heddle: deadlock", out)
        for name in ("main", "thread 1", "thread 2"):
            self.assertIn(f'"{name}"', out)
        self.assertEqual(len(re.findall(r"^[* ] +\d+ +(?:Thread|LWP)", out, re.M)), 3, out)
        second = [i for i, line in enumerate(DEADLOCK.splitlines(), 1) if "lock(&right);" in line or "lock(&left);" in line]
        for line, function in ((second[1], "forth"), (second[5], "back")):
            self.assertRegex(out, rf"in {function} \(.*forth.c:{line}\n")
        self.assertRegex(out, r"in main \(.*forth.c:\d+\n")
        self.assertIn("starting", out)

    def test_a_race_stops_at_the_second_access(self):
        _, trace = self.find(self.build(RACE, "account.cpp"))
        out = self.gdb(trace, "frame").stdout
        self.assertIn("heddle: data race", out)
        self.assertRegex(out, r"#\d+ .*account.cpp:[67]\n")

    def test_a_crash_stops_at_the_instruction(self):
        out = self.expect_stop_at_the_marker(CRASH, "crash.c", "print pointer")
        self.assertIn("SIGSEGV", out)
        self.assertRegex(out, r"\$1 = .*0x0\n")

    def test_an_assertion_of_a_program_in_processes_of_its_own(self):
        _, trace = self.find(self.build(ASSERTION, "count.c"))
        out = self.gdb(trace, "frame").stdout
        self.assertRegex(out, rf"#\d+ .*count.c:{line_of(ASSERTION)}\n")
        # When the second thread begins, the first one waits for its lock.
        out = self.gdb(trace, "break work", "continue", "continue", "thread apply all print mine", stop="main").stdout
        self.assertEqual(sorted(re.findall(r"\$\d+ = (\d+)\n", out)), ["0", "0", "41"], out)

    def test_use_after_free(self):
        self.expect_stop_at_the_marker(USE_AFTER_FREE, "dropped.c")

    def test_what_the_scheduler_finds_is_shown_in_its_thread(self):
        out = self.expect_stop_at_the_marker(MISUSE, "stranger.c")
        self.assertIn('"1 stranger"', out)

    def test_main_first_and_the_schedule_step_by_step(self):
        _, trace = self.find(self.build(DEADLOCK, "forth.c"))
        out = self.gdb(trace, "info threads", "heddle-step", "heddle-step", "continue", stop="main").stdout
        self.assertRegex(out, r"main \(\) at .*forth.c")
        self.assertRegex(out, r"#\d+ .*forth.c:\d+\n")
        self.assertLess(out.index('"main"'), out.index("heddle: deadlock"))

    def test_a_run_that_gdb_ends_is_no_answer(self):
        _, trace = self.find(self.build(DEADLOCK, "forth.c"))
        self.assertIn("left before its end", self.gdb(trace, "kill", expect=3).stderr)

    def test_arguments_for_gdb_need_gdb(self):
        self.expect_refused("--gdb", "replay", "x.trace", "--", "-batch")
        self.expect_refused("--gdb", "replay", "x.trace", "--gdb=elsewhere")

    def test_without_gdb(self):
        _, trace = self.find(self.build(DEADLOCK, "forth.c"))
        done = self.heddle("replay", trace, "--gdb", expect=2, env={**os.environ, "PATH": str(self.folder)})
        self.assertIn("package gdb", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_ctrl_c_is_for_gdb(self):
        _, trace = self.find(self.build(HELD, "held.c"))
        try:
            child, terminal = pty.fork()
        except OSError as problem:  # a container without /dev/pts
            self.skipTest(f"no pseudo-terminal: {problem}")
        if child == 0:
            os.execv(replay_test.HEDDLE, [replay_test.HEDDLE, "replay", str(trace), "--gdb", "--", "-nx", "-iex", "set height 0"])
        self.addCleanup(os.close, terminal)
        talk = Talk(self, terminal)
        talk.say("set var hold = 1", "continue")
        talk.expect("Continuing.")
        time.sleep(0.5)
        os.write(terminal, b"\x03")
        talk.expect("SIGINT")
        talk.say("set var hold = 0", "continue")
        talk.expect("heddle: deadlock")
        talk.say("detach", "quit")
        talk.expect(" again in ")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 1)


class Talk:
    """What is said to gdb on a terminal, and what has to come back within a minute."""

    def __init__(self, test, terminal):
        self.test, self.terminal, self.heard = test, terminal, ""

    def say(self, *lines):
        for line in lines:
            self.expect("(gdb) ")
            os.write(self.terminal, line.encode() + b"\n")

    def expect(self, text):
        deadline = time.monotonic() + 60
        while text not in self.heard:
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            self.test.assertTrue(ready, f"no {text!r} in {self.heard!r}")
            self.heard += os.read(self.terminal, 4096).decode(errors="replace")
        self.heard = self.heard.split(text, 1)[1]


if __name__ == "__main__":
    replay_test.HEDDLE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
