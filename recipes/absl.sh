#!/bin/sh
# Abseil (absl::Mutex, absl::Notification, …) for programs under test: recipes/absl.sh PREFIX [HEDDLE-FOLDER]
. "$(dirname "$0")/common.sh"
begin absl "$@"
fetch abseil
build_with_cmake -DCMAKE_CXX_STANDARD=17 -DABSL_PROPAGATE_CXX_STD=ON -DBUILD_TESTING=OFF
finish absl_synchronization
