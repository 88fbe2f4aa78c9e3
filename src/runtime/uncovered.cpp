#include "runtime/uncovered.h"

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

bool is_equal(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

bool is_equal(const wire::UncoveredNote& a, const wire::UncoveredNote& b) {
  return a.pc == b.pc && a.kind == b.kind && is_equal(a.function, b.function) &&
         is_equal(a.reason, b.reason);
}

}  // namespace

void note_uncovered(wire::UncoveredKind kind, uint64_t pc, const char* function, const char* reason) {
  if (heddle_mode == Mode::Passive || !R().segment) return;
  wire::UncoveredTable& table = R().segment->uncovered;
  if (table.count >= (uint32_t)wire::kMaxUncovered) {
    ++table.dropped;
    return;
  }
  wire::UncoveredNote& note = table.notes[table.count];  // it counts once it turns out to be new
  note.pc = pc ? name_of(pc) : 0;
  note.kind = kind;
  Text(note.function, sizeof note.function) << (function ? function : "");
  Text(note.reason, sizeof note.reason) << reason;
  for (uint32_t i = 0; i < table.count; ++i)
    if (is_equal(table.notes[i], note)) return;
  __atomic_store_n(&table.count, table.count + 1, __ATOMIC_RELEASE);  // another process reads it
}

}  // namespace heddle::rt
