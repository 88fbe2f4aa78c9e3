#include "cli/coverage.h"

#include <map>

#include <fmt/format.h>

#include "machine/imports.h"

namespace heddle {

namespace {

Uncovered without_row(const machine::ForeignCall& call) {
  const bool known = call.row != nullptr;
  return {"call", call.function, call.caller,
          known ? fmt::format("nobody looks at what it reads and writes ({})", call.row->detail)
                : fmt::format("{} has no row in the table of library functions", call.library)};
}

// Of a library that is neither instrumented nor described: one entry, with the functions that are called.
Uncovered of_library(const std::string& library, const std::vector<const machine::ForeignCall*>& calls) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < calls.size() && i < kNamed; ++i) names += (i ? ", " : "") + calls[i]->function;
  if (calls.size() > kNamed) names += ", …";
  return {"library", library, calls.front()->caller, fmt::format("it is not instrumented, and what its functions access is not known: {}", names),
          calls.size()};
}

std::vector<Uncovered> uncovered_imports(const ProcessProgram& program) {
  std::vector<machine::LoadedFile> files;
  for (const wire::Module& module : program.modules()) files.push_back({module.path, module.instrumented != 0});
  const std::vector<machine::ForeignCall> calls = machine::foreign_calls(files);
  std::vector<Uncovered> uncovered;
  std::map<std::string, std::vector<const machine::ForeignCall*>> others;
  for (const machine::ForeignCall& call : calls) {
    if (!call.standard) others[call.library].push_back(&call);
    else if (!call.is_covered()) add_uncovered(uncovered, without_row(call));
  }
  for (const auto& [library, its_calls] : others) add_uncovered(uncovered, of_library(library, its_calls));
  return uncovered;
}

}  // namespace

std::vector<Uncovered> uncovered_before_search(const ProcessProgram& program) {
  return uncovered_imports(program);
}

}  // namespace heddle
