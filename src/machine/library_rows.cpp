#include "machine/library_rows.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace heddle::machine {
namespace {

using enum RowKind;

// By name. Names that end in * come first among those that begin alike.
#define ROW(name, kind, detail) {name, kind, detail},
constexpr LibraryRow kC[] = {
#include "library_rows.inc"
};
constexpr LibraryRow kCxx[] = {
#include "cxx_rows.inc"
};
#undef ROW

bool matches(std::string_view pattern, std::string_view symbol) {
  if (!pattern.ends_with('*')) return pattern == symbol;
  return symbol.starts_with(pattern.substr(0, pattern.size() - 1));
}

const LibraryRow* row_in(std::span<const LibraryRow> rows, std::string_view symbol) {
  const auto exact = std::lower_bound(
      rows.begin(), rows.end(), symbol,
      [](const LibraryRow& row, std::string_view name) { return row.name < name; });
  if (exact != rows.end() && exact->name == symbol) return &*exact;
  const LibraryRow* best = nullptr;  // the longest pattern
  for (const LibraryRow& row : rows)
    if (row.name.ends_with('*') && matches(row.name, symbol) &&
        (!best || row.name.size() > best->name.size()))
      best = &row;
  return best;
}

}  // namespace

const LibraryRow* c_library_row(std::string_view symbol) { return row_in(kC, symbol); }
const LibraryRow* cxx_library_row(std::string_view symbol) { return row_in(kCxx, symbol); }

}  // namespace heddle::machine
