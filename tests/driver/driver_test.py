#!/usr/bin/env python3
"""The compiler drivers against real gcc and clang: every family of flags, and the build systems that call them.

    tests/driver/driver_test.py BUILD_DIRECTORY [unittest arguments]

BUILD_DIRECTORY holds heddle-cc, heddle-c++ and the runtime. Tests look at facts: exit codes, files, symbols, and what the
programs do when they are started without heddle.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = None  # set by main
CC = "heddle-cc"
CXX = "heddle-c++"
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}

COUNTER = "int x;\nint counter(void) { return x++; }\n"
MAIN = "#include <stdio.h>\nint counter(void);\nint main(void) { counter(); printf(\"%d\\n\", counter()); return 0; }\n"
THREADS = """
#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
int plain; std::atomic<int> atomic; std::mutex mutex; thread_local int mine;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([i] {
    for (int n = 0; n < 1000; ++n) { std::lock_guard<std::mutex> guard(mutex); ++plain; ++mine; ++atomic; }
    try { throw std::runtime_error("x"); } catch (const std::exception&) { atomic += mine == 1000; }
  });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d %d\\n", plain, atomic.load());
}
"""
SUM_C = """
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, locked;
static atomic_int steps;
static void* add(void* n) {
  atomic_fetch_add(&steps, 1);
  if (locked) pthread_mutex_lock(&lock);
  sum += *(int*)n;
  if (locked) pthread_mutex_unlock(&lock);
  return 0;
}
int main(int argc, char** argv) {
  int one = 1, two = 2;
  pthread_t t;
  locked = argc > 1 && strcmp(argv[1], "locked") == 0;
  pthread_create(&t, 0, add, &one);
  add(&two);
  pthread_join(t, 0);
  return sum != 3 || atomic_load(&steps) != 2;
}
"""
SUM_CXX = """
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
static std::mutex mutex;
static int sum;
static bool locked;
static std::atomic<int> steps{0};
static void add(int n) {
  ++steps;
  std::unique_lock<std::mutex> guard(mutex, std::defer_lock);
  if (locked) guard.lock();
  sum += n;
}
int main(int argc, char** argv) {
  locked = argc > 1 && argv[1] == std::string("locked");
  std::thread t([] { add(1); });
  add(2);
  t.join();
  return sum != 3 || steps != 2;
}
"""


class Failed(AssertionError):
    pass


class DriverTest(unittest.TestCase):
    """Each test runs once a compiler (see for_each_compiler), in an empty directory of its own."""
    compiler = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def sources(self):
        self.write("counter.c", COUNTER)
        self.write("main.c", MAIN)

    def environment(self):
        cc, cxx = COMPILERS[self.compiler]
        env = dict(os.environ, HEDDLE_CC=cc, HEDDLE_CXX=cxx, LC_ALL="C")
        env["PATH"] = f"{BUILD}:{env['PATH']}"
        for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
            env.pop(name, None)
        return env

    def attempt(self, *command, env=None, stdin=None):
        return subprocess.run([str(word) for word in command], cwd=self.dir, env={**self.environment(), **(env or {})},
                              input=stdin, stdin=None if stdin else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)

    def run_ok(self, *command, **more):
        done = self.attempt(*command, **more)
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def quiet(self, *command, **more):
        """Runs well and without a warning."""
        done = self.run_ok(*command, **more)
        self.assertEqual(done.stderr, "", command)
        return done

    def symbols(self, path):
        return self.run_ok("nm", path).stdout

    def assert_instrumented(self, path):
        self.assertRegex(self.symbols(path), r"U __tsan_")

    def assert_calls_hooks(self, program, function):
        """The code of a function in a finished program calls both hooks of `x++`."""
        code = self.run_ok("objdump", "-d", f"--disassemble={function}", program).stdout
        self.assertRegex(code, r"call.*<__tsan_read4")
        self.assertRegex(code, r"call.*<__tsan_write4")

    def assert_program(self, path, output):
        self.assertNotIn("libtsan", self.run_ok("ldd", path).stdout)
        self.assertEqual(self.quiet(f"./{path}").stdout, output)


class Stages(DriverTest):
    def test_compile_then_link(self):
        for level in ("-O0", "-O1", "-O2"):
            self.sources()
            self.quiet(CC, "-Wall", level, "-c", "counter.c")
            self.quiet(CC, level, "-c", "main.c", "-o", "other.o")
            self.assert_instrumented("counter.o")
            self.quiet(CC, "counter.o", "other.o", "-o", "program", "-lm")
            self.assert_calls_hooks("program", "counter")
            self.assert_program("program", "1\n")

    def test_reads_of_increments_are_kept(self):
        self.sources()
        self.quiet(CC, "-O2", "-c", "counter.c")
        self.assertRegex(self.symbols("counter.o"), "__tsan_read4")
        self.assertRegex(self.symbols("counter.o"), "__tsan_write4")

    def test_several_sources_in_one_command(self):
        self.sources()
        self.quiet(CC, "main.c", "counter.c")
        self.assert_calls_hooks("a.out", "counter")
        self.assert_program("a.out", "1\n")
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["a.out", "counter.c", "main.c"])

    def test_source_and_object_mixed(self):
        self.sources()
        self.quiet(CC, "-c", "counter.c")
        self.quiet(CC, "main.c", "counter.o", "-o", "program")
        self.assert_program("program", "1\n")

    def test_preprocess_defines_what_sanitized_code_sees(self):
        probe = "#if defined(__SANITIZE_THREAD__)\nyes\n#elif defined(__has_feature)\n#if __has_feature(thread_sanitizer)\nyes\n#endif\n#endif\n"
        self.write("probe.c", probe)
        self.assertIn("\nyes\n", self.quiet(CC, "-E", "probe.c").stdout)
        self.assertIn("\nyes\n", self.quiet(CC, "-E", "-x", "c", "-", stdin=probe).stdout)

    def test_assembly_output_and_input(self):
        self.sources()
        self.quiet(CC, "-S", "counter.c")
        self.assertIn("__tsan_write4", (self.dir / "counter.s").read_text())
        self.quiet(CC, "-c", "counter.s")
        self.quiet(CC, "-O1", "main.c", "counter.s", "-o", "program")
        self.assert_program("program", "1\n")
        self.write("bare.S", "#define NAME nothing\n.globl NAME\nNAME: ret\n.section .note.GNU-stack,\"\",@progbits\n")
        self.quiet(CC, "-c", "bare.S")

    def test_syntax_only_makes_nothing(self):
        self.sources()
        self.quiet(CC, "-fsyntax-only", "main.c", "counter.c")
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["counter.c", "main.c"])

    def test_dependency_files(self):
        self.write("a.h", "")
        self.write("a.c", '#include "a.h"\nint main(void) { return 0; }\n')
        self.assertRegex(self.quiet(CC, "-MM", "a.c").stdout, r"a\.o: a\.c a\.h")
        self.assertRegex(self.quiet(CC, "-M", "a.c").stdout, r"a\.o: a\.c")
        self.quiet(CC, "-MD", "-c", "a.c")
        self.assertRegex((self.dir / "a.d").read_text(), r"a\.o: a\.c")
        self.quiet(CC, "-MMD", "-MP", "-MF", "deps", "-MT", "goal", "-c", "a.c", "-o", "sub.o")
        self.assertRegex((self.dir / "deps").read_text(), r"goal: a\.c a\.h")
        self.quiet(CC, "-MMD", "a.c", "-o", "program")  # compile and link in one go
        self.assertTrue((self.dir / "program.d").exists() or (self.dir / "program-a.d").exists())

    def test_save_temps(self):
        self.sources()
        self.run_ok(CC, "-save-temps", "-c", "counter.c")
        self.assertTrue((self.dir / "counter.i").exists())
        self.assertTrue((self.dir / "counter.s").exists())
        self.quiet(CC, "-c", "counter.i", "-o", "again.o")
        self.assert_instrumented("again.o")

    def test_explicit_language_and_standard_input(self):
        self.quiet(CC, "-x", "c", "-", "-o", "program", stdin="int main(void) { return 0; }\n")
        self.assert_program("program", "")
        self.write("counter.txt", COUNTER)
        self.write("main.c", MAIN)
        self.quiet(CC, "-xc", "counter.txt", "-x", "none", "main.c", "-o", "mixed")
        self.assert_program("mixed", "1\n")

    def test_precompiled_header(self):
        self.write("pre.h", "#include <vector>\n")
        self.quiet(CXX, "-x", "c++-header", "pre.h", "-o", "pre.h.gch" if self.compiler == "gcc" else "pre.h.pch")
        self.write("a.cpp", "int main() { return std::vector<int>().size(); }\n")
        self.quiet(CXX, *(["-include", "pre.h"]), "a.cpp", "-o", "program")
        self.assert_program("program", "")

    def test_response_file(self):
        self.sources()
        self.write("words", "-O1 -c \"counter.c\" -DTEXT='a b'\n")
        self.quiet(CC, "@words")
        self.assert_instrumented("counter.o")
        self.write("link", "main.c counter.o -fsanitize=thread -o program")
        self.quiet(CC, "@link")
        self.assert_program("program", "1\n")

    def test_dry_run_names_the_runtime(self):
        self.sources()
        done = self.run_ok(CC, "-###", "main.c", "counter.c")
        self.assertIn("libheddle_rt.a", done.stderr)
        self.assertFalse((self.dir / "a.out").exists())

    def test_compile_error_is_the_compilers_own(self):
        self.write("bad.c", "int main(void) { return y; }\n")
        done = self.attempt(CC, "bad.c")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"bad\.c:1:\d+: error")
        self.assertEqual([p.name for p in self.dir.iterdir()], ["bad.c"])


class Questions(DriverTest):
    def test_answers_are_the_real_compilers(self):
        questions = ["--version", "-dumpversion", "-dumpmachine", "-print-search-dirs", "-print-prog-name=ld",
                     "-print-file-name=libc.so", "-print-libgcc-file-name", "-v", "--help", "-print-multi-os-directory"]
        for question in questions:
            ours, theirs = self.attempt(CC, question), self.attempt(COMPILERS[self.compiler][0], question)
            self.assertEqual((ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout), question)

    def test_no_input_fails_as_the_compiler_does(self):
        self.assertEqual(self.attempt(CC).returncode, self.attempt(COMPILERS[self.compiler][0]).returncode)
        self.assertIn("no input files", self.attempt(CC, "-O2").stderr)

    def test_unknown_flags_reach_the_compiler(self):
        self.sources()
        done = self.attempt(CC, "-c", "counter.c", "-fno-such-flag")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("-fno-such-flag", done.stderr)

    def test_compiler_of_several_words(self):
        self.sources()
        self.quiet(CC, "-c", "counter.c", env={"HEDDLE_CC": "env LC_ALL=C gcc -m64"})
        self.assert_instrumented("counter.o")

    def test_family_behind_a_neutral_name(self):
        (self.dir / "mycc").symlink_to(shutil.which(COMPILERS[self.compiler][0]))
        self.write("wrapped", f'#!/bin/sh\nexec {COMPILERS[self.compiler][0]} "$@"\n')
        (self.dir / "wrapped").chmod(0o755)
        self.sources()
        for cc in ("./mycc", "./wrapped"):
            self.quiet(CC, "main.c", "counter.c", "-o", "program", env={"HEDDLE_CC": cc})
            self.assert_calls_hooks("program", "counter")

    def test_missing_compiler_and_itself(self):
        for cc in ("no-such-compiler", "heddle-cc"):
            done = self.attempt(CC, "-c", "x.c", env={"HEDDLE_CC": cc})
            self.assertEqual(done.returncode, 2)
            self.assertIn("HEDDLE_CC", done.stderr)


class Linking(DriverTest):
    def test_shared_library_finds_the_runtime_in_the_program(self):
        for defs in (["-Wl,-z,defs"], ["-Wl,--no-undefined"], ["-z", "defs"], ["-Xlinker", "-z", "-Xlinker", "defs"], []):
            self.sources()
            self.quiet(CC, "-shared", "-fPIC", "counter.c", *defs, "-o", "libcounter.so")
            self.assertNotRegex(self.symbols("libcounter.so"), r" [Tt] __tsan_write4")
            self.quiet(CC, "main.c", "-L.", "-lcounter", "-Wl,-rpath,$ORIGIN", "-o", "program")
            self.assert_program("program", "1\n")

    def test_static_is_refused_in_one_line(self):
        self.sources()
        for flag in ("-static", "-static-pie", "--static"):
            done = self.attempt(CC, flag, "main.c", "counter.c")
            self.assertEqual(done.returncode, 2)
            self.assertIn("linked dynamically", done.stderr.splitlines()[0])
        self.run_ok(CC, "-static", "-c", "main.c")  # nothing is linked

    def test_coverage_counts_nothing(self):
        self.sources()
        self.write("dump.c", "void __gcov_dump(void); int main(void) { __gcov_dump(); return 0; }\n")
        self.run_ok(CC, "--coverage", "-c", "main.c", "counter.c")
        self.assertTrue((self.dir / "main.gcno").exists())
        self.assertNotRegex(self.symbols("main.o"), "__gcov")
        self.run_ok(CC, "--coverage", "main.o", "counter.o", "-o", "program")
        self.assert_program("program", "1\n")
        if self.compiler == "gcc":  # clang has a library of its own for that
            self.run_ok(CC, "--coverage", "dump.c", "-o", "dump")

    def test_static_language_libraries(self):
        self.write("threads.cpp", THREADS)
        self.quiet(CXX, "-std=c++17", "-static-libgcc", "-static-libstdc++", "threads.cpp", "-pthread", "-o", "program")
        self.assert_program("program", "4000 4004\n")

    def test_partial_link_and_no_standard_library(self):
        self.sources()
        self.quiet(CC, "-c", "counter.c", "main.c")
        self.quiet(CC, "-r", "-nostdlib", "counter.o", "main.o", "-o", "both.o")
        self.quiet(CC, "-nostdlib", "-r", "counter.o", "-o", "one.o")
        self.assertRegex(self.symbols("both.o"), "U __tsan_write4")
        self.quiet(CC, "both.o", "-o", "program")
        self.assert_program("program", "1\n")

    def test_static_archive_of_objects(self):
        self.sources()
        self.quiet(CC, "-c", "counter.c")
        self.run_ok("ar", "rcs", "libcounter.a", "counter.o")
        self.quiet(CC, "main.c", "libcounter.a", "-o", "program")
        self.assert_program("program", "1\n")

    def test_link_time_optimisation_keeps_the_instrumentation(self):
        for flags in (["-flto"], ["-flto=thin", "-fuse-ld=lld"] if self.compiler == "clang" else ["-flto=auto", "-ffat-lto-objects"]):
            self.write("main.c", MAIN)
            self.write("counter.c", COUNTER.replace("int counter", "__attribute__((noinline)) int counter"))
            self.run_ok(CC, "-O2", *flags, "-c", "counter.c")
            self.run_ok(CC, "-O2", *flags, "-c", "main.c")
            self.run_ok(CC, "-O2", *flags, "counter.o", "main.o", "-o", "program")
            self.assert_calls_hooks("program", "counter")
            self.assert_program("program", "1\n")
            self.run_ok(CC, "-O2", *flags, "counter.c", "main.c", "-o", "program")
            self.assert_calls_hooks("program", "counter")

    def test_other_linkers_and_common_linker_flags(self):
        for flags in (["-fuse-ld=gold"], ["-fuse-ld=lld"], ["-Wl,--as-needed", "-Wl,--gc-sections", "-ffunction-sections"],
                      ["-Wl,-z,relro", "-Wl,-z,now", "-rdynamic"], ["-Wl,--exclude-libs,ALL"], ["-no-pie", "-fno-pie"], ["-pie", "-fPIE"]):
            if flags[0].startswith("-fuse-ld=") and not shutil.which("ld." + flags[0][9:]):
                continue
            self.sources()
            self.run_ok(CC, *flags, "main.c", "counter.c", "-o", "program")
            self.assert_program("program", "1\n")

    def test_libraries_of_the_program_reach_the_runtime(self):
        """Also under --exclude-libs: the hooks and pthread functions are exported from the program."""
        for flags in ([], ["-Wl,--exclude-libs,ALL"], ["-fuse-ld=gold"], ["-Wl,--gc-sections"]):
            self.sources()
            self.run_ok(CC, *flags, "main.c", "counter.c", "-o", "program")
            self.assertRegex(self.run_ok("nm", "-D", "program").stdout, r" [TW] __tsan_write4")

    def test_users_own_sanitizers(self):
        self.sources()
        self.quiet(CC, "-fsanitize=thread", "main.c", "counter.c", "-o", "program")
        self.assert_program("program", "1\n")
        for name in ("address", "leak", "undefined,address"):
            done = self.attempt(CC, f"-fsanitize={name}", "-c", "counter.c")
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot be combined", done.stderr.splitlines()[0])
        self.quiet(CC, "-fno-sanitize=thread", "-c", "counter.c")
        self.assertNotIn("__tsan_write", self.symbols("counter.o"))

    def test_debug_information_is_always_there(self):
        self.sources()
        for flags in ([], ["-g0"], ["-g3"], ["-gdwarf-4"]):
            self.quiet(CC, *flags, "-c", "counter.c")
            self.assertIn(".debug_line", self.run_ok("readelf", "-SW", "counter.o").stdout)

    def test_public_header(self):
        text = "#include <heddle/heddle.h>\nint main(void) { return heddle_choose(3); }\n"
        for driver, name in ((CC, "a.c"), (CXX, "a.cpp")):
            self.quiet(driver, self.write(name, text), "-o", "program")
            self.assert_program("program", "")


class Warnings(DriverTest):
    def test_fences_do_not_warn(self):
        self.write("a.c", "#include <stdatomic.h>\nint main(void) { atomic_thread_fence(memory_order_seq_cst); return 0; }\n")
        self.quiet(CC, "-Wall", "-Wextra", "-Werror", "-O1", "a.c", "-o", "program")
        self.assert_program("program", "")


class Standards(DriverTest):
    def test_c(self):
        for standard in ("c11", "gnu11", "c17", "gnu17", "c2x"):
            self.sources()
            self.quiet(CC, f"-std={standard}", "main.c", "counter.c", "-o", "program")
            self.assert_program("program", "1\n")

    def test_cxx_threads_run_for_real_without_heddle(self):
        for standard in ("c++11", "c++14", "c++17", "gnu++20"):
            self.write("threads.cpp", THREADS)
            self.quiet(CXX, f"-std={standard}", "-O1", "-pthread", "threads.cpp", "-o", "program")
            self.assert_program("program", "4000 4004\n")


class StandardsUnderHeddle(DriverTest):
    """Every standard at every level of optimisation: a race is found, and with a lock there is none."""

    def test_c(self):
        self.matrix(CC, "sum.c", SUM_C, ("c11", "c17", "c2x"))

    def test_cxx(self):
        self.matrix(CXX, "sum.cpp", SUM_CXX, ("c++11", "c++14", "c++17", "c++20"))

    def matrix(self, driver, name, text, standards):
        self.write(name, text)
        for standard in standards:
            for level in ("-O0", "-O1", "-O2"):
                with self.subTest(standard=standard, level=level):
                    self.quiet(driver, f"-std={standard}", level, "-Wall", "-Wextra", "-pthread", name, "-o", "program")
                    self.check("racy", 1, ["data-race"])
                    self.check("locked", 0, [])

    def check(self, argument, code, kinds):
        done = self.attempt(BUILD / "heddle", "check", "--json", "facts", "./program", argument)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        findings = json.loads((self.dir / "facts").read_text())["findings"]
        self.assertEqual([f["kind"] for f in findings], kinds)


class BuildSystems(DriverTest):
    def test_ccache_in_front_and_behind(self):
        if not shutil.which("ccache"):
            self.skipTest("ccache is not installed")
        self.sources()
        cache = {"CCACHE_DIR": str(self.dir / "cache")}
        for _ in ("miss", "hit"):
            self.quiet("ccache", shutil.which(CC, path=str(BUILD)), "-c", "counter.c", env=cache)
            self.assert_instrumented("counter.o")
            behind = {**cache, "HEDDLE_CC": f"ccache {COMPILERS[self.compiler][0]}"}
            self.quiet(CC, "-c", "main.c", env=behind)
            self.assert_instrumented("main.o")
        statistics = self.run_ok("ccache", "--print-stats", env=cache).stdout
        hits = sum(int(n) for n in re.findall(r"(?:direct|preprocessed)_cache_hit\t(\d+)", statistics))
        self.assertEqual(hits, 2, statistics)

    CONFIGURE = r"""#!/bin/sh
# The probes that autoconf makes first: does it work, is it cross, -g, -c -o, a function, a header, pthread.
set -e
CC=${CC:-cc}
$CC --version >/dev/null; $CC -v >/dev/null 2>&1; ! $CC -V >/dev/null 2>&1; ! $CC -qversion >/dev/null 2>&1
printf 'int main (void) { return 0; }\n' >conftest.c; $CC conftest.c; ./a.out
$CC -o conftest -g -O2 conftest.c; ./conftest
printf 'char malloc (void); int main (void) { return malloc () == 0; }\n' >conftest.c; $CC -w -fno-builtin -o conftest conftest.c
printf 'char no_such_function_ (void); int main (void) { return no_such_function_ (); }\n' >conftest.c
if $CC -o conftest conftest.c 2>/dev/null; then echo "links what does not exist" >&2; exit 1; fi
printf '#include <pthread.h>\nstatic void *f (void *p) { return p; }\nint main (void) { pthread_t t; void *r; int x;\n  return pthread_create (&t, 0, f, &x) || pthread_join (t, &r) || r != &x; }\n' >conftest.c
$CC -pthread -o conftest conftest.c; ./conftest
printf '#include <no_such_header.h>\n' >conftest.c
if $CC -E conftest.c >/dev/null 2>&1; then echo "finds headers that do not exist" >&2; exit 1; fi
sed "s|@CC@|$CC|" Makefile.in >Makefile
"""
    MAKEFILE = "program: main.o libcounter.a\n\t@CC@ -o $@ main.o -L. -lcounter\n" \
               "libcounter.a: counter.o\n\tar rcs $@ $^\n%.o: %.c\n\t@CC@ -MMD -O2 -c -o $@ $<\n"

    def test_configure_and_make(self):
        self.sources()
        self.write("configure", self.CONFIGURE)
        self.write("Makefile.in", self.MAKEFILE)
        self.run_ok("sh", "configure", env={"CC": CC})
        self.run_ok("make", "-s")
        self.assert_calls_hooks("program", "counter")
        self.assert_program("program", "1\n")

    CMAKE = """cmake_minimum_required(VERSION 3.16)
project(sample C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(Threads REQUIRED)
include(CheckCSourceRuns)
check_c_source_runs("#include <pthread.h>\\nint main(void) { return pthread_self() == 0; }" RUNS)
if(NOT RUNS)
  message(FATAL_ERROR "conftest program does not run")
endif()
include(CheckIPOSupported)
check_ipo_supported(RESULT ipo)
add_library(counter SHARED counter.c)
target_link_options(counter PRIVATE -Wl,-z,defs)
add_executable(threads threads.cpp)
target_link_libraries(threads PRIVATE Threads::Threads)
add_executable(program main.c)
target_link_libraries(program PRIVATE counter)
set_property(TARGET threads PROPERTY INTERPROCEDURAL_OPTIMIZATION ${ipo})
"""

    def test_cmake_project(self):
        self.sources()
        self.write("threads.cpp", THREADS)
        self.write("CMakeLists.txt", self.CMAKE)
        self.run_ok("cmake", "-G", "Ninja", "-S", ".", "-B", "out", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}")
        self.run_ok("ninja", "-C", "out", "-j", "2")
        self.assert_program("out/threads", "4000 4004\n")
        self.assert_program("out/program", "1\n")
        self.assertRegex(self.symbols("out/threads"), "__tsan_write4")


def for_each_compiler(loader, bases):
    suite = unittest.TestSuite()
    for base in bases:
        for compiler in COMPILERS:
            suite.addTests(loader.loadTestsFromTestCase(type(f"{base.__name__}_{compiler}", (base,), {"compiler": compiler})))
    return suite


def load_tests(loader, _standard_tests, _pattern):
    return for_each_compiler(loader, (Stages, Questions, Linking, Warnings, Standards, StandardsUnderHeddle, BuildSystems))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
