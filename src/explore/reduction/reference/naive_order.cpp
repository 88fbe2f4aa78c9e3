#include "explore/reduction/reference/naive_order.h"

#include <algorithm>
#include <charconv>

#include "model/views.h"

namespace heddle::reference {
namespace {

using wire::OpClass;

class Order {
 public:
  explicit Order(const Trace& trace) : trace_(trace), events_(trace.events) {}

  bool direct(std::size_t i, std::size_t j) const {
    if (j + 1 == events_.size() && ends_by_last_event(trace_)) return true;
    switch (wire::relation(view_of(events_[i]), view_of(events_[j]))) {
      case wire::Relation::Independent: return false;
      case wire::Relation::Conflict: return true;
      case wire::Relation::Enables: return enables(i, j);
    }
    return true;
  }

 private:
  bool enables(std::size_t i, std::size_t j) const {
    const Event& a = events_[i];
    const Event& b = events_[j];
    if (wire::op_class(a.op) == OpClass::Thread || wire::op_class(b.op) == OpClass::Thread) return true;
    if (wire::op_class(a.op) == OpClass::Rwlock) return orders_rwlock(i, j);
    if (wire::op_class(a.op) == OpClass::Barrier) return b.op == Op::BarrierResume && round(i) <= round(arrival_of(j));
    const bool resume_a = a.op == Op::CondResume || a.op == Op::FutexResume;
    const bool resume_b = b.op == Op::CondResume || b.op == Op::FutexResume;
    const bool wakes_a = a.op == Op::CondSignal || a.op == Op::CondBroadcast || a.op == Op::FutexWake;
    const bool wakes_b = b.op == Op::CondSignal || b.op == Op::CondBroadcast || b.op == Op::FutexWake;
    if (wakes_a && resume_b) return woke(i, j);
    if (resume_a && wakes_b) return false;
    return true;  // a lock and an unlock, the two ends of a once
  }

  // An unlock of a reader orders nothing among readers.
  bool orders_rwlock(std::size_t i, std::size_t j) const {
    const std::size_t give = events_[i].op == Op::RwUnlock ? i : j;
    const std::size_t take = give == i ? j : i;
    return events_[take].op != Op::RwReadLock || !is_reader(give);
  }
  bool is_reader(std::size_t give) const {
    for (std::size_t k = give; k-- > 0;) {
      const Event& e = events_[k];
      if (e.thread != events_[give].thread || e.object != events_[give].object) continue;
      switch (e.op) {
        case Op::RwReadLock: return true;
        case Op::RwWriteLock: return false;
        case Op::RwTryReadLock: if (e.outcome == 1) return true; break;
        case Op::RwTryWriteLock: if (e.outcome == 1) return false; break;
        default: break;
      }
    }
    return false;
  }

  std::size_t round(std::size_t arrival) const {
    std::size_t n = 0;
    for (std::size_t k = 0; k < arrival; ++k) n += events_[k].op == Op::BarrierWait && events_[k].object == events_[arrival].object && events_[k].outcome == 1;
    return n;
  }
  std::size_t arrival_of(std::size_t resume) const {
    std::size_t k = resume;
    while (events_[k].op != Op::BarrierWait || events_[k].thread != events_[resume].thread) --k;
    return k;
  }

  bool woke(std::size_t i, std::size_t resume) const {
    const Event& r = events_[resume];
    std::size_t wait = resume;
    while (events_[wait].thread != r.thread || (events_[wait].op != Op::CondWait && events_[wait].op != Op::FutexWait)) --wait;
    for (std::size_t k = wait + 1; k < resume; ++k) {
      const Event& e = events_[k];
      if (e.object != r.object) continue;
      const bool all = e.op == Op::CondBroadcast || (e.op == Op::FutexWake && e.outcome != 1);
      const bool one = (e.op == Op::CondSignal || (e.op == Op::FutexWake && e.outcome == 1)) && e.alternative == r.thread;
      if (all || one) return k == i;  // the first that reached it
    }
    return false;
  }

  const Trace& trace_;
  const std::vector<Event>& events_;
};

// Forms are made for every run of every oracle: by hand, as formatting took a third of a comparison's time.
void append(std::string& text, std::uint64_t number, char behind, int base = 10) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, base);
  text.append(digits, end) += behind;
}

}  // namespace

std::vector<std::vector<bool>> naive_order(const Trace& trace) {
  const std::size_t n = trace.events.size();
  const Order order(trace);
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i-- > 0;) {
      if (before[i][j] || !order.direct(i, j)) continue;
      before[i][j] = true;
      for (std::size_t k = 0; k < i; ++k)
        if (before[k][i]) before[k][j] = true;
    }
  return before;
}

std::string canonical_form(const Trace& trace) {
  const auto before = naive_order(trace);
  std::size_t threads = 1;
  for (const Event& e : trace.events) threads = std::max<std::size_t>(threads, e.thread + 1u);
  std::vector<std::string> of_thread(threads);
  std::vector<std::uint32_t> past(threads);
  for (std::size_t j = 0; j < trace.events.size(); ++j) {
    const Event& e = trace.events[j];
    std::ranges::fill(past, 0);
    for (std::size_t i = 0; i < j; ++i) past[trace.events[i].thread] += before[i][j];
    std::string& text = of_thread[e.thread];
    append(text, static_cast<std::uint64_t>(e.op), '.');
    append(text, e.object, '.', 16);
    append(text, e.alternative, '.');
    append(text, e.outcome, '[');
    for (const std::uint32_t n : past) append(text, n, ',');
    text.back() = ']';
  }
  std::string form;
  for (const std::string& text : of_thread) (form += text) += '|';
  return form;
}

}  // namespace heddle::reference
