// Programs of generate() whose threads fail in the middle, and forget to give back what they hold: runs that end by whatever operation comes before, while others
// wait for it.
#include <algorithm>

#include "base/splitmix.h"
#include "generator.h"

namespace heddle::generated {
namespace {

using scripted::Code;
using scripted::Instruction;
using scripted::Script;
using scripted::ThreadScript;

// Instructions come and go: nothing may name their places.
bool has_jumps(const Script& script) {
  return std::any_of(script.threads.begin(), script.threads.end(), [](const ThreadScript& t) {
    return std::any_of(t.code.begin(), t.code.end(), [](const Instruction& i) { return i.code == Code::Jump || i.code == Code::JumpIf; });
  });
}

bool gives_back(const Instruction& i) {
  return i.code == Code::Unlock || i.code == Code::RwUnlock || i.code == Code::OnceEnd || i.code == Code::SemPost;
}

class Spoiler {
 public:
  explicit Spoiler(std::uint64_t seed) : random_(seed) {}

  void spoil(ThreadScript& t) {
    if (below(3) == 0) forget(t);
    if (below(2) == 0) fail(t);
  }

 private:
  std::size_t below(std::size_t n) { return random_.next() % n; }

  void forget(ThreadScript& t) {
    const auto it = std::find_if(t.code.begin(), t.code.end(), [this](const Instruction& i) { return gives_back(i) && below(2) == 0; });
    if (it != t.code.end()) t.code.erase(it);
  }

  void fail(ThreadScript& t) {
    ThreadScript failure;
    failure.check(0, scripted::Test::Equal, 99, static_cast<int>(50 + below(9)));  // no register ever is
    t.code.insert(t.code.begin() + static_cast<std::ptrdiff_t>(below(t.code.size() + 1)), failure.code.front());
  }

  SplitMix random_;
};

}  // namespace

Script generate_failing(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    const std::uint64_t own = seed * 0x9e3779b97f4a7c15ULL + k;
    Script s = generate(own);
    if (has_jumps(s)) continue;
    Spoiler spoiler(own);
    for (ThreadScript& t : s.threads) spoiler.spoil(t);
    if (is_sensible(s)) return s;
  }
}

}  // namespace heddle::generated
