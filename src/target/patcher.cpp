#include "target/patcher.h"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

wire::Address place_in(std::size_t module, std::uint64_t address) {
  return wire::make_address(wire::Region::Module, static_cast<std::uint32_t>(module), address);
}

}  // namespace

// What cannot be audited is one gap.
const machine::Audit& Patcher::audit_of(const std::string& path) {
  const auto known = audits_.find(path);
  if (known != audits_.end()) return known->second;
  Result<machine::Audit> audit = machine::audit_cached(path);
  if (audit) return audits_[path] = std::move(*audit);
  machine::Audit none;
  none.gaps.push_back({0, 0, audit.error().what});
  return audits_[path] = std::move(none);
}

// All that are loaded, so that their numbers are those of addresses. Only instrumented ones have sites.
std::vector<machine::PatchModule> Patcher::modules_of(const wire::Segment& segment) {
  left_.clear();
  std::vector<machine::PatchModule> modules(std::min<std::size_t>(segment.module_count, wire::kMaxModules));
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const wire::Module& m = segment.modules[i];
    modules[i].path.assign(m.path, strnlen(m.path, sizeof m.path));
    modules[i].base = m.base;
    modules[i].room = segment.patch_rooms[i];
    if (m.instrumented == 0) continue;
    const machine::Audit& audit = audit_of(modules[i].path);
    modules[i].sites = audit.sites;
    for (const machine::Gap& gap : audit.gaps) left_.push_back({wire::UncoveredKind::Code, gap.address == 0 ? 0 : place_in(i, gap.address), "", gap.why});
  }
  return modules;
}

void Patcher::leave(const std::vector<machine::PatchModule>& modules, const char* reason) {
  for (std::size_t m = 0; m < modules.size(); ++m)
    for (const machine::Site& s : modules[m].sites) left_.push_back({wire::UncoveredKind::Access, place_in(m, s.address), "", reason});
}

void Patcher::leave_all(const wire::Segment& segment) { leave(modules_of(segment), "the compiler announces it to nobody"); }

std::vector<std::uint8_t> Patcher::image(const wire::Segment& segment, std::uint64_t most) {
  const std::vector<machine::PatchModule> modules = modules_of(segment);
  machine::BuiltPatches built = machine::build_patches(modules, segment.patch_entry);
  if (built.image.size() > most) {
    leave(modules, "there are too many to be patched");
    return {};
  }
  for (machine::Unpatched& u : built.unpatched)
    left_.push_back({wire::UncoveredKind::Access, place_in(u.module, u.address), "", std::move(u.reason)});
  return std::move(built.image);
}

}  // namespace heddle
