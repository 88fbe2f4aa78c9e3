#!/bin/sh
# oneTBB for programs under test: recipes/tbb.sh PREFIX [HEDDLE-FOLDER]
. "$(dirname "$0")/common.sh"
begin tbb "$@"
fetch onetbb
build_with_cmake -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON
finish tbb
