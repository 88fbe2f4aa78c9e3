#include "report/uncovered.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "report/wording.h"

namespace heddle {
namespace {

// "access in worker at main.c:12, 3 places: inline assembly"
std::string line_of(const Uncovered& u) {
  std::string line = u.what;
  if (!u.function.empty()) line += (u.what == "call" ? " of " : " in ") + u.function;
  if (!u.where.empty()) line += " at " + u.where;
  if (u.count > 1) line += fmt::format(", {} places", u.count);
  return line + (u.reason.empty() ? "" : ": " + u.reason);
}

std::uint64_t places_in(const std::vector<Uncovered>& uncovered) {
  return std::accumulate(uncovered.begin(), uncovered.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Uncovered& u) { return sum + u.count; });
}

}  // namespace

std::string text_of(const OrderPair& pair, Places& places, const std::string& directory) {
  auto text_of = [&](const AtomicAccess& a) {
    const SourceFrame frame = user_frame({a.pc}, places);
    return fmt::format("{} ({}) in {} at {}", atomic_op_name(a.op), order_name(a.order), frame.function, place_of(frame, directory));
  };
  return fmt::format("{} and {}", text_of(pair.first), text_of(pair.second));
}

Uncovered named(const UncoveredNote& note, Places& places, const std::string& directory) {
  Uncovered u{uncovered_name(note.kind), note.function, "", note.reason, 1};
  if (note.pc == 0) return u;
  const SourceFrame frame = user_frame({note.pc}, places);
  u.where = place_of(frame, directory);
  if (u.function.empty()) u.function = frame.function;
  return u;
}

namespace {

void name_pairs(Outcome& outcome, Places& places, const std::string& directory) {
  if (!relies_on_orders(outcome.order_pairs)) return;
  sort_by_weight(outcome.order_pairs);
  for (const OrderPair& pair : outcome.order_pairs)
    outcome.order_texts.push_back(text_of(pair, places, directory));
  outcome.assumes.push_back(
      "sequential consistency: the program relies on memory orders that were not explored; "
      "nothing orders the " +
      outcome.order_texts.front());
}

}  // namespace

void name_places(Outcome& outcome, const std::vector<Uncovered>& before, Places& places,
                 const std::string& directory) {
  std::vector<UncoveredNote> notes = std::move(outcome.uncovered_notes);
  outcome.uncovered_notes.clear();
  std::sort(notes.begin(), notes.end());  // workers tell them in any order
  add_uncovered(outcome.uncovered, before);
  for (const UncoveredNote& note : notes)
    add_uncovered(outcome.uncovered, named(note, places, directory));
  name_pairs(outcome, places, directory);
  qualify(outcome);
}

std::string uncovered_text(const std::vector<Uncovered>& uncovered, std::size_t most_lines,
                           const Style& style) {
  if (uncovered.empty()) return "";
  const std::uint64_t count = places_in(uncovered);
  std::string text = style.bold("not seen by heddle") +
                     fmt::format(", {} place{}:\n", count, count == 1 ? "" : "s");
  const std::size_t shown = std::min(uncovered.size(), most_lines);
  for (std::size_t i = 0; i < shown; ++i) text += "  " + line_of(uncovered[i]) + "\n";
  if (shown < uncovered.size())
    text += style.dim(fmt::format("  {} more; --json=FILE has all\n", uncovered.size() - shown));
  return text;
}

}  // namespace heddle
