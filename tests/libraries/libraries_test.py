#!/usr/bin/env python3
"""libraries_test.py HEDDLE: programs whose libraries were not built with heddle cc and have locks of their own."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = sys.argv.pop(1)

OWN_LOCK = """#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;  // 0 free, 1 taken, 2 taken and somebody may wait
void own_lock(void) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&word, &expected, 1)) return;
  while (atomic_exchange(&word, 2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}
void own_unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
"""
NO_LOCK = """#include <sys/syscall.h>
#include <unistd.h>
long identity(void) { return syscall(SYS_getuid); }
void own_lock(void) {}
void own_unlock(void) {}
"""
ADDERS = """#include <pthread.h>
#include <stdatomic.h>
void own_lock(void);
void own_unlock(void);
static COUNTER counter;
static void *add(void *unused) {
  own_lock();
  counter++;
  own_unlock();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  return counter != 2;
}
"""


LARGE_ATOMICS = """#include <pthread.h>
#include <stdatomic.h>
typedef struct { long a, b, c; } triple;
static _Atomic triple large;
static _Alignas(16) __int128 wide;
static void *add(void *unused) {
  for (int i = 0; i < 100000; ++i) {
    triple seen = atomic_load(&large), next;
    do next = (triple){seen.a + 1, seen.b + 2, seen.c + 3};
    while (!atomic_compare_exchange_weak(&large, &seen, next));
    __atomic_fetch_add(&wide, ((__int128)1 << 64) + 1, __ATOMIC_RELAXED);
  }
  return unused;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  triple end = atomic_load(&large);
  return end.a != 400000 || end.b != 800000 || end.c != 1200000 || wide != (__int128)400000 * (((__int128)1 << 64) + 1);
}
"""


class OwnLocks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def build(self, compiler, library, counter):
        (self.folder / "own.c").write_text(library)
        (self.folder / "adders.c").write_text(ADDERS)
        self.run_ok(*compiler, "-O1", "-g", "-shared", "-fPIC", "own.c", "-o", "libown.so")
        self.run_ok(HEDDLE, "cc", "-O1", "-g", "-pthread", f"-DCOUNTER={counter}", "adders.c", "-L.", "-lown", "-Wl,-rpath,$ORIGIN", "-o", "adders")

    def run_ok(self, *words):
        subprocess.run(words, cwd=self.folder, check=True, timeout=60)

    def check(self):
        done = subprocess.run([HEDDLE, "check", "--quiet", "--json", "facts.json", "./adders"], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)
        return done, json.loads((self.folder / "facts.json").read_text())

    def test_what_they_order_cannot_be_told_from_a_race(self):
        self.build(["gcc"], OWN_LOCK, "int")
        done, facts = self.check()
        self.assertEqual((done.returncode, facts["verdict"], facts["findings"]), (3, "unknown", []), done.stderr)
        self.assertEqual({race["maybe_ordered_by"] for race in facts["unknown"]}, {"libown.so"})

    def test_who_waits_for_one_is_refused(self):
        """Seen to be a verdict without the refusal: the lock's own accesses are not among what is interleaved."""
        self.build(["gcc"], OWN_LOCK, "atomic_int")
        done, _ = self.check()
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"futex inside libown\.so.* at .*adders\.c:\d+")

    def test_other_libraries_are_not_suspected(self):
        self.build(["gcc"], NO_LOCK, "int")
        done, facts = self.check()
        self.assertEqual((done.returncode, facts["verdict"], facts["unknown"]), (1, "bug", []), done.stderr)

    def test_built_with_heddle_they_are_like_any_lock(self):
        for counter in ("int", "atomic_int"):
            with self.subTest(counter=counter):
                self.build([HEDDLE, "cc"], OWN_LOCK, counter)
                done, facts = self.check()
                self.assertEqual((done.returncode, facts["verdict"]), (0, "verified"), done.stdout + done.stderr)


class LargeAtomics(unittest.TestCase):
    def test_they_are_atomic_when_the_program_runs_by_itself_with_and_without_libatomic(self):
        for compiler in ("gcc", "clang"):
            for more in ([], ["-latomic"]):
                with self.subTest(compiler=compiler, more=more), tempfile.TemporaryDirectory() as folder:
                    source, program = Path(folder) / "large.c", Path(folder) / "large"
                    source.write_text(LARGE_ATOMICS)
                    subprocess.run([HEDDLE, "cc", "-O1", "-w", "-pthread", str(source), "-o", str(program), *more], check=True, timeout=60,
                                   env={**os.environ, "HEDDLE_CC": compiler})
                    subprocess.run([str(program)], check=True, timeout=60)


class Instrumented(unittest.TestCase):
    def test_a_library_that_is_loaded_behind_the_cxx_library_finds_what_stands_behind_the_copies(self):
        sources = {"inner": "#include <functional>\n#include <string>\nsize_t inner(const std::string& s) { return std::hash<std::string>{}(s); }\n",
                   "outer": "#include <string>\nsize_t inner(const std::string&);\nsize_t outer() { return inner(std::string(100, 'x')); }\n",
                   "main": "#include <thread>\nsize_t outer();\nint main() { std::thread t([] { outer(); }); t.join(); return outer() == 0; }\n"}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in sources.items():
                (Path(folder) / f"{name}.cpp").write_text(text)
            here = ["-g", "-pthread", "-L.", "-Wl,-rpath,$ORIGIN"]
            for words in (["-shared", "-fPIC", "inner.cpp", "-o", "libinner.so"], ["-shared", "-fPIC", "outer.cpp", "-linner", "-o", "libouter.so"],
                          ["main.cpp", "-louter", "-Wl,-rpath-link,.", "-o", "main"]):
                subprocess.run([HEDDLE, "c++", *here, *words], cwd=folder, check=True, timeout=60)
            subprocess.run([HEDDLE, "check", "--quiet", "./main"], cwd=folder, check=True, timeout=60)


if __name__ == "__main__":
    unittest.main()
