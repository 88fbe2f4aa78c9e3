#!/usr/bin/env python3
"""recipes_test.py HEDDLE: what the recipes say where something is missing. Building with them takes minutes and the network."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = Path(sys.argv.pop(1)).absolute()
RECIPES = sorted(path for path in (Path(__file__).resolve().parents[2] / "recipes").glob("*.sh") if path.name != "common.sh")


class Recipes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_recipe(self, recipe, *arguments, programs=()):
        """With stand-ins for `programs`, each a script by its name."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        for name, script in dict(programs).items():
            (tools / name).write_text("#!/bin/sh\n" + script)
            (tools / name).chmod(0o755)
        return subprocess.run([str(recipe), *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})

    def test_there_are_some(self):
        self.assertEqual([path.stem for path in RECIPES], ["absl", "glib", "spdlog", "tbb"])

    def test_without_a_folder_they_say_how_they_are_called(self):
        for recipe in RECIPES:
            with self.subTest(recipe=recipe.name):
                done = self.run_recipe(recipe)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"usage: recipes/{recipe.name} PREFIX", done.stderr)

    def test_without_source_packages_they_say_what_to_add(self):
        stand_ins = {"apt-get": '[ "$1" = indextargets ] && echo Packages; exit 0', "meson": "", "cmake": "", "dpkg-source": ""}
        for recipe in RECIPES:
            with self.subTest(recipe=recipe.name):
                done = self.run_recipe(recipe, self.folder / "prefix", HEDDLE.parent, programs=stand_ins)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("deb-src", done.stderr)

    def test_a_source_that_cannot_be_had_is_said(self):
        stand_ins = {"apt-get": '[ "$1" = indextargets ] && echo Sources && exit 0; echo E: Unable to find a source package; exit 100',
                     "meson": "", "cmake": "", "dpkg-source": ""}
        done = self.run_recipe(RECIPES[0], self.folder / "prefix", HEDDLE.parent, programs=stand_ins)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("apt-get source abseil failed", done.stderr)
        self.assertIn("Unable to find", done.stderr)


if __name__ == "__main__":
    unittest.main()
