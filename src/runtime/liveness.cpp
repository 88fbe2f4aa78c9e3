// Which of the registers that a callee keeps will still be read when a hook has returned. The others hold what is left over from earlier, such as the
// value of a shared variable that was read some time ago; counting that as state would make a difference between states where there is none.
//
// Found by following the code from the hook's return address on, along all branches: a register that is written before it is read on every way is
// dead. Whatever cannot be followed (an unknown instruction, a jump to a computed address, the end of the function, too long a way) needs all of them;
// so does a call that may end in a landing pad. The answer for a place in the code is found once.
#include "runtime/instruction.h"
#include "runtime/patch.h"
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

constexpr int kMostInstructions = 400;
constexpr int kMostPaths = 64;

int32_t load32(uint64_t address) {
  int32_t n;
  heddle_rt_memcpy(&n, reinterpret_cast<const void*>(address), sizeof n);
  return n;
}

// Functions whose frames may be entered again by an exception have a description that names a place for such entries ("L").
bool has_landing_pads(const wire::Module& module, uint64_t pc) {
  uint64_t header = R().frame_tables[&module - R().segment->modules];
  if (!header) return true;
  auto* encoding = reinterpret_cast<const uint8_t*>(header);
  bool as_usual = encoding[0] == 1 && encoding[1] == 0x1b && encoding[2] == 0x03 && encoding[3] == 0x3b;
  if (!as_usual) return true;
  uint64_t table = header + 12;
  uint32_t low = 0, high = (uint32_t)load32(header + 8);  // the entry is in [low, high)
  if (!high || pc < header + (int64_t)load32(table)) return true;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    (pc < header + (int64_t)load32(table + 8ULL * middle) ? high : low) = middle;
  }
  uint64_t description = header + (int64_t)load32(table + 8ULL * low + 4);
  uint64_t common = description + 4 - (uint32_t)load32(description + 4);
  for (auto* c = reinterpret_cast<const char*>(common + 9); *c; ++c)
    if (*c == 'L') return true;
  return false;
}

// As it was before it was patched: what a trampoline announces does not change which registers are read.
Instruction decode_original(uint64_t at) {
  uint8_t code[15];
  original_code(at, code, sizeof code);
  return InstructionDecoder::decode(code, at);
}

class Follower {
 public:
  explicit Follower(uint64_t from) : module_(module_of(from)) { branch(from, kKeptRegisters); }

  RegisterSet live() {
    while (paths_) {
      --paths_;
      follow(path_[paths_].at, path_[paths_].unknown);
    }
    return live_;
  }

 private:
  struct Place {
    uint64_t at;
    RegisterSet unknown;  // neither read nor written on the way here
  };

  void branch(uint64_t at, RegisterSet unknown) {
    if (paths_ == kMostPaths) live_ |= unknown;
    else path_[paths_++] = {at, unknown};
  }

  bool is_full() const { return seen_count_ == kMostInstructions; }
  bool may_be_decoded(uint64_t at) const { return module_ && at >= module_->begin && at + 16 < module_->end; }

  // Was it already followed from here for all these registers? If not, and there is room to remember it, it is from now on.
  bool known(uint64_t at, RegisterSet unknown) {
    for (int i = 0; i < seen_count_; ++i) {
      if (seen_[i].at != at) continue;
      if ((unknown & ~seen_[i].unknown) == 0) return true;
      seen_[i].unknown |= unknown;
      return false;
    }
    if (!is_full()) seen_[seen_count_++] = {at, unknown};
    return false;
  }

  void follow(uint64_t at, RegisterSet unknown) {
    while (unknown) {
      if (known(at, unknown)) return;
      Instruction i = may_be_decoded(at) && !is_full() ? decode_original(at) : Instruction{};
      live_ |= unknown & i.reads;
      unknown &= (RegisterSet) ~(i.reads | i.writes);
      switch (i.flow) {
        case Flow::Next: break;
        case Flow::Call:
          if (!has_landing_pads(*module_, at)) break;
          live_ |= unknown;
          return;
        case Flow::Branch: branch(i.target, unknown); break;
        case Flow::Jump: at = i.target - i.length; break;
        case Flow::Unknown:
        case Flow::JumpAnywhere:
        case Flow::Return: live_ |= unknown; return;
      }
      at += i.length;
    }
  }

  const wire::Module* module_;
  RegisterSet live_ = 0;
  Place path_[kMostPaths];
  int paths_ = 0;
  Place seen_[kMostInstructions];
  int seen_count_ = 0;
};

}  // namespace

uint16_t live_registers(uint64_t return_address) {
  auto& slot = R().liveness[(return_address * 0x9e3779b97f4a7c15ULL >> 40) % kLivenessSlots];
  if (slot.at != return_address) slot = {return_address, Follower(return_address).live()};
  return slot.live;
}

}  // namespace heddle::rt
