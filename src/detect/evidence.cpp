#include "detect/evidence.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace heddle {

std::vector<Address> stack_of(const Trace& trace, wire::StackRecord::Owner owner, std::uint32_t index, Address pc) {
  for (const Stack& stack : trace.stacks) {
    if (stack.owner == owner && stack.owner_index == index && !stack.frames.empty()) return stack.frames;
  }
  if (pc == 0) return {};
  return {pc};
}

std::string place_text(Address address) {
  constexpr const char* kRegions = "?mhstoi";  // none, module, heap, stack, thread, other, invisible
  const auto region = static_cast<std::size_t>(wire::region_of(address));
  return fmt::format("{}{}:{:x}", region < 7 ? kRegions[region] : '?', wire::index_of(address), wire::offset_of(address));
}

std::string make_signature(FindingKind kind, std::vector<std::string> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return fmt::format("{}@{}", kind_name(kind), fmt::join(places, "+"));
}

std::string thread_text(std::uint8_t thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }

std::string report_text(const wire::Report& report) {
  const std::size_t length = std::min<std::size_t>(report.text_length, sizeof report.text);
  return std::string(report.text, strnlen(report.text, length));
}

}  // namespace heddle
