#include "explore/reduction/spor.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr Address kGranule = 8;

bool is_about_memory(Op op) { return wire::op_class(op) == wire::OpClass::Memory || wire::op_class(op) == wire::OpClass::Futex; }

}  // namespace

bool Spor::is_safe(const OpView& v) const {
  if (ends_matter_) return false;
  switch (v.op) {
    case Op::ThreadCreate: case Op::ThreadJoin: case Op::BarrierResume: case Op::OnceEnd: case Op::Choose: return true;
    case Op::Read: case Op::Write: case Op::AtomicLoad: case Op::AtomicStore: case Op::AtomicRmw: case Op::AtomicCas: return is_own(v);
    default: return false;
  }
}

bool Spor::is_own(const OpView& v) const {
  for (Address a = v.object / kGranule; a <= (v.object + v.size - 1) / kGranule; ++a)
    if (const auto it = owners_.find(a); it == owners_.end() || it->second != v.thread) return false;
  return true;
}

// What is seen for the first time. True if something that was invisible no longer is.
bool Spor::note(const OpView& v) {
  if (v.op == Op::ThreadTryJoin) return !std::exchange(ends_matter_, true);
  return is_about_memory(v.op) && v.object != 0 && v.size > 0 && share(v);
}

bool Spor::share(const OpView& v) {
  bool is_news = false;
  for (Address a = v.object / kGranule; a <= (v.object + v.size - 1) / kGranule; ++a) {
    const auto [it, is_first] = owners_.emplace(a, v.thread);
    if (is_first || it->second == v.thread || it->second == wire::kNoThread) continue;
    it->second = wire::kNoThread;
    is_news = true;
  }
  return is_news;
}

// An exit of whoever has not waited for all others to end. That they have ended in this run says nothing: their last steps may
// have been invisible ones that came first for that reason only.
bool Spor::may_exit_early(std::size_t i) const {
  const std::vector<LabelId>& next = node(i).next;
  const auto exit = std::find_if(next.begin(), next.end(), [&](LabelId l) { return l != kNoLabel && labels()[l].operation.op == Op::Exit; });
  if (exit == next.end()) return false;
  ThreadSet awaited;
  awaited.add(static_cast<int>(exit - next.begin()));
  for (std::size_t k = 0; k < i; ++k)
    if (const OpView& v = labels()[label_of(k)].operation; v.op == Op::ThreadJoin) awaited.add(static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads);
  return awaited.count() < static_cast<int>(next.size());
}

void Spor::entered(std::size_t i) {
  bool is_news = !ends_matter_ && may_exit_early(i);
  ends_matter_ |= is_news;
  for (; noted_ < labels().size(); ++noted_) is_news |= note(labels()[static_cast<LabelId>(noted_)].operation);
  if (is_news && used_) start_over();
}

bool Spor::may_come_either_way(LabelId a, LabelId b) {
  if (!labels().conflict(a, b)) return false;
  if (ends_matter_ || (labels()[a].operation.op != Op::Exit && labels()[b].operation.op != Op::Exit)) return true;
  used_ = true;
  return false;
}

// One that is done already, if there is any.
ThreadSet Spor::safe_set(std::size_t i) {
  const Node& n = node(i);
  int safe = -1;
  for (int t = n.enabled.next(); t >= 0; t = n.enabled.next(t + 1))
    if (is_safe(labels()[n.next[static_cast<std::size_t>(t)]].operation) && (safe < 0 || !n.done.has(safe))) safe = t;
  if (safe < 0) return n.enabled;
  used_ = true;
  ThreadSet alone;
  alone.add(safe);
  return alone;
}

}  // namespace heddle
