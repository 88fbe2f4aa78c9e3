// The state of a run as text, and its fingerprint.
#include <xxhash.h>

#include "target/scripted/machine.h"

namespace heddle::scripted {

std::string Machine::state() const {
  std::string text;
  auto number = [&text](std::int64_t n) { text.append(reinterpret_cast<const char*>(&n), sizeof n); };
  auto set = [&](const wire::SmallSet& s) { number(static_cast<std::int64_t>(s.word[0])), number(static_cast<std::int64_t>(s.word[1])); };
  number(exited_);
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& t = threads_[i];
    number(static_cast<int>(t.status) | t.resuming << 2 | (t.resuming && t.woken) << 3 | t.joined << 4);
    number(t.ip);
    for (std::int32_t r : t.reg) number(r);
    if (timeouts_ != 0) {
      number(static_cast<std::int64_t>(t.timeouts.size()));
      for (const auto& [ip, timeouts] : t.timeouts) number(ip), number(timeouts);
    }
    if (!awaits_[i]) continue;
    number(t.watched), number(has_changed(t));
    for (int x = 0; x < kMostAwaited; ++x) number(any_changed(t, 1 << x));
  }
  for (const Variable& v : variables_) number(v.value), set(v.waiters);
  for (const Mutex& m : mutexes_) number(m.owner);
  for (const Rwlock& l : rwlocks_) number(l.writer), set(l.readers);
  for (const Condition& c : conditions_) set(c.waiters);
  for (const Semaphore& s : semaphores_) number(s.count);
  for (const Barrier& b : barriers_) number(b.arrived), set(b.waiters);
  for (const Once& o : onces_) number(o.state);
  return text;
}

wire::Fingerprint Machine::fingerprint() const {
  const std::string text = state();
  const XXH128_hash_t h = XXH3_128bits(text.data(), text.size());
  return h.low64 | h.high64 ? wire::Fingerprint{h.low64, h.high64} : wire::Fingerprint{1, 0};
}

}  // namespace heddle::scripted
