// Happens-before of a run, and the races in it that could have gone the other way.
//
// One pass over the trace with vector clocks and a short history per object: linear in the number of events times the number
// of threads. The order is that of wire/dependency.h plus what synchronisation enables: an unlock before the lock it lets in,
// a signal before the resume it causes, all arrivals before those who leave the barrier, a thread's last event before its join.
//
// A race (e, e') is reversible if e' could have happened without e: e' is not ordered after e by what it cannot do without, and its
// operation is enabled after everything that e did not cause. e' may also be the operation that an unfinished thread was left
// with, disabled threads included: a thread that never got its lock is in a race with whoever took it (docs/papers.md, traps).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/object_history.h"
#include "model/trace.h"
#include "model/views.h"

namespace heddle {

struct Race {
  std::uint32_t first = 0;       // where the other order departs from this run: just before this event
  std::uint32_t second = 0;      // event, or events.size() + i for the pending operation i
  OpView operation;              // of `second`, as it would be in the other order
  Choice choice;                 // to take it; kAnyAlternative where the other order may change its alternatives
  bool alternative = false;      // `second` is `first` with another alternative
  std::uint32_t removed_begin = 0;  // what must not have happened: [begin, end) of removed(); its earliest is `first`
  std::uint32_t removed_end = 0;
  bool pending_enabled = false;  // `second` was possible, but asleep, when the run was cut short
  bool fatal = false;            // `second` ends the run, also in the other order
  bool then_end = false;         // the event that ended the run ends it in the other order too, after `second`
};

class Causality {
 public:
  // Races are collected for second events from `new_from` on (those before were seen in earlier runs) and for pending operations.
  // REQUIRES the first `unchanged` events are those of the trace analysed before, and not all of them: their clocks are still there.
  void analyse(const Trace& trace, std::size_t new_from = 0, std::size_t unchanged = 0);
  // The same, with the races of the part that is unchanged. REQUIRES all traces so far were analysed so.
  void analyse_all(const Trace& trace, std::size_t unchanged);

  std::size_t size() const { return positions_.size(); }
  int threads() const { return static_cast<int>(stride_); }
  // How many events of each thread are in the past of event i, itself included; of pending operation i - size() beyond the end.
  std::span<const std::uint32_t> clock(std::size_t i) const { return {&clocks_[i * stride_], stride_}; }
  std::uint32_t position(std::size_t i) const { return positions_[i]; }  // of event i in its thread, from 1
  // REQUIRES event i; j may be a pending operation, as above.
  bool before(std::size_t i, std::size_t j) const { return clocks_[j * stride_ + trace_->events[i].thread] >= positions_[i]; }

  const std::vector<Race>& races() const { return races_; }
  std::span<const std::uint32_t> removed(const Race& r) const {
    return {removed_.data() + r.removed_begin, r.removed_end - r.removed_begin};
  }
  // The race's second half with another event before it. REQUIRES that they conflict, and that it does not happen before the
  // operation that its thread did last.
  Race with_first(const Race& race, std::uint32_t first);
  // Does event i, which comes after race.first, still happen when the race goes the other way?
  bool kept(const Race& race, std::uint32_t i) const {
    for (std::uint32_t gone : removed(race))
      if (before(gone, i)) return false;
    return true;
  }
  // Needs event i nothing that happens after race.first? Then it could be the first step of the other order. REQUIRES kept(race, i).
  bool is_initial(const Race& race, std::uint32_t i) const { return youngest_[i] == kNoEvent || youngest_[i] < race.first; }
  // The first event of `thread` at `from` or later, or kNoEvent.
  std::uint32_t next_of(std::uint8_t thread, std::uint32_t from) const;
  // Between the two halves of the race: the first event of each thread, where it is kept. In the order of the run.
  void first_steps(const Race& race, std::vector<std::uint32_t>& steps) const;

 private:
  using Row = std::uint32_t*;
  Row row(std::size_t i) { return &clocks_[i * stride_]; }
  bool in(const Row clock, std::uint32_t event) const { return clock[trace_->events[event].thread] >= positions_[event]; }

  void prepare(const Trace& trace);
  void forget_races(std::size_t from);
  void visit_all(std::size_t unchanged);
  void visit(std::uint32_t i);
  void visit_again(std::uint32_t i);
  void visit_pending(std::uint32_t k);
  void join_past(Row clock) const;
  std::uint32_t latest_of_past() const;
  void begin_operation(const OpView& v);
  void relate(const OpView& v);        // fills past and candidates from the objects' histories
  void remember(std::uint32_t i);      // brings the histories up to date
  void end_the_run(std::uint32_t i);   // the last event, if nothing may be moved across it
  bool ends_other_order(const Race& race) const;
  void collect(std::uint32_t second, const OpView& v);
  bool overtaken(std::size_t k) const;
  void name_alternatives(const AlternativeSet& alternatives);
  void collect_alternatives(std::uint32_t i);

  // relate(), by class
  void relate_read(const OpView& v, Address at, std::uint32_t size);
  void relate_write(const OpView& v);
  void relate_mutex(std::uint8_t thread, std::uint8_t role, Address mutex);
  bool holds(const ObjectHistory& rwlock, std::uint8_t thread) const;
  void relate_rwlock(const OpView& v);
  void relate_queue(const OpView& v);
  void relate_resume(const OpView& v);
  void relate_semaphore(const OpView& v);
  void relate_barrier(const OpView& v);
  void relate_once(const OpView& v);
  void relate_thread(const OpView& v);
  // remember(), by class
  void remember_memory(std::uint32_t i);
  void remember_mutex(std::uint32_t i, std::uint8_t role, Address mutex);
  void remember_rwlock(std::uint32_t i);
  void remember_queue(std::uint32_t i);
  void remember_semaphore(std::uint32_t i);
  void remember_barrier(std::uint32_t i);
  void remember_once(std::uint32_t i);
  void remember_thread(std::uint32_t i);

  void follows(std::uint32_t e) {  // e is in the past
    if (e != kNoEvent) past_.push_back(e);
  }
  void races_with(std::uint32_t e) {  // e is in the past, and the order may be reversible
    if (e == kNoEvent) return;
    past_.push_back(e);
    candidates_.push_back(e);
  }
  void needs(std::uint32_t e);  // e is in the past of every run that has this operation

  bool possible_without(std::uint32_t e, const OpView& v);  // fills removing_
  bool possible_unasked(std::uint32_t e, const OpView& v) const;  // without the try-join e. REQUIRES it is what is being removed
  bool over_without(std::uint32_t e, const OpView& v);
  bool semaphore_open_without(std::uint32_t e, const OpView& v);
  bool once_idle_without(std::uint32_t e, const OpView& v);
  bool lock_free_without(Address lock, wire::OpClass cls, const OpView& v);
  std::uint32_t holder_without(const ObjectHistory& lock, const OpView& v) const;
  bool stays(std::uint32_t e, std::uint32_t first) const;   // e happens although removing_ does not
  OpView in_other_order(const OpView& v) const;
  std::uint8_t exchange_in_other_order(std::uint32_t second, const OpView& v) const;
  Race& add_race(std::uint32_t second, const OpView& v, Choice choice);

  const Trace* trace_ = nullptr;
  std::size_t new_from_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> clocks_;     // size() rows
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> youngest_;   // event → the latest of those before it, kNoEvent if there are none
  std::vector<std::vector<std::uint32_t>> of_thread_;  // its events
  std::vector<std::uint32_t> last_of_;    // thread → its last event so far
  std::vector<std::uint32_t> created_by_;
  std::vector<std::uint32_t> woken_by_;   // thread → what woke it from its queue
  std::vector<std::uint32_t> saved_depth_;
  std::vector<std::uint32_t> before_;     // event → the one before it among the acquisitions or arrivals of its object
  std::vector<std::uint32_t> release_;    // acquisition → its release
  ThreadSet asked_;                       // threads that a try-join has asked about
  LatestPerThread writes_;                // all memory: for an Await that names no location
  LatestPerThread anywhere_awaits_;
  ObjectTable objects_;

  // Of the operation at hand.
  std::uint32_t now_ = 0;                 // its index; from size() on it is pending
  std::vector<std::uint32_t> required_;   // clock of what it cannot do without
  std::uint32_t latest_required_ = kNoEvent;
  std::vector<std::uint32_t> past_, candidates_, removing_, looked_at_;
  std::size_t by_objects_ = 0;            // candidates [0, by_objects_): the rest only because the run ends here
  struct Reversible {
    std::uint32_t event, begin, end;  // removals: [begin, end) of pool_
    bool by_objects;
  };
  std::vector<Reversible> reversible_;
  std::vector<std::uint32_t> pool_;

  std::vector<std::uint32_t> end_needs_;  // clock of what the last event depends on, apart from ending the run
  std::vector<Race> races_;
  std::vector<std::uint32_t> removed_;
};

}  // namespace heddle
