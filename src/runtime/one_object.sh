#!/bin/sh
# one_object.sh LINKER AR ARCHIVE SCRIPT: link the archive's objects into a single one whose code lies in
# a section of its own (heddle_text.ld), so that the audit of a program tells our code from the program's.
set -eu
linker=$1 ar=$2 archive=$3 script=$4
object=${archive%.a}.whole.o
"$linker" -r --force-group-allocation -T "$script" --whole-archive "$archive" --no-whole-archive -o "$object"
rm -f "$archive"
"$ar" rcs "$archive" "$object"
