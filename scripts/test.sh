#!/bin/sh
# test.sh: all tests of the preset `ci`: unit and driver tests (ctest), then the real programs (tests/run.py).
# Runs both even if the first fails; the exit code is 0 only if all passed.
set -u
cd "$(dirname "$0")/.." || exit 2
scripts/build.sh ci || exit 1
failed=0
ctest --preset ci || failed=1
if [ -f tests/run.py ]; then
  python3 tests/run.py --heddle build/ci/heddle || failed=1
fi
exit $failed
