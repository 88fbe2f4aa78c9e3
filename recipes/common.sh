# What the recipes share: fetching a distribution's source package and building it with the drivers.
#
# Each recipe is called with the folder to install into. It needs no root: sources are unpacked and
# built below that folder, and nothing outside of it is written.
set -eu

say() { echo "recipe: $*" >&2; }
fail() {
  say "$1"
  shift
  for line in "$@"; do echo "  $line" >&2; done
  exit 2
}

# begin NAME PREFIX: where things go, and which drivers build.
begin() {
  name=$1
  [ "$#" -ge 2 ] && [ -n "$2" ] || fail "usage: recipes/$name.sh PREFIX [HEDDLE-FOLDER]" \
    "PREFIX: the folder to install into; HEDDLE-FOLDER: where heddle-cc and heddle-c++ are, if not in PATH"
  mkdir -p "$2"
  prefix=$(cd "$2" && pwd)
  [ -z "${3:-}" ] || PATH=$(cd "$3" && pwd):$PATH
  work=$prefix/src/$name
  jobs=${JOBS:-$(nproc)}
  need heddle-cc "name the folder that it is in as the second argument, or put it into PATH"
  need heddle-c++ "it lies beside heddle-cc"
  need apt-get "the recipes build a Debian or Ubuntu distribution's source packages"
  need dpkg-source "apt-get install dpkg-dev"
}

# need PROGRAM ADVICE
need() { command -v "$1" >/dev/null || fail "$1 is not there" "$2"; }

# fetch PACKAGE: its source, in $source.
fetch() {
  package=$1
  apt-get indextargets --format '$(CREATED_BY)' 2>/dev/null | grep -q '^Sources$' || fail \
    "apt knows no source packages: there is no deb-src entry" \
    "add 'Types: deb deb-src' to /etc/apt/sources.list.d/*.sources (or a deb-src line to /etc/apt/sources.list)," \
    "run 'apt-get update' as root, and start the recipe again"
  mkdir -p "$work"
  cd "$work"
  source=$(unpacked)
  if [ -z "$source" ]; then
    say "fetching the source of $package"
    apt-get source --quiet --quiet "$package" >fetch.log 2>&1 || {
      tail -n 5 fetch.log >&2
      fail "apt-get source $package failed" "the whole output is in $work/fetch.log"
    }
    source=$(unpacked)
  fi
  [ -n "$source" ] || fail "apt-get source $package has left no folder in $work"
}
unpacked() { find "$work" -mindepth 1 -maxdepth 1 -type d ! -name build | head -n 1; }

# run WHAT COMMAND…: with its output in a log.
run() {
  what=$1
  shift
  say "$what"
  "$@" >"$work/$name.log" 2>&1 || {
    tail -n 15 "$work/$name.log" >&2
    fail "$what failed" "the whole output is in $work/$name.log"
  }
}

# build_with_cmake OPTIONS…
build_with_cmake() {
  need cmake "apt-get install cmake"
  run "configuring" cmake -S "$source" -B "$work/build" -DCMAKE_C_COMPILER=heddle-cc \
    -DCMAKE_CXX_COMPILER=heddle-c++ -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" \
    -DCMAKE_CXX_FLAGS="-O1 -g" -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_RPATH="$prefix/lib" "$@"
  run "building, with $jobs jobs" cmake --build "$work/build" --parallel "$jobs"
  run "installing into $prefix" cmake --install "$work/build"
}

# build_with_meson OPTIONS…
build_with_meson() {
  need meson "apt-get install meson"
  run "configuring" env CC=heddle-cc CXX=heddle-c++ LDFLAGS="-Wl,-rpath,$prefix/lib" meson setup --reconfigure "$work/build" "$source" \
    --prefix "$prefix" --libdir lib --buildtype plain -Dc_args="-O1 -g" "$@"
  run "building, with $jobs jobs" meson compile -C "$work/build" -j "$jobs"
  run "installing into $prefix" meson install -C "$work/build"
}

# finish PACKAGE-CONFIG-NAME: how to use it.
finish() {
  echo "built $name into $prefix. Link a program with it:"
  echo "  heddle c++ -g prog.cpp -o prog \\"
  echo "    \$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs $1) -Wl,-rpath,$prefix/lib"
}
