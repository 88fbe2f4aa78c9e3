#!/bin/sh
# test.sh: all tests of the preset `ci`: unit and driver tests (ctest), then the real programs (tests/run.py).
# Runs both even if the first fails; the exit code is 0 only if all passed.
set -u
cd "$(dirname "$0")/.."
scripts/build.sh ci || exit 1
failed=0
ctest --preset ci || failed=1
if [ -f tests/run.py ]; then
  HEDDLE=$PWD/build/ci/heddle python3 tests/run.py || failed=1
fi
exit $failed
