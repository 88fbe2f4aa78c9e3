// Builds the patch image (wire/patch.h): for each site of the audit, code that announces the access and then makes it.
//
// The site's instruction is overwritten by a jump to a trampoline, or by a trap where there is no room for a jump: the
// runtime's handler then goes on in the trampoline. There, every site that the jump has displaced is announced before its
// instruction, the displaced instructions follow in their order, and a jump leads back. What cannot be announced is noted when
// it is executed, if at least its instruction can be moved.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "machine/audit.h"
#include "wire/patch.h"

namespace heddle::machine {

// A module of the target, as it is loaded.
struct PatchModule {
  std::string path;
  std::uint64_t base = 0;  // run address minus address as linked
  wire::PatchRoom room;
  std::vector<Site> sites;
};

// A site that stays as it is.
struct Unpatched {
  std::size_t module = 0;
  std::uint64_t address = 0;  // as linked
  std::string reason;
};

struct BuiltPatches {
  std::vector<std::uint8_t> image;  // empty: nothing to do
  std::vector<Unpatched> unpatched;
  std::size_t jumps = 0, traps = 0;
};

// `entry`: the runtime's heddle_patched, in the target.
BuiltPatches build_patches(const std::vector<PatchModule>& modules, std::uint64_t entry);

}  // namespace heddle::machine
