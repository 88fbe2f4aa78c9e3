#!/bin/sh
# list_symbols.sh ARCHIVE OUT: write a linker dynamic list of every symbol the runtime offers to the program's libraries.
set -eu
{
  echo "{"
  readelf -sW "$1" | awk '$5 != "LOCAL" && $6 == "DEFAULT" && $7 != "UND" && NF >= 8 { print "  " $8 ";" }' | sort -u
  echo "};"
} >"$2.tmp"
mv "$2.tmp" "$2"
