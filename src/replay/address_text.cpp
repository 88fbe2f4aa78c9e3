#include "replay/address_text.h"

#include <charconv>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::string_view kLetters = "0mhstoi";  // one per wire::Region, in order

template <class T>
bool read_number(std::string_view text, T& number, int base) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return failure == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string address_text(Address address) {
  if (address == 0) return "0";
  const auto region = static_cast<std::size_t>(wire::region_of(address));
  if (region >= kLetters.size()) return fmt::format("x0+{:x}", address);
  return fmt::format("{}{}+{:x}", kLetters[region], wire::index_of(address), wire::offset_of(address));
}

std::optional<Address> parse_address(std::string_view text) {
  if (text == "0") return 0;
  const std::size_t plus = text.find('+');
  if (text.empty() || plus == std::string_view::npos) return std::nullopt;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;
  if (!read_number(text.substr(1, plus - 1), index, 10) || !read_number(text.substr(plus + 1), offset, 16)) return std::nullopt;
  if (text.front() == 'x') return offset;
  const std::size_t region = kLetters.find(text.front());
  if (region == std::string_view::npos || index > 0xfff || offset > 0xffff'ffff'ffffULL) return std::nullopt;
  return wire::make_address(static_cast<wire::Region>(region), index, offset);
}

}  // namespace heddle
