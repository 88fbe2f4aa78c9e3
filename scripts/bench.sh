#!/bin/sh
# bench.sh NAME: run one benchmark of the release build. It prints a line `figure NAME VALUE UNIT` for each figure.
# A benchmark is a program built from bench/ or a script bench/NAME.sh or bench/NAME.py, which finds the tool in $HEDDLE.
set -eu
cd "$(dirname "$0")/.."
name=$1
scripts/build.sh release -DHEDDLE_BENCH=ON
HEDDLE=$PWD/build/release/heddle
export HEDDLE
if [ -x "build/release/bench/$name" ]; then
  exec "build/release/bench/$name"
elif [ -f "bench/$name.sh" ]; then
  exec sh "bench/$name.sh"
elif [ -f "bench/$name.py" ]; then
  exec python3 "bench/$name.py"
fi
echo "heddle: there is no benchmark '$name'; there are: $(find bench -maxdepth 1 -type f 2>/dev/null | sed -n 's|bench/\(.*\)\.\(sh\|py\|cpp\)$|\1|p' | sort -u | tr '\n' ' ')" >&2
exit 2
