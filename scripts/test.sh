#!/bin/sh
# test.sh [CTEST-OPTION…]: set up, build the preset `ci` and run all its tests: unit tests of every folder, the compiler drivers,
# and the real programs of tests/. Ends with ctest's summary; the exit code is 0 only if all passed.
cd "$(dirname "$0")/.." || exit 2
scripts/build.sh ci || exit 1
exec ctest --preset ci "$@"
