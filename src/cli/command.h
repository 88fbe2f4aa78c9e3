// The subcommands of `heddle`, one file each. main.cpp only dispatches.
//
// Every command is called with argv[0] being its own name ("check"), returns the exit code of the process and prints
// results to stdout, talk to stderr.
#pragma once
#include "base/result.h"

namespace heddle {

int run_cc(int argc, char** argv);      // driver.cpp
int run_cxx(int argc, char** argv);     // driver.cpp
int run_check(int argc, char** argv);   // check_command.cpp
int run_replay(int argc, char** argv);  // replay_command.cpp
int run_report(int argc, char** argv);  // report_command.cpp
int run_audit(int argc, char** argv);   // audit_command.cpp
int run_doctor(int argc, char** argv);  // doctor.cpp

// Says what went wrong and what to try next, each on one line of stderr. Answers the error's exit code.
int print_error(const Error& error);    // print_error.cpp

}  // namespace heddle
