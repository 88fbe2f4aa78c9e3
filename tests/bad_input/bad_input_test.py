#!/usr/bin/env python3
"""What the user can get wrong: each mistake ends soon, with the right exit code and a short explanation, never with a crash.

    tests/bad_input/bad_input_test.py HEDDLE [unittest arguments]

Programs that misbehave are beside this file, in the form of tests/run.py; here are files, options and traces.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HEDDLE = None  # set by main
USAGE = 2
BUG = 1
LIMIT_S = 30

RACE = """
#include <pthread.h>
static int x;
static void* work(void* unused) { x++; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
  return 0;
}
"""
READS_FILE = """
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char* name;
static void* work(void* unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    FILE* file = fopen(name, "r");
    if (file) fgetc(file), fclose(file);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(int argc, char** argv) {
  pthread_t t;
  name = argv[argc - 1];
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
"""
NOTE_NAME = b"Heddle\0"
NOTE_TYPE = 0x4844


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = Path(tempfile.mkdtemp(prefix="heddle-bad-input-"))
        source = cls.shared / "race.c"
        source.write_text(RACE)
        cls.plain = cls.shared / "plain"
        cls.race = cls.shared / "race"
        subprocess.run(["gcc", "-pthread", source, "-o", cls.plain], check=True)
        subprocess.run([HEDDLE, "cc", "-g", "-O1", source, "-o", cls.race], check=True, timeout=LIMIT_S)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.shared, ignore_errors=True)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.shared))

    def heddle(self, *arguments, **options):
        return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True, errors="replace", cwd=self.folder,
                              timeout=LIMIT_S, stdin=subprocess.DEVNULL, **options)

    def refused(self, *arguments, says, code=USAGE, **options):
        """The command ends with this code and a few lines, one of which has the words."""
        done = self.heddle(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word.lower(), done.stderr.lower())
        self.assertLessEqual(len(done.stderr.splitlines()), 4, done.stderr)
        for trouble in ("terminate called", "Assertion", "core dumped", "Segmentation", "what():"):
            self.assertNotIn(trouble, done.stderr)

    def recorded(self):
        """A trace file of the race, and the facts of the check."""
        done = self.heddle("check", "--trace-dir", self.folder, "--json", self.folder / "facts", self.race)
        self.assertEqual(done.returncode, BUG, done.stdout + done.stderr)
        return Path(json.loads((self.folder / "facts").read_text())["findings"][0]["trace"])


class BadProgram(BadInput):
    def test_missing(self):
        self.refused("check", "./not-there", says="not-there")

    def test_missing_source(self):
        self.refused("check", "./not-there.cpp", says="not-there.cpp")

    def test_directory(self):
        self.refused("check", self.folder, says="directory")

    def test_not_elf(self):
        script = self.folder / "script"
        script.write_text("#!/bin/sh\nexit 0\n")
        script.chmod(0o755)
        self.refused("check", script, says="script")

    def test_empty_file(self):
        empty = self.folder / "empty"
        empty.touch(0o755)
        self.refused("check", empty, says="empty")

    def test_truncated_elf(self):
        cut = self.folder / "cut"
        cut.write_bytes(self.race.read_bytes()[:1000])
        cut.chmod(0o755)
        self.refused("check", cut, says="cut")

    def test_not_executable(self):
        copy = self.folder / "copy"
        shutil.copy(self.race, copy)
        copy.chmod(0o644)
        self.refused("check", copy, says="copy")

    def test_not_instrumented(self):
        self.refused("check", self.plain, says=["plain", "heddle c"])

    def test_other_executable(self):
        self.refused("check", "/bin/true", says="/bin/true")

    def test_source_that_does_not_compile(self):
        source = self.folder / "wrong.c"
        source.write_text("int main(void) { return nothing; }\n")
        done = self.heddle("check", source)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("nothing", done.stderr)

    def test_other_wire_version(self):
        changed = self.folder / "changed"
        changed.write_bytes(with_other_version(self.race.read_bytes()))
        changed.chmod(0o755)
        self.refused("check", changed, says="version")


class BadOption(BadInput):
    def test_no_program(self):
        self.refused("check", says="program")

    def test_unknown_option(self):
        self.refused("check", "--stop-att=all", self.race, says=["--stop-att", "--stop-at"])

    def test_unknown_command(self):
        self.refused("chek", self.race, says=["chek", "check"])

    def test_unknown_algorithm(self):
        self.refused("check", "--algorithm=dsf", self.race, says=["dsf", "dfs"])

    def test_values_out_of_range(self):
        for option in ["--max-executions=0", "--max-executions=many", "--timeout=0", "--timeout=-1", "--timeout=soon",
                       "--max-steps=0", "--seed=x", "--pct-depth=0", "--sleep-sets=maybe", "--hang-timeout=0", "--cpus=0", "--executor=magic", "--visible=some",
                       "--races=never", "--stop-at=second", "--allow-exit=900", "--target-memory=1M"]:
            with self.subTest(option):
                self.refused("check", option, self.race, says=option.split("=")[0])

    def test_contradictions_name_both(self):
        for one, other in [("--seed=2", "--algorithm=optimal"), ("--pct-depth=2", "--algorithm=pos"),
                           ("--sleep-sets=off", "--algorithm=source"), ("--sleep-sets=on", "--algorithm=dfs"),
                           ("-j2", "--algorithm=dfs"), ("-j2", "--races=explore")]:
            with self.subTest(one + " " + other):
                self.refused("check", one, other, self.race, says=[one.split("=")[0].rstrip("2"), other])

    def test_trace_folder_missing(self):
        self.refused("check", "--trace-dir", self.folder / "no" / "where", self.race, says="--trace-dir")

    def test_trace_folder_is_a_file(self):
        file = self.folder / "file"
        file.touch()
        self.refused("check", "--trace-dir", file, self.race, says="--trace-dir")

    def test_json_folder_missing(self):
        self.refused("check", "--json", self.folder / "no" / "facts.json", self.race, says="--json")

    def test_trace_folder_unwritable(self):
        # /proc takes no new files, from root neither.
        self.refused("check", "--trace-dir", "/proc/self", self.race, says="--trace-dir")

    def test_disk_full(self):
        done = self.heddle("check", "--json", "/dev/full", self.race)
        self.assertIn(done.returncode, (BUG, USAGE))
        self.assertIn("/dev/full", done.stderr)

    def test_standard_output_full(self):
        """What could not be told is no good result; a bug stays a bug."""
        for options, code in (["--races=ignore"], USAGE), ([], BUG), (["--help"], USAGE):
            with open("/dev/full", "w") as full:
                done = subprocess.run([HEDDLE, "check", *options, self.race], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("standard output", done.stderr)

    def test_descriptors_closed(self):
        """The files that heddle opens must not take their places: the trace would be written over."""
        for closed in ("<&- >&-", "<&- >&- 2>&-", ">&-"):
            command = f'exec "{HEDDLE}" check --trace-dir . --json facts {self.race} {closed}'
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, timeout=LIMIT_S)
            self.assertEqual(done.returncode, BUG, closed)
            trace = json.loads((self.folder / "facts").read_text())["findings"][0]["trace"]
            self.assertEqual(self.heddle("replay", trace).returncode, BUG)


class ChangingInput(BadInput):
    def test_file_changes_during_the_search(self):
        """Runs before and after would not be runs of the same program on the same input."""
        for replace in (self.overwrite, self.exchange):
            with self.subTest(replace.__name__):
                numbers = self.folder / "numbers"
                numbers.write_text("1")
                program = self.built(READS_FILE)
                search = subprocess.Popen([HEDDLE, "check", "--algorithm=random", f"--timeout={LIMIT_S}", program, numbers],
                                          cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(1)
                replace(numbers)
                _, said = search.communicate(timeout=2 * LIMIT_S)
                self.assertEqual(search.returncode, USAGE, said)
                self.assertIn("changed during the search", said)
                self.assertIn(str(numbers), said)

    @staticmethod
    def overwrite(file):
        file.write_text("2")

    @staticmethod
    def exchange(file):
        other = file.with_suffix(".new")
        other.write_text("1")
        other.rename(file)

    def built(self, text):
        source, program = self.folder / "program.c", self.folder / "program"
        source.write_text(text)
        done = self.heddle("cc", "-O1", source, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program


class BadTrace(BadInput):
    def test_missing(self):
        self.refused("replay", "not-there.trace", says="not-there.trace")

    def test_directory(self):
        self.refused("replay", self.folder, says=str(self.folder))

    def test_not_a_trace(self):
        file = self.folder / "text.trace"
        file.write_text("something else\n")
        self.refused("replay", file, says="text.trace")

    def test_empty(self):
        file = self.folder / "empty.trace"
        file.touch()
        self.refused("replay", file, says="empty.trace")

    def test_truncated(self):
        trace = self.recorded()
        content = trace.read_bytes()
        for length in (1, 10, len(content) // 2, len(content) - 2):  # the last byte is only the end of the line
            with self.subTest(length):
                trace.write_bytes(content[:length])
                self.refused("replay", trace, says=trace.name)

    def test_flipped_bytes(self):
        trace = self.recorded()
        content = trace.read_bytes()
        for position in range(0, len(content), max(1, len(content) // 20)):
            with self.subTest(position):
                changed = bytearray(content)
                changed[position] ^= 0x20
                trace.write_bytes(changed)
                self.refused("replay", trace, says=trace.name)

    def test_program_gone(self):
        trace = self.recorded()
        hidden = self.race.with_suffix(".hidden")
        self.race.rename(hidden)
        try:
            self.refused("replay", trace, says=str(self.race))
        finally:
            hidden.rename(self.race)

    def test_program_changed(self):
        source, binary = self.folder / "race.c", self.folder / "race"
        source.write_text(RACE)
        self.build(source, binary)
        done = self.heddle("check", "--trace-dir", self.folder, "--json", self.folder / "facts", binary)
        self.assertEqual(done.returncode, BUG, done.stdout + done.stderr)
        trace = json.loads((self.folder / "facts").read_text())["findings"][0]["trace"]
        source.write_text(RACE.replace("x++; return", "x += 2; return"))
        self.build(source, binary)
        self.refused("replay", trace, says="changed")

    def build(self, source, binary):
        done = self.heddle("cc", "-g", "-O1", source, "-o", binary)
        self.assertEqual(done.returncode, 0, done.stderr)


def with_other_version(elf):
    """The same ELF file with another number in its "Heddle" note (name size, descriptor size, type, name, version)."""
    header = struct.pack("<III", len(NOTE_NAME), 4, NOTE_TYPE) + NOTE_NAME.ljust(8, b"\0")
    at = elf.find(header)
    if at < 0:
        raise AssertionError("the program carries no Heddle note")
    version = at + len(header)
    return elf[:version] + struct.pack("<I", 4711) + elf[version + 4:]


def main():
    global HEDDLE
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    HEDDLE = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
