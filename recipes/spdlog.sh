#!/bin/sh
# spdlog as a library, with the distribution's fmt compiled in: recipes/spdlog.sh PREFIX [HEDDLE-FOLDER]
. "$(dirname "$0")/common.sh"
begin spdlog "$@"
fetch spdlog
[ -f /usr/include/fmt/core.h ] || fail "fmt's headers are not there" "apt-get install libfmt-dev"
build_with_cmake -DSPDLOG_BUILD_SHARED=ON -DSPDLOG_FMT_EXTERNAL=OFF -DSPDLOG_FMT_EXTERNAL_HO=ON \
  -DSPDLOG_BUILD_EXAMPLE=OFF -DSPDLOG_BUILD_TESTS=OFF
# Programs are to compile fmt's headers as well, and not to load the distribution's libfmt.
sed -i -e 's/-DSPDLOG_FMT_EXTERNAL\b/& -DFMT_HEADER_ONLY/' -e '/^Requires: *fmt/d' \
  "$prefix/lib/pkgconfig/spdlog.pc"
finish spdlog
