// What instrumented code calls in libraries that are not: found in the dynamic symbols of the
// files, without looking at code.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "machine/library_rows.h"

namespace heddle::machine {

// A file that is loaded, in the order in which the loader looks for symbols.
struct LoadedFile {
  std::string path;
  bool instrumented = false;
};

struct DynamicSymbols {
  std::vector<std::string> undefined;
  std::unordered_map<std::string, bool> defined;  // true: a function
};

Result<DynamicSymbols> dynamic_symbols(const std::string& path);

// A function of a library without instrumentation that an instrumented file imports.
struct ForeignCall {
  std::string function;
  std::string library;              // the file's name without its folder
  std::string caller;               // likewise
  bool standard = false;            // of the C or C++ library
  const LibraryRow* row = nullptr;  // of a standard one; null: there is none

  bool is_covered() const { return row != nullptr && row->kind != RowKind::Unmodelled; }
};

// Every one, covered or not. Files that cannot be read export nothing.
std::vector<ForeignCall> foreign_calls(const std::vector<LoadedFile>& files);

}  // namespace heddle::machine
