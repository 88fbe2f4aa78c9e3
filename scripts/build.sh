#!/bin/sh
# build.sh PRESET [CMAKE-OPTION…]: set up, configure and build one preset of CMakePresets.json, incrementally.
#
# Talks on stderr only, in a few lines; everything else goes to build/PRESET.log. Two of them at once wait for each other.
# Leaves build/PRESET/.built, dated at the start of the last good build: ./heddle compares it with the time HEAD moved.
set -eu
preset=$1
shift
cd "$(dirname "$0")/.."
mkdir -p "build/$preset"
log=build/$preset.log

exec 9>build/.lock
flock -n 9 || { [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != 0 ] || echo "heddle: waiting for another build" >&2; flock 9; }

case $preset in
  release) group=build ;;
  *) group="test" ;;
esac
[ $# = 0 ] || group="test"
scripts/setup.sh "$group"

started=$(date +%s)
stamp=build/$preset/.building
: >"$stamp"

give_up() {
  # The first failure is the one that matters; cmake and ninja go on talking after it.
  awk '/FAILED:|CMake Error/ { found = 1 } found && lines++ < 60' "$log" >&2
  echo "heddle: the build of preset '$preset' failed; the whole log is in $PWD/$log" >&2
  exit 1
}

: >"$log"
# A clone that was moved: what cmake has written down is about the place where it was.
old_place=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null || :)
if [ -n "$old_place" ] && ! [ "$old_place" -ef . ]; then
  rm -rf "build/$preset"
  mkdir -p "build/$preset"
  : >"$stamp"
fi
# MPI that was installed after the last time is to be found, too.
new_mpi() { [ ! -e "build/$preset/heddle-mpi.so" ] && command -v mpicc >/dev/null 2>&1; }
if [ $# != 0 ] || [ ! -f "build/$preset/build.ninja" ] || new_mpi; then
  echo "heddle: configuring preset '$preset'" >&2
  cmake --preset "$preset" "$@" >"$log" 2>&1 || give_up
fi

# A line at every quarter of a longer build. The pipe would lose ninja's exit code: a file carries it.
result=build/$preset/.result
{
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}" 2>&1 && echo 0 >"$result" || echo 1 >"$result"
} | tee -a "$log" | awk -v preset="$preset" '
  match($0, /^\[[0-9]+\/[0-9]+\]/) {
    split(substr($0, 2, RLENGTH - 2), n, "/")
    quarter = int(4 * n[1] / n[2])
    if (n[2] >= 8 && quarter > shown) { shown = quarter; print "heddle: building preset \047" preset "\047, " 25 * quarter " %" ; fflush() }
  }
  /warning: / { print; fflush() }' >&2
[ "$(cat "$result")" = 0 ] || give_up
mv "$stamp" "build/$preset/.built"

seconds=$(($(date +%s) - started))
[ "$seconds" -lt 5 ] || echo "heddle: built preset '$preset' in $seconds s" >&2
