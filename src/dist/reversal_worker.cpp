#include "dist/reversal_worker.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace heddle {

namespace {

std::unique_ptr<ReversalSearch> as_reversal_search(std::unique_ptr<Reduction> reduction) {
  auto* search = dynamic_cast<ReversalSearch*>(reduction.get());
  HEDDLE_CHECK(search != nullptr, "an algorithm that cannot be divided");
  reduction.release();
  return std::unique_ptr<ReversalSearch>(search);
}

}  // namespace

// Where runs are cut, another algorithm may have to go on; when they are no longer, it may not: what two algorithms plan for one trunk does not go together.
void ReversalWorker::take_up(const Terms& terms) {
  if (search_ == nullptr || terms.cut_runs != terms_.cut_runs || terms.preemptions != terms_.preemptions) {
    std::unique_ptr<Reduction> reduction = make_();
    if (std::unique_ptr<Reduction> bounded = reduction->with_bound(terms.preemptions)) reduction = std::move(bounded);
    std::unique_ptr<Reduction> other = terms.cut_runs ? reduction->for_cut_runs() : nullptr;
    search_ = as_reversal_search(std::move(other ? other : reduction));
    if (terms.cut_runs) search_->expect_cuts();
    foresight_.emplace(program_, *search_, foresee_);
  }
  terms_ = terms;
}

Status ReversalWorker::begin(const Command& command) {
  foresight_->forget();
  tally_.unused += foresight_->take_unused();
  if (Status shown = show(command.terms); !shown) return shown;
  take_up(command.terms);
  unit_ = command.unit;
  search_->confine(unit_);
  marks_.clear();
  first_ = true;
  return Nothing{};
}

void ReversalWorker::step() {
  std::optional<Request> request = search_->next();
  if (!request) {
    foresight_->forget();
    tally_.unused += foresight_->take_unused();
    return finish();
  }
  request->timeouts = terms_.timeouts;
  Result<Trace> trace = foresight_->run(*request);
  if (!trace) return fail(trace.error());
  tally_.unused += foresight_->take_unused();
  const Tally before = tally_;
  if (!count(*request, *trace)) return;
  if (!report_.hidden.empty() || (trace->end == wire::End::StepLimit && !terms_.cut_runs)) return give_up();
  search_->learn(*request, *trace);
  if (const auto bound = search_->preemption_bound()) tally_.left_out_for_preemptions |= bound->cut;
  while (!marks_.empty() && marks_.back().depth >= search_->branching()) marks_.pop_back();
  marks_.push_back({search_->branching(), before});
  if (std::exchange(first_, false)) {
    const std::size_t end = std::min(search_->floor(), trace->events.size());
    for (std::size_t i = unit_.fresh; i < end; ++i) report_.path.push_back(search_->taken(i));
  }
  replay_check_.remember(std::move(trace->events));
  if (search_->owes_at_most(1) == 0) return;  // this was all: told at once with the end of the unit
  look_around();
}

// What has been sent as settled lies above the floor, and says nothing of what is left below.
double ReversalWorker::promised_runs() const {
  const auto made = static_cast<double>(tally_.runs() - sent_.runs());
  const double seen = search_->seen();
  return made * (1 - seen) / seen;
}

void ReversalWorker::unload() {
  report_.cut = search_->cut();
  const Tally settled = settled_at(search_->floor());
  report_.settled = settled.since(sent_);
  sent_ = settled;
}

void ReversalWorker::take_snapshot() {
  report_.snapshot = search_->snapshot(steps_a_cut_);
  if (!report_.snapshot) return;
  report_.kept = settled_at(search_->floor() + report_.snapshot->states.size()).since(sent_);
}

// What need not be done again by somebody who begins at this depth of the path: runs from the one that entered the branch there
// would be made again.
Tally ReversalWorker::settled_at(std::size_t floor) const {
  Tally settled = tally_;
  for (const Mark& mark : marks_)
    if (mark.depth < floor) settled = mark.before;
  settled.max_depth = tally_.max_depth;
  settled.threads = tally_.threads;
  return settled;
}

void ReversalWorker::complete_report() {
  report_.reversals = search_->take_reversals();
  report_.seen = search_->seen();
}

}  // namespace heddle
