#!/bin/sh
# tidy.sh [FILE…]: clang-tidy over the given sources, or over all of src/ but the runtime.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev
[ -f build/dev/compile_commands.json ] || cmake --preset dev >/dev/null
# shellcheck disable=SC2046  # our file names have no spaces
[ $# -gt 0 ] || set -- $(find src -name '*.cpp' ! -path 'src/runtime/*' | sort)
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p build/dev
