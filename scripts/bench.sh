#!/bin/sh
# bench.sh NAME [ARGUMENT…]: run one benchmark on the release build. It prints a line `figure NAME VALUE UNIT` for each figure.
# A benchmark is a script bench/NAME.py, called with --heddle PATH, or a program built from bench/.
set -eu
cd "$(dirname "$0")/.."
name=$1
shift
# On stdout there are figures only.
scripts/build.sh release -DHEDDLE_BENCH=ON >&2
program=build/release/bench/$name
if [ -f "bench/$name.py" ]; then
  exec python3 "bench/$name.py" --heddle "$PWD/build/release/heddle" "$@"
elif [ -f "$program" ] && [ -x "$program" ]; then
  exec "$program" "$@"
fi
# Scripts that can be started begin with #!; the other .py files are what they share.
there_are=$({ grep -l '^#!' bench/*.py; find bench -maxdepth 1 -name '*.cpp'; } | sed 's|bench/||; s|\.[a-z]*$||' | sort | tr '\n' ' ')
echo "heddle: there is no benchmark '$name'; there are: $there_are" >&2
exit 2
