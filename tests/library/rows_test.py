#!/usr/bin/env python3
"""rows_test.py ARCHIVE: the table of library functions against what there is.

ARCHIVE is the runtime. Every function that common packages import has a row, and on glibc 2.36, of which the table was made, every
function that libc and libm export; what the table says has a hook has one.
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "src/runtime/library"))
import generate  # noqa: E402

ARCHIVE = sys.argv.pop(1)
FAMILIES = generate.read_table(ROOT / "src/runtime/library/functions.txt")


def kinds():
    return {name: row.kind if isinstance(row, generate.Names) else "watched"
            for family in FAMILIES for row in family.rows for name in row.names}


KINDS = kinds()
PATTERNS = [name[:-1] for name in KINDS if name.endswith("*")]


def has_row(name):
    return name in KINDS or any(name.startswith(pattern) for pattern in PATTERNS)


def symbols(*command):
    """(type, name) of the lines of nm."""
    out = subprocess.run(["nm", *command], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in out.splitlines()]
    return {(words[-2], words[-1]) for words in lines if len(words) >= 2 and len(words[-2]) == 1}


def exported_functions(library):
    """Those that a program can be linked with, and not what is kept for old ones."""
    names = {name for kind, name in symbols("-D", "--defined-only", library) if kind in "TWi" and "@@GLIBC_2" in name}
    return {name.split("@")[0] for name in names}


def glibc():
    return subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True).stdout.strip()


class Rows(unittest.TestCase):
    def test_of_what_packages_import(self):
        text = (HERE / "package_imports.txt").read_text()
        names = " ".join(line for line in text.splitlines() if not line.startswith("#")).split()
        self.assertGreater(len(names), 900)
        self.assertEqual([name for name in names if not has_row(name)], [])

    @unittest.skipUnless(glibc() == "glibc 2.36", "another C library has other functions")
    def test_of_all_that_the_c_library_exports(self):
        for library in ("libc.so.6", "libm.so.6"):
            path = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip()
            names = exported_functions(path)
            self.assertGreater(len(names), 1000)
            self.assertEqual(sorted(name for name in names if not has_row(name)), [])

    def test_that_have_hooks(self):
        defined = {name for kind, name in symbols("--defined-only", ARCHIVE) if kind in "TW"}
        hooked = [name for name, kind in KINDS.items() if kind in ("watched", "own", "unmodelled") and "*" not in name]
        self.assertGreater(len(hooked), 1000)
        self.assertEqual([name for name in hooked if name not in defined], [])

    def test_of_everything_that_has_a_hook(self):
        """A function of the C library that the runtime stands in for is in the table."""
        defined = {name for kind, name in symbols("--defined-only", ARCHIVE) if kind in "TW"}
        standard = exported_functions(subprocess.run(["gcc", "-print-file-name=libc.so.6"], capture_output=True, text=True, check=True).stdout.strip())
        self.assertEqual(sorted(name for name in defined & standard if not has_row(name)), [])


class Manual(unittest.TestCase):
    def test_is_made_of_the_table(self):
        written = (ROOT / "docs/manual/library-functions.md").read_text()
        self.assertEqual(written, generate.write_manual(FAMILIES), "run generate.py with --manual docs/manual/library-functions.md")


class Table(unittest.TestCase):
    def refused(self, text, message):
        path = Path(self.id() + ".txt")
        self.addCleanup(path.unlink)
        path.write_text(text)
        with self.assertRaises(generate.Mistake) as caught:
            generate.read_table(path)
        self.assertRegex(str(caught.exception), message)

    def test_a_name_has_one_row(self):
        self.refused("== A\npure: abs\nint abs(int x): in(x, 4)\n", "abs has a row already, in line 2")

    def test_unknown_clauses_are_refused(self):
        self.refused("== A\nint f(void* p): eats(p, 4)\n", "not a clause: eats")

    def test_clauses_have_their_arguments(self):
        self.refused("== A\nint f(void* p): in(p)\n", "in has 2 to 2 arguments")

    def test_other_lines_are_refused(self):
        self.refused("== A\nsomething else\n", "neither a prototype nor a list")

    def test_lines_go_on(self):
        path = Path(self.id() + ".txt")
        self.addCleanup(path.unlink)
        path.write_text("== A\nint f(void* p,\n    int n): in(p, n);\n    set(p, 4) when n > 4\n")
        function = generate.read_table(path)[0].rows[0]
        self.assertEqual([p for _, p in function.parameters], ["p", "n"])
        self.assertEqual([(c.name, c.condition) for c in function.clauses], [("in", ""), ("set", "n > 4")])


if __name__ == "__main__":
    unittest.main()
