#include "explore/reduction/protection.h"

namespace heddle {
namespace {

constexpr Address kGranule = 8;

Address first_granule(const OpView& v) { return v.object / kGranule; }
Address last_granule(const OpView& v) { return (v.object + v.size - 1) / kGranule; }

bool only_reads(Op op) { return op == Op::Read || op == Op::AtomicLoad || op == Op::StateRead || op == Op::Await; }

}  // namespace

bool Protection::note(const OpView& v, const Holding& held) {
  const LockSet locks = only_reads(v.op) ? held.any() : held.exclusive;
  bool is_news = false;
  for (Address a = first_granule(v); a <= last_granule(v); ++a) {
    const auto [it, is_first] = granules_.emplace(a, Granule{v.thread, locks});
    if (is_first) continue;
    Granule& g = it->second;
    const bool was_safe = is_safe(g);
    if (g.owner != v.thread) g.owner = wire::kNoThread;
    g.locks &= locks;
    is_news |= was_safe && !is_safe(g);
  }
  return is_news;
}

bool Protection::distrust(LockSet lock) {
  const bool was_trusted = trusts(lock);
  trusted_ &= ~lock;
  return was_trusted;
}

bool Protection::is_protected(const OpView& v) const {
  if (v.size == 0) return false;
  for (Address a = first_granule(v); a <= last_granule(v); ++a)
    if (const auto it = granules_.find(a); it == granules_.end() || !is_safe(it->second)) return false;
  return true;
}

}  // namespace heddle
