#!/bin/sh
# GLib (GMutex, GThread, GAsyncQueue, …) for programs under test: recipes/glib.sh PREFIX [HEDDLE-FOLDER]
. "$(dirname "$0")/common.sh"
begin glib "$@"
need meson "apt-get install meson libpcre2-dev libffi-dev zlib1g-dev"
fetch glib2.0
build_with_meson -Dtests=false -Dselinux=disabled -Dlibmount=disabled -Dlibelf=disabled -Dman=false
finish "glib-2.0 gthread-2.0"
