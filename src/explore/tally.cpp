#include "explore/tally.h"

#include <map>

namespace heddle {
namespace {

// Tells the thread what another one has done, and orders nothing: a try that fails, a time-out, a look at a count.
bool looks_without_order(const Event& e) {
  switch (e.op) {
    case Op::MutexTryLock:
    case Op::RwTryReadLock:
    case Op::RwTryWriteLock:
    case Op::SemTryWait:
    case Op::FutexWait: return e.outcome != 1;
    case Op::MutexTimedLock:
    case Op::RwTimedReadLock:
    case Op::RwTimedWriteLock:
    case Op::SemTimedWait: return e.alternative != 0;
    case Op::ThreadTryJoin: return e.outcome != 1 || e.alternative != 0;
    case Op::SemGetValue: return true;
    default: return false;
  }
}

bool overlap(const Event& a, const Event& b) { return a.object < b.object + b.size && b.object < a.object + a.size; }

}  // namespace

bool exchanges_beside_plain(const std::vector<Event>& events) {
  std::vector<const Event*> exchanges;
  for (const Event& e : events) {
    if (e.op == Op::AtomicCas) exchanges.push_back(&e);
    if (e.op != Op::Read && e.op != Op::Write) continue;
    if (std::any_of(exchanges.begin(), exchanges.end(), [&](const Event* x) { return x->thread != e.thread && overlap(*x, e); })) return true;
  }
  return false;
}

bool shares_objects(const std::vector<Event>& events) {
  struct User {
    std::uint8_t thread;
    bool changes;
  };
  std::multimap<Address, User> users;
  for (const Event& e : events) {
    const wire::OpClass cls = wire::op_class(e.op);
    if (cls == wire::OpClass::Thread || cls == wire::OpClass::Choice || cls == wire::OpClass::Process || e.op == Op::Await) continue;
    const bool changes = e.op != Op::Read && e.op != Op::AtomicLoad;
    const auto [begin, end] = users.equal_range(e.object);
    bool known = false;
    for (auto it = begin; it != end; ++it) {
      if (it->second.thread != e.thread && (changes || it->second.changes)) return true;
      known |= it->second.thread == e.thread && it->second.changes == changes;
    }
    if (!known) users.insert({e.object, {e.thread, changes}});
  }
  return false;
}

void Tally::count(const Request& request, const Trace& trace) {
  const bool is_cut = trace.end == wire::End::StepLimit && request.max_steps != 0;  // as the reduction wanted
  if (trace.end == wire::End::Revisited) ++revisits;
  else ++(is_cut || trace.end == wire::End::SleepBlocked ? blocked : executions);
  table_full |= trace.visited_full;
  unordered |= trace.weak_orders;
  accessed |= trace.accessed;
  shared = shared || trace.shared || shares_objects(trace.events);
  if (request.capture != Capture::None) unordered |= std::any_of(trace.events.begin(), trace.events.end(), looks_without_order) || exchanges_beside_plain(trace.events);
  if (request.capture == Capture::UntilVisited) states += trace.states.size() - (trace.end == wire::End::Revisited);
  std::size_t repeated = std::min(request.prefix.size(), trace.events.size());
  if (request.capture == Capture::UntilVisited && repeated > 0) --repeated;  // the last step asked for is new
  replayed += repeated;
  transitions += trace.events.size() - repeated;
  max_depth = std::max<std::uint64_t>(max_depth, trace.events.size());
  threads = std::max<std::uint64_t>(threads, trace.threads);
  timeouts_spent |= trace.timeouts.spent;
  most_timeouts = std::max(most_timeouts, trace.timeouts.most);
  if (trace.end == wire::End::StepLimit) most_timeouts_when_cut = std::max(most_timeouts_when_cut, trace.timeouts.most);
  hit_step_limit |= trace.end == wire::End::StepLimit && !is_cut;
}

void Tally::put_into(Statistics& s) const {
  s.executions = executions;
  s.blocked = blocked;
  s.transitions = transitions;
  s.replayed = replayed;
  s.max_depth = max_depth;
  s.threads = threads;
  s.states = states;
  s.revisits = revisits;
}

}  // namespace heddle
