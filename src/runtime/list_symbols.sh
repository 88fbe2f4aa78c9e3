#!/bin/sh
# list_symbols.sh ARCHIVE OUT: write a linker dynamic list of every symbol the runtime offers to the program's libraries.
# Each has one definition: of two, the linker would take the first without a word.
set -eu
names=$(readelf -sW "$1" | awk '$5 != "LOCAL" && $6 == "DEFAULT" && $7 != "UND" && NF >= 8 { print $8 }' | sort)
twice=$(echo "$names" | uniq -d)
if [ -n "$twice" ]; then
  echo "the runtime defines twice:" $twice >&2
  echo "a function with a hook of its own is \`own:\` in src/runtime/library/functions.txt" >&2
  exit 1
fi
{
  echo "{"
  echo "$names" | sed 's/.*/  &;/'
  echo "};"
} >"$2.tmp"
mv "$2.tmp" "$2"
