#!/usr/bin/env python3
"""The launcher scripts, on a copy of them with a stand-in for the built program and for scripts/build.sh."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRINT_ARGUMENTS = '#!/bin/sh\nprintf "%s" "${0##*/}"; for a; do printf " [%s]" "$a"; done; echo\n'


class LauncherTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)
        self.clone = self.dir / "a clone"  # with a space: the scripts must quote
        (self.clone / "scripts").mkdir(parents=True)
        for name in ("heddle", "heddle-cc", "heddle-c++"):
            shutil.copy(ROOT / name, self.clone / name)
        self.release = self.clone / "build" / "release"
        tools = " ".join(f'"$d/{name}"' for name in ("heddle", "heddle-cc", "heddle-c++"))
        self.script(self.clone / "scripts/build.sh",
                    '#!/bin/sh\nd="${0%/*}/../build/$1"; mkdir -p "$d"; echo build >>"${0%/*}/../builds"\n'
                    f"for f in {tools}; do cat >\"$f\" <<'E'\n{PRINT_ARGUMENTS}E\nchmod +x \"$f\"; done; : >\"$d/.built\"\n")

    @staticmethod
    def script(path, text):
        path.write_text(text)
        path.chmod(0o755)

    def builds(self):
        log = self.clone / "builds"
        return len(log.read_text().split()) if log.exists() else 0

    def launch(self, *command, cwd=None, path=None):
        env = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}") if path else None
        done = subprocess.run([str(word) for word in command], cwd=cwd or self.dir, env=env, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_builds_once_and_hands_arguments_on(self):
        for _ in range(2):
            self.assertEqual(self.launch(self.clone / "heddle", "check", "a b", ""), "heddle [check] [a b] []\n")
        self.assertEqual(self.launch("./heddle-cc", "-c", "x.c", cwd=self.clone), "heddle-cc [-c] [x.c]\n")
        self.assertEqual(self.launch(self.clone / "heddle-c++", "-v"), "heddle-c++ [-v]\n")
        self.assertEqual(self.builds(), 1)

    def test_drivers_build_too(self):
        self.assertEqual(self.launch(self.clone / "heddle-c++", "-v"), "heddle-c++ [-v]\n")
        self.assertEqual(self.builds(), 1)

    def test_through_links_and_path(self):
        bin_directory = self.dir / "bin"
        bin_directory.mkdir()
        for name in ("heddle", "heddle-cc", "heddle-c++"):
            (bin_directory / name).symlink_to(os.path.relpath(self.clone / name, bin_directory))
            (self.dir / f"second {name}").symlink_to(bin_directory / name)
        self.assertEqual(self.launch("heddle", "doctor", path=bin_directory), "heddle [doctor]\n")
        self.assertEqual(self.launch("heddle-cc", "1", path=bin_directory), "heddle-cc [1]\n")
        self.assertEqual(self.launch(self.dir / "second heddle", "2"), "heddle [2]\n")
        self.assertEqual(self.launch(self.dir / "second heddle-c++", "3"), "heddle-c++ [3]\n")
        self.assertEqual(self.launch("heddle", "4", cwd=self.dir, path=self.clone), "heddle [4]\n")

    def test_rebuilds_when_asked_and_when_head_moved(self):
        self.launch(self.clone / "heddle", "x")
        self.assertEqual(self.launch(self.clone / "heddle", "--rebuild", "x"), "heddle [x]\n")
        self.assertEqual(self.builds(), 2)
        head = self.clone / ".git/logs/HEAD"
        head.parent.mkdir(parents=True)
        head.write_text("moved")
        os.utime(head, (time.time() + 5, time.time() + 5))
        self.launch(self.clone / "heddle", "x")
        self.assertEqual(self.builds(), 3)
        os.utime(head, (1, 1))
        self.launch(self.clone / "heddle", "x")
        self.assertEqual(self.builds(), 3)

    def test_failed_build_is_exit_code_2(self):
        self.script(self.clone / "scripts/build.sh", "#!/bin/sh\nexit 1\n")
        done = subprocess.run([self.clone / "heddle", "check"], timeout=60, check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
