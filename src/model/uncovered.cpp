#include "model/uncovered.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

bool is_same(const Uncovered& a, const Uncovered& b) {
  return a.what == b.what && a.function == b.function && a.where == b.where && a.reason == b.reason;
}

}  // namespace

const char* uncovered_name(wire::UncoveredKind kind) {
  switch (kind) {
    case wire::UncoveredKind::Access: return "access";
    case wire::UncoveredKind::Call: return "call";
    case wire::UncoveredKind::Library: return "library";
    case wire::UncoveredKind::Code:
    case wire::UncoveredKind::kCount: break;
  }
  return "code";
}

void add_uncovered(std::vector<Uncovered>& all, const Uncovered& one) {
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Uncovered& u) { return is_same(u, one); });
  if (known == all.end()) {
    all.push_back(one);
  } else {
    known->count += one.count;
  }
}

void add_uncovered(std::vector<Uncovered>& all, const std::vector<Uncovered>& more) {
  for (const Uncovered& one : more) add_uncovered(all, one);
}

void add_notes(std::vector<UncoveredNote>& all, const std::vector<UncoveredNote>& more) {
  for (const UncoveredNote& note : more)
    if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(note);
}

}  // namespace heddle
