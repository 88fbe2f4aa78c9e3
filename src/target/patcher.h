// Has the loaded modules of a target audited, and builds the patches that announce what no hook does (wire/patch.h).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/audit.h"
#include "machine/patch_image.h"
#include "model/uncovered.h"
#include "wire/wire.h"

namespace heddle {

class Patcher {
 public:
  // Audits a file that will be needed, while there is time.
  void prepare(const std::string& path) { audit_of(path); }

  // For the target of this segment, which waits. Empty: nothing to patch, or more than `most` bytes.
  std::vector<std::uint8_t> image(const wire::Segment& segment, std::uint64_t most);

  // The target of this segment goes on as it is.
  void leave_all(const wire::Segment& segment);

  // What is as it was in the last target, and made in silence.
  const std::vector<UncoveredNote>& left() const { return left_; }

 private:
  const machine::Audit& audit_of(const std::string& path);
  std::vector<machine::PatchModule> modules_of(const wire::Segment& segment);
  void leave(const std::vector<machine::PatchModule>& modules, const char* reason);

  std::map<std::string, machine::Audit> audits_;
  std::vector<UncoveredNote> left_;
};

}  // namespace heddle
