// What heddle does not see of the program: places get their names, and the text report a short list.
#pragma once
#include <string>
#include <vector>

#include "explore/outcome.h"
#include "replay/places.h"
#include "report/style.h"

namespace heddle {

// "store (relaxed) in writer at a.c:12 and load (acquire) in reader at a.c:30".
std::string text_of(const OrderPair& pair, Places& places, const std::string& directory);

// A note of the target as users see it. `directory`: file names are told relative to it.
Uncovered named(const UncoveredNote& note, Places& places, const std::string& directory);

// Puts the targets' notes, with their places, and what was found `before` the search into
// outcome.uncovered, and into order_texts, and takes the verdict down to what they allow.
void name_places(Outcome& outcome, const std::vector<Uncovered>& before, Places& places,
                 const std::string& directory);

// "3 places that heddle does not see" and the first of them, a line each. Empty: there are none.
std::string uncovered_text(const std::vector<Uncovered>& uncovered, std::size_t most_lines,
                           const Style& style);

}  // namespace heddle
