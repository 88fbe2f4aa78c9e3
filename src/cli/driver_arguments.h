// What a gcc or clang command line asks for, as far as a driver must know: does it compile, does it link, and how.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle {

struct Arguments {
  std::vector<std::string> words;   // to hand on: @files as they were, unless something in them had to be edited

  bool has_input = false;
  bool compiles = false;            // some input becomes code (or is preprocessed): not only objects and assembly
  bool links = false;
  bool instrument = true;           // false: the user said -fno-sanitize=thread
  bool shared = false;
  bool relocatable = false;         // -r
  bool no_standard_library = false;
  bool fully_static = false;
  bool forbids_undefined = false;   // -z defs, --no-undefined
  bool drops_debug_info = false;    // -g0
  bool counts = false;              // --coverage and its like; left out of words
  std::string other_machine;        // -m32 and its like
  std::string foreign_sanitizer;    // one that cannot live together with ThreadSanitizer's code generation
};

// Fails on an @file that cannot be read only where the compiler would: such a word is handed on as it is.
Arguments parse_arguments(const std::vector<std::string>& words);

// Words of a response file, by gcc's rules: white space separates, quotes and backslashes protect.
std::vector<std::string> split_response_file(const std::string& text);

}  // namespace heddle
