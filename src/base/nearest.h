// "Did you mean …": the known word that a mistyped one is closest to.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Edit distance with insertions, deletions, substitutions and swaps of neighbours, each costing 1.
int edit_distance(std::string_view a, std::string_view b);

// The closest candidate, if it is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace heddle
