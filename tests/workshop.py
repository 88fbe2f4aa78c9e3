"""Builds test programs: each once a compiler and optimisation, in two steps, so that a compiler cache can remember the first.

The second, linking, depends on the runtime; the first on neither the runtime nor the explorer, which are what changes.
gcc at -O0 and -O1 links as it does by default, the other builds with the quickest linker that there is.
"""
import shlex
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

from commands import Failure, run

STANDARDS = {"c": "-std=gnu17", "c++": "-std=gnu++20"}  # as for source files given to heddle check; CFLAGS may say otherwise
PLAIN_COMPILERS = {("gcc", "c"): "gcc", ("gcc", "c++"): "g++", ("clang", "c"): "clang", ("clang", "c++"): "clang++"}
BUILD_S = 120
DEFAULT_LINKER = [("gcc", "O0"), ("gcc", "O1")]
QUICK_LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
# ccache takes the headers from -MD instead of preprocessing first, and knows a precompiled header by its text (precompiled.py).
CCACHE = {"CCACHE_DEPEND": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros", "CCACHE_PCH_EXTSUM": "1"}


@dataclass(frozen=True)
class Build:
    program: Path
    compiler: str
    opt: str

    def __str__(self):
        return f"{self.program} {self.compiler} {self.opt}"


class Driver:
    """`heddle cc` or `heddle c++` in front of one compiler."""

    def __init__(self, heddle, compiler, language, launcher=""):
        self.words = [str(heddle), "cc" if language == "c" else "c++"]
        variable = "HEDDLE_CC" if language == "c" else "HEDDLE_CXX"
        self.environment = {variable: launcher + PLAIN_COMPILERS[compiler, language], **CCACHE}

    def try_run(self, *words):
        return run([*self.words, *words], BUILD_S, environment=self.environment)

    def run(self, *words):
        outcome = self.try_run(*words)
        if outcome.code != 0:
            shown = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items() if name not in CCACHE]
            raise Failure(f"does not build (exit code {outcome.code})", shown + outcome.command, outcome.text())
        return outcome


class Workshop:
    """Builds whatever is asked for, once, whoever asks first."""

    def __init__(self, arguments, folder, precompiled=None):
        self.arguments = arguments
        self.folder = folder
        self.precompiled = precompiled
        self.lock = threading.Lock()
        self.locks = {}
        self.results = {}

    def binary(self, build, expectation):
        with self.lock:
            lock = self.locks.setdefault(build, threading.Lock())
        with lock:
            if build not in self.results:
                self.results[build] = self._built(build, expectation)
        result = self.results[build]
        if isinstance(result, Failure):
            raise result
        return result

    def place(self, build):
        return self.folder / f"{build.program.parent.name}-{build.program.name}-{build.compiler}-{build.opt}"

    def _built(self, build, expectation):
        try:
            return self._build_plain(build, expectation) if self.arguments.oracle else self._build(build, expectation)
        except Failure as failure:
            return failure

    def _build(self, build, expectation):
        program = self.place(build)
        compiled = Path(f"{program}.o")
        driver = Driver(self.arguments.heddle, build.compiler, expectation.language, self.arguments.launcher)
        flags, libraries = options_of(build, expectation)
        source = ["-MD", "-MF", f"{program}.d", "-c", "-x", expectation.language, str(build.program), "-o", str(compiled)]
        in_front = self.precompiled.options(build, expectation, flags) if self.precompiled else []
        if not in_front or driver.try_run(*flags, *in_front, *source).code != 0:
            driver.run(*flags, *source)  # whether a program compiles is never up to the precompiled header
        libraries = [*self._library(build, expectation), *libraries]
        linker = [] if (build.compiler, build.opt) in DEFAULT_LINKER else QUICK_LINKER
        driver.run(*flags, *linker, str(compiled), *libraries, "-o", str(program))
        compiled.unlink()
        return program

    def _build_plain(self, build, expectation):
        program = self.place(build)
        plain = PLAIN_COMPILERS[build.compiler, expectation.language]
        sanitizer = ["-fsanitize=thread"] if self.arguments.oracle == "tsan" else []
        flags, libraries = options_of(build, expectation)
        libraries = [*self._library(build, expectation), *libraries]
        outcome = run([plain, *flags, *sanitizer, "-x", expectation.language, str(build.program), "-x", "none", *libraries,
                       "-o", str(program)], BUILD_S)
        if outcome.code != 0:
            raise Failure(f"does not build (exit code {outcome.code})", outcome.command, outcome.text())
        return program


    def _library(self, build, expectation):
        """What links the program with its library, which is built without heddle."""
        if not expectation.library:
            return []
        library = Path(f"{self.place(build)}.so")
        command = [PLAIN_COMPILERS[build.compiler, expectation.language], "-g", "-pthread", "-fPIC", "-shared", "-DLIBRARY",
                   STANDARDS[expectation.language], *expectation.library, "-x", expectation.language, str(build.program), "-o", str(library)]
        outcome = run(command, BUILD_S)
        if outcome.code != 0:
            raise Failure(f"the library does not build (exit code {outcome.code})", outcome.command, outcome.text())
        return [str(library), f"-Wl,-rpath,{library.parent}"]


def options_of(build, expectation):
    """Options of the compiler, and libraries, which come behind the source."""
    libraries = [flag for flag in expectation.cflags if flag.startswith("-l")]
    return [f"-{build.opt}", "-g", "-pthread", STANDARDS[expectation.language],
            *(flag for flag in expectation.cflags if flag not in libraries)], libraries
