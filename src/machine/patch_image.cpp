#include "machine/patch_image.h"

#include <algorithm>
#include <cstring>

#include "machine/trampoline.h"

namespace heddle::machine {
namespace {

template <class T> void append(std::vector<std::uint8_t>& to, const T* from, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  to.insert(to.end(), bytes, bytes + count * sizeof(T));
  to.resize((to.size() + 7) & ~std::size_t{7});
}

// What is gathered over all modules.
struct Parts {
  std::vector<std::uint8_t> codes;
  std::uint32_t code_count = 0;
  std::vector<wire::PatchWrite> writes;
  std::vector<wire::PatchMoved> moved;
};

void add(Parts& parts, const Trampolines& t) {
  if (t.writes().empty()) return;
  const std::vector<std::uint8_t>& bytes = t.code().bytes();
  const wire::PatchCode code{t.code().begin(), (bytes.size() + 7) & ~std::uint64_t{7}};
  append(parts.codes, &code, 1);
  append(parts.codes, bytes.data(), bytes.size());
  ++parts.code_count;
  parts.writes.insert(parts.writes.end(), t.writes().begin(), t.writes().end());
  parts.moved.insert(parts.moved.end(), t.moved().begin(), t.moved().end());
}

void leave_all(BuiltPatches& built, std::size_t module, const std::vector<Site>& sites, const char* reason) {
  for (const Site& s : sites) built.unpatched.push_back({module, s.address, reason});
}

}  // namespace

BuiltPatches build_patches(const std::vector<PatchModule>& modules, std::uint64_t entry) {
  BuiltPatches built;
  Parts parts;
  Notes notes;
  for (std::size_t m = 0; m < modules.size(); ++m) {
    const PatchModule& module = modules[m];
    if (module.sites.empty()) continue;
    const Result<CodeBytes> code = CodeBytes::read(module.path);
    if (!code || module.room.begin == module.room.end) {
      leave_all(built, m, module.sites, code ? "there is no room near the module" : "its code cannot be read");
      continue;
    }
    Trampolines trampolines(module.sites, *code, module.base, module.room, entry, notes);
    trampolines.build();
    for (const Trampolines::Left& left : trampolines.left()) built.unpatched.push_back({m, left.address, left.reason});
    add(parts, trampolines);
  }
  for (const wire::PatchWrite& w : parts.writes) ++(w.length == wire::kJumpLength ? built.jumps : built.traps);
  if (parts.writes.empty()) return built;
  std::sort(parts.writes.begin(), parts.writes.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  std::sort(parts.moved.begin(), parts.moved.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  const wire::PatchImage header{parts.code_count, static_cast<std::uint32_t>(parts.writes.size()), static_cast<std::uint32_t>(parts.moved.size()), 0};
  append(built.image, &header, 1);
  built.image.insert(built.image.end(), parts.codes.begin(), parts.codes.end());
  append(built.image, parts.writes.data(), parts.writes.size());
  append(built.image, parts.moved.data(), parts.moved.size());
  return built;
}

}  // namespace heddle::machine
