"""standard_headers.h, compiled once a compiler and optimisation and kept in a folder.

What a program includes by itself must still be enough: gcc at -O1 reads the headers that a program names (HYGIENE), other builds take the
precompiled ones. A kept file belongs to one text of all headers and one command of the compiler (its key); another
text or command makes another file.
"""
import fcntl
import hashlib
import shutil
import sys
import threading
from pathlib import Path

from commands import Failure
from workshop import Driver

HEADERS = Path(__file__).resolve().parent / "standard_headers.h"
SUFFIX = {"gcc": ".gch", "clang": ".pch"}
HYGIENE = [("gcc", "O1")]


class Precompiled:
    def __init__(self, heddle, folder, headers=HEADERS):
        self.heddle = heddle
        self.folder = folder
        self.text = headers
        self.lock = threading.Lock()
        self.headers = {}

    def options(self, build, expectation, flags):
        """What to put in front of a source; nothing if it is to read its headers itself."""
        wanted = expectation.language == "c++" and not expectation.cflags and (build.compiler, build.opt) not in HYGIENE
        header = self._header(build.compiler, build.opt, flags) if wanted else None
        return ["-include", str(header)] if header else []

    def _header(self, compiler, opt, flags):
        with self.lock:
            if (compiler, opt) not in self.headers:
                self.headers[compiler, opt] = self._kept_or_none(compiler, opt, flags)
            return self.headers[compiler, opt]

    def _kept_or_none(self, compiler, opt, flags):
        try:
            return self._kept(Driver(self.heddle, compiler, "c++"), compiler, opt, flags)
        except Failure as failure:
            print(f"no precompiled headers for {compiler} {opt}: {failure}\n{failure.output}", file=sys.stderr)
            return None

    def _kept(self, driver, compiler, opt, flags):
        self.folder.mkdir(parents=True, exist_ok=True)
        key = self._key(driver, flags)
        header = self.folder / f"{compiler}-{opt}-{key}" / self.text.name
        with open(self.folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not Path(f"{header}{SUFFIX[compiler]}").exists():
                self._make(driver, header, SUFFIX[compiler], key, flags)
        return header

    def _key(self, driver, flags):
        source = ["-x", "c++-header", str(self.text)]
        text = driver.run(*flags, "-E", "-dD", *source).stdout
        command = driver.run(*flags, "-###", "-fsyntax-only", *source).stderr
        return hashlib.sha256((command + text).encode()).hexdigest()[:16]

    def _make(self, driver, header, suffix, key, flags):
        for outdated in self.folder.glob(header.parent.name.removesuffix(key) + "*"):
            shutil.rmtree(outdated)
        header.parent.mkdir()
        shutil.copy(self.text, header)
        unfinished, finished = Path(f"{header}.unfinished"), Path(f"{header}{suffix}")
        driver.run(*flags, "-x", "c++-header", str(header), "-o", str(unfinished))
        Path(f"{finished}.sum").write_text(key)  # what ccache looks at in place of the whole file
        unfinished.rename(finished)
