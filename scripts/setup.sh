#!/bin/sh
# setup.sh [build|test|dev]: install what is missing from the distribution's packages (Debian 12 and relatives).
#
# Looks first and starts nothing when nothing is missing. Needs root or sudo only when something is. Never asks questions.
#   build  what ./heddle and make need          test  … and what make test and make bench need
#   dev    … and the formatter and linter
set -eu
group=${1:-build}
missing=

want_command() { # COMMAND PACKAGE: any installation of the command will do
  command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

want_packages() { # PACKAGE…
  if ! command -v dpkg-query >/dev/null 2>&1; then
    return 0 # another distribution: cmake will name what it cannot find
  fi
  installed=" $(dpkg-query -W -f='${db:Status-Abbrev}${Package} ' "$@" 2>/dev/null | sed 's/ii //g') "
  for package; do
    case $installed in
      *" $package "*) ;;
      *) missing="$missing $package" ;;
    esac
  done
}

want_command gcc gcc
want_command g++ g++
want_command make make
want_command cmake cmake
want_command ninja ninja-build
want_command ccache ccache
want_command pkg-config pkg-config
want_command python3 python3
libraries="libc6-dev libfmt-dev nlohmann-json3-dev libcli11-dev libdw-dev libelf-dev libxxhash-dev libzydis-dev"
case $group in
  test | dev)
    want_command clang clang
    want_command ld.lld lld
    want_command mpirun openmpi-bin
    want_command gdb gdb
    libraries="$libraries libgtest-dev libbenchmark-dev"
    ;;
esac
if [ "$group" = dev ]; then
  want_command clang-format clang-format
  want_command clang-tidy clang-tidy
fi
# MPI is optional. Whoever has mpirun may want to start heddle with it, and then the compiler needs the headers of the same MPI.
if ! command -v mpicc >/dev/null 2>&1; then
  case $missing:$(mpirun --version 2>/dev/null) in
    *openmpi* | *"Open MPI"*) libraries="$libraries libopenmpi-dev" ;;
    *HYDRA*) libraries="$libraries libmpich-dev" ;;
  esac
fi
# shellcheck disable=SC2086  # lists of words
want_packages $libraries

[ -n "$missing" ] || exit 0
missing=${missing# }

if ! command -v apt-get >/dev/null 2>&1; then
  echo "heddle: please install the equivalents of these Debian packages: $missing" >&2
  exit 2
fi
as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "heddle: packages are missing. As root, run: apt-get install $missing" >&2
    exit 2
  fi
  as_root=sudo
  [ -t 0 ] || as_root="sudo -n"
fi

echo "heddle: installing $missing" >&2
install_missing() {
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing </dev/null
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The package lists of a fresh machine are empty or old: fetch them only if they do not do.
if ! install_missing >"$log" 2>&1; then
  $as_root apt-get update >"$log" 2>&1 && install_missing >>"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    echo "heddle: the packages could not be installed. By hand: apt-get update && apt-get install $missing" >&2
    exit 2
  }
fi
