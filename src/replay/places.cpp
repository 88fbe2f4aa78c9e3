#include "replay/places.h"

#include <fmt/format.h>

namespace heddle {

std::vector<SourceFrame> RecordedPlaces::code(Address pc) {
  auto it = frames.find(pc);
  if (it != frames.end() && !it->second.empty()) return it->second;
  return {SourceFrame{"?", "", 0, plain_code_name(pc), false}};
}

std::string RecordedPlaces::data(Address address) {
  auto it = names.find(address);
  return it != names.end() ? it->second : plain_data_name(address);
}

namespace {
std::string owner_name(std::uint32_t thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }
}  // namespace

std::string plain_data_name(Address address) {
  const auto index = wire::index_of(address);
  const auto offset = wire::offset_of(address);
  switch (wire::region_of(address)) {
    case wire::Region::Module: return fmt::format("module {}+{:#x}", index, offset);
    case wire::Region::Heap: return fmt::format("heap block of {} ({:#x})", owner_name(index), offset);
    case wire::Region::Stack: return fmt::format("stack of {} ({:#x})", owner_name(index), offset);
    case wire::Region::Thread: return owner_name(index);
    case wire::Region::Other: return fmt::format("foreign memory {:#x}", offset);
    case wire::Region::Hidden: return wire::hidden_text(address);
    case wire::Region::None: break;
  }
  return address == 0 ? "nothing" : fmt::format("{:#x}", address);
}

std::string plain_code_name(Address pc) {
  if (pc == 0) return "unknown code";
  return plain_data_name(pc);
}

}  // namespace heddle
