// A deadlock is explained by its wait-for cycle where it has one: every thread in it waits for what the next one holds.
// Without a cycle somebody waits for an event that can no longer come (a signal, a post), and all who wait are shown.
#include "detect/deadlock.h"

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {
namespace {

using wire::StackRecord;

const Pending* pending_of(const Trace& trace, std::uint8_t thread) {
  auto it = std::find_if(trace.pending.begin(), trace.pending.end(), [&](const Pending& p) { return p.thread == thread; });
  return it == trace.pending.end() ? nullptr : &*it;
}

// Whom a thread waits for, if that is one thread.
std::uint8_t waits_for(const Pending& p) {
  if (p.holder != wire::kNoThread) return p.holder;
  const bool joins = p.op == Op::ThreadJoin && wire::region_of(p.object) == wire::Region::Thread;
  return joins ? static_cast<std::uint8_t>(wire::index_of(p.object)) : wire::kNoThread;
}

// What it waits for, in words that fit after "waits for".
std::string awaited(const Pending& p) {
  switch (wire::op_class(p.op)) {
    case wire::OpClass::Mutex:
      return "a mutex";
    case wire::OpClass::Rwlock:
      return "a read-write lock";
    case wire::OpClass::Cond:
      return p.holder == wire::kNoThread ? "a condition variable" : "the mutex of a condition variable";
    case wire::OpClass::Semaphore:
      return "a semaphore";
    case wire::OpClass::Barrier:
      return "a barrier";
    case wire::OpClass::Once:
      return "a once-initialisation";
    case wire::OpClass::Futex:
      return "an atomic wait (futex)";
    case wire::OpClass::Thread:
      return fmt::format("the end of {}", thread_text(static_cast<std::uint8_t>(wire::index_of(p.object))));
    case wire::OpClass::Memory:
      return "a change of memory";
    default:
      return wire::op_text(p.op);
  }
}

std::string clause(const Pending& p) {
  std::string text = fmt::format("{} waits for {}", thread_text(p.thread), awaited(p));
  if (wire::op_class(p.op) == wire::OpClass::Thread) return text;
  if (p.holder != wire::kNoThread)
    return fmt::format("{} held by {}", text, p.holder == p.thread ? "itself" : thread_text(p.holder));
  return text + " that nobody can serve";
}

std::vector<const Pending*> participants(const Trace& trace) {
  std::vector<const Pending*> threads;
  for (std::uint8_t thread : wait_for_cycle(trace)) threads.push_back(pending_of(trace, thread));
  if (!threads.empty()) return threads;
  for (const Pending& p : trace.pending) threads.push_back(&p);
  return threads;
}

bool takes(const Event& e, const Pending& wanted) {
  const bool resumes = e.op == Op::CondResume && e.argument == wanted.object;  // takes the mutex back
  return e.thread == wanted.holder &&
         (resumes || (e.object == wanted.object && wire::op_class(e.op) == wire::op_class(wanted.op)));
}

// Where the holder took what `p` waits for: its last operation that acquired it, since it has not let go.
std::vector<Address> where_taken(const Trace& trace, const Pending& p) {
  for (std::size_t i = trace.events.size(); i-- > 0;) {
    if (takes(trace.events[i], p))
      return stack_of(trace, StackRecord::OfEvent, static_cast<std::uint32_t>(i), trace.events[i].pc);
  }
  return {};
}

void involve(Finding& finding, const Trace& trace, const Pending& p) {
  const auto index = static_cast<std::uint32_t>(&p - trace.pending.data());
  finding.involved.push_back(
      {p.thread, "waits for " + awaited(p), p.object, p.size, stack_of(trace, StackRecord::OfPending, index, p.pc)});
  if (p.holder == wire::kNoThread || wire::op_class(p.op) == wire::OpClass::Thread) return;
  finding.involved.push_back({p.holder, "holds it", p.object, p.size, where_taken(trace, p)});
}

// Code places tell bugs apart; so do global objects, since every std::mutex is locked from the same line of the library.
std::string place_of(const Pending& p) {
  const bool global = wire::region_of(p.object) == wire::Region::Module;
  return fmt::format("{}/{}{}", wire::op_name(p.op), place_text(p.pc),
                     global ? fmt::format("/{}", place_text(p.object)) : "");
}

}  // namespace

std::vector<std::uint8_t> wait_for_cycle(const Trace& trace) {
  for (const Pending& start : trace.pending) {
    std::vector<std::uint8_t> path;
    for (const Pending* p = &start; p != nullptr; p = pending_of(trace, waits_for(*p))) {
      auto seen = std::find(path.begin(), path.end(), p->thread);
      if (seen != path.end()) return {seen, path.end()};
      path.push_back(p->thread);
    }
  }
  return {};
}

Finding deadlock_finding(const Trace& trace) {
  const std::vector<const Pending*> threads = participants(trace);
  const bool spinning = std::any_of(threads.begin(), threads.end(), [](const Pending* p) { return p->op == Op::Await; });
  Finding finding;
  finding.kind = spinning ? FindingKind::Livelock : FindingKind::Deadlock;
  finding.choices = choices_of(trace);
  finding.step = static_cast<std::uint32_t>(trace.events.size());
  std::vector<std::string> clauses, places;
  for (const Pending* p : threads) {
    clauses.push_back(
        p->op == Op::Await ? fmt::format("{} loops for ever, waiting for memory that nobody will change", thread_text(p->thread))
                           : clause(*p));
    places.push_back(place_of(*p));
    involve(finding, trace, *p);
  }
  finding.message = fmt::format("{}: {}", kind_name(finding.kind), fmt::join(clauses, ", "));
  finding.signature = make_signature(finding.kind, std::move(places));
  return finding;
}

}  // namespace heddle
