// Operations by number: what stored transitions are labelled with.
//
// A label says which thread does what to which object, and where in the code. It leaves out what may differ between two runs to the
// same place: outcome, alternative, a semaphore's count. A program has few labels, however many states it has.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/views.h"

namespace heddle {

using LabelId = std::uint32_t;
inline constexpr LabelId kNoLabel = ~0u;

class Labels {
 public:
  struct Label {
    OpView operation;  // with any alternative: the relation then is the strongest that it can be
    Address pc = 0;
  };

  LabelId of(const Event& e) { return intern(view_of(e), e.pc); }
  LabelId of(const Pending& p) { return intern(view_of(p), p.pc); }
  const Label& operator[](LabelId id) const { return labels_[id]; }
  std::size_t size() const { return labels_.size(); }

  // Both being possible, does doing one change the other?
  bool conflict(LabelId a, LabelId b) const { return wire::conflict(labels_[a].operation, labels_[b].operation); }

 private:
  struct Key {
    std::uint64_t object, argument, pc, rest;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = k.rest;
      for (std::uint64_t word : {k.object, k.argument, k.pc}) h = (h ^ word) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
      return h;
    }
  };

  LabelId intern(OpView v, Address pc) {
    v.outcome = OpView::kUnknownOutcome;
    v.alternative = wire::kAnyAlternative;
    const wire::OpClass cls = wire::op_class(v.op);
    if (cls != wire::OpClass::Memory && cls != wire::OpClass::Futex) v.size = 0;
    const Key key{v.object, v.argument, pc, std::uint64_t{v.size} << 16 | std::uint64_t{v.thread} << 8 | static_cast<std::uint64_t>(v.op)};
    const auto [it, is_new] = ids_.emplace(key, static_cast<LabelId>(labels_.size()));
    if (is_new) labels_.push_back({v, pc});
    return it->second;
  }

  std::unordered_map<Key, LabelId, Hash> ids_;
  std::vector<Label> labels_;
};

}  // namespace heddle
