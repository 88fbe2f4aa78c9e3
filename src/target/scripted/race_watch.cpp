#include "target/scripted/race_watch.h"

#include <algorithm>

namespace heddle::scripted {

void RaceWatch::reset(int threads, int variables) {
  threads_ = threads;
  clocks_.resize(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    clock(t).assign(static_cast<std::size_t>(threads), 0);
    clock(t)[static_cast<std::size_t>(t)] = 1;
  }
  accesses_.assign(static_cast<std::size_t>(threads * variables * 2), {});
}

void RaceWatch::acquire(int thread, const Clock& from) {
  Clock& c = clock(thread);
  for (std::size_t i = 0; i < from.size(); ++i) c[i] = std::max(c[i], from[i]);
}

void RaceWatch::release(int thread, Clock& into) {
  const Clock& c = clock(thread);
  into.resize(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i) into[i] = std::max(into[i], c[i]);
  ++clock(thread)[static_cast<std::size_t>(thread)];
}

void RaceWatch::start(int parent, int child) {
  acquire(child, clock(parent));
  ++clock(parent)[static_cast<std::size_t>(parent)];
}

RaceWatch::Access& RaceWatch::last(int variable, int thread, bool write) {
  return accesses_[static_cast<std::size_t>((variable * threads_ + thread) * 2 + write)];
}

void RaceWatch::report(int thread, int other, int variable, bool write, bool atomic, bool other_write, Address address, Address pc,
                       std::uint32_t step, std::vector<wire::Report>& reports) {
  const Access& before = last(variable, other, other_write);
  const bool ordered = before.time <= clock(thread)[static_cast<std::size_t>(other)];
  if (before.time == 0 || ordered || (atomic && before.atomic)) return;
  wire::Report r;
  r.kind = wire::ReportKind::DataRace;
  r.thread = static_cast<std::uint8_t>(thread);
  r.other_thread = static_cast<std::uint8_t>(other);
  r.access = static_cast<std::uint8_t>((write ? wire::kAccessWrite : 0) | (atomic ? wire::kAccessAtomic : 0));
  r.other_access = static_cast<std::uint8_t>((other_write ? wire::kAccessWrite : 0) | (before.atomic ? wire::kAccessAtomic : 0));
  r.step = step;
  r.size = r.other_size = 4;
  r.address = address;
  r.pc = pc;
  r.other_pc = before.pc;
  reports.push_back(r);
}

void RaceWatch::access(int thread, int variable, bool write, bool atomic, Address address, Address pc, std::uint32_t step,
                       std::vector<wire::Report>& reports) {
  for (int other = 0; other < threads_; ++other) {
    if (other == thread) continue;
    report(thread, other, variable, write, atomic, true, address, pc, step, reports);
    if (write) report(thread, other, variable, write, atomic, false, address, pc, step, reports);
  }
  last(variable, thread, write) = {clock(thread)[static_cast<std::size_t>(thread)], atomic, pc};
}

}  // namespace heddle::scripted
