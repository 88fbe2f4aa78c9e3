#!/bin/sh
# spdlog as a library, with its own copy of fmt inside or the distribution's headers: recipes/spdlog.sh PREFIX [HEDDLE-FOLDER]
. "$(dirname "$0")/common.sh"
begin spdlog "$@"
fetch spdlog
[ -f /usr/include/fmt/core.h ] || fail "fmt's headers are not there" "apt-get install libfmt-dev"
build_with_cmake -DSPDLOG_BUILD_SHARED=ON -DSPDLOG_FMT_EXTERNAL_HO=ON -DSPDLOG_BUILD_EXAMPLE=OFF \
  -DSPDLOG_BUILD_TESTS=OFF
finish spdlog
