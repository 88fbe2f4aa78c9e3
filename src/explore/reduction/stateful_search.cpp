#include "explore/reduction/stateful_search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace heddle {
namespace {

ThreadSet minus(ThreadSet a, const ThreadSet& b) {
  for (int w = 0; w < 2; ++w) a.word[w] &= ~b.word[w];
  return a;
}

// A script may create a thread twice, which ends its run.
bool was_created_before(const Trace& trace, std::size_t event) {
  if (event + 1 < trace.events.size()) return false;
  const Event& last = trace.events[event];
  return std::any_of(trace.events.begin(), trace.events.begin() + static_cast<std::ptrdiff_t>(event),
                     [&](const Event& e) { return e.op == Op::ThreadCreate && e.object == last.object; });
}

std::uint8_t u8(int i) { return static_cast<std::uint8_t>(i); }

bool is_plain(Op op) { return op == Op::Read || op == Op::Write; }
bool is_access(Op op) {
  return is_plain(op) || op == Op::AtomicLoad || op == Op::AtomicStore || op == Op::AtomicRmw || op == Op::AtomicCas;
}

// No thread can go on, or none is left.
bool is_stuck_or_done(wire::End end) {
  return end == wire::End::Deadlock || end == wire::End::TimeoutLimit || end == wire::End::Completed;
}

using RaceKey = std::tuple<Address, Address, Address>;

// Whether a compare-exchange exchanges depends on the state. So often it is looked at beside another atomic access.
constexpr std::uint32_t kMostExchangesShown = 16;

RaceKey race_key(Address object, Address pc, Address other) {
  return {object, std::min(pc, other), std::max(pc, other)};
}

}  // namespace

// --- asking ----------------------------------------------------------------------------------------------------------

std::optional<Request> StatefulSearch::next() {
  if (!witnesses_.empty()) {
    asked_ = Asked::Witness;
    shown_ = std::move(witnesses_.front());
    witnesses_.pop_front();
    return shown_.request;
  }
  asked_ = Asked::Run;
  if (!started_) {
    started_ = true;
    Request request;
    request.capture = Capture::UntilVisited;
    request.forget_visited = started_over_;
    orderer_.go_on(request);
    return request;
  }
  while (depth_ > 0) {
    const std::size_t i = depth_ - 1;
    Node& n = path_[i];
    if (const int a = n.untried.next(); a >= 0) {
      n.untried.remove(a);
      return explore(i, {n.taken.thread, u8(a)});
    }
    if (n.taken.thread != wire::kNoThread) n.done.add(n.taken.thread);
    const ThreadSet left = minus(is_whole(i) ? n.enabled : owed(i), n.done);
    if (orderer_.visited_first()) {
      if (const ThreadSet untold = minus(left, n.attempted); !untold.empty()) return attempt(i, orderer_.first(untold));
    }
    if (!left.empty()) return explore(i, {u8(orderer_.first(left)), wire::kAnyAlternative});
    leave();
    if (!witnesses_.empty()) return next();
  }
  if (atomic_pairs_.empty()) return std::nullopt;
  witnesses_ = std::exchange(atomic_pairs_, {});
  return next();
}

Request StatefulSearch::request_to(std::size_t depth) {
  poll_.ask(depth);
  Request request;
  request.prefix.reserve(depth + 2);
  for (std::size_t i = 0; i < depth; ++i) request.prefix.push_back(path_[i].taken);
  return request;
}

Request StatefulSearch::explore(std::size_t i, Choice choice) {
  path_[i].taken = choice;
  Request request = request_to(i + 1);
  request.capture = Capture::UntilVisited;
  request.capture_from = static_cast<std::uint32_t>(i + 1);
  request.next_shares = next_branch(i);
  orderer_.go_on(request);
  return request;
}

// Where the search will go on, if this step leads to a known state: a guess, that costs nothing if it is wrong.
std::uint32_t StatefulSearch::next_branch(std::size_t i) {
  auto may_owe = [&](const Node& n, std::size_t at) {
    ThreadSet done = n.done;
    if (n.taken.thread != wire::kNoThread) done.add(n.taken.thread);
    return !n.untried.empty() || !minus(at_most(at), done).empty();
  };
  while (i > 0 && !may_owe(path_[i], i)) --i;
  return static_cast<std::uint32_t>(i);
}

void StatefulSearch::leave() {
  const std::size_t i = depth_ - 1;
  left(i);
  const auto endless = cycles_.close(path_[i].number, poll_);
  const bool counts = endless && (endless->can_be_left ? options_.livelocks == Livelocks::Possible : options_.livelocks != Livelocks::Ignore);
  if (counts && endless_seen_.insert(endless->labels).second) show(*endless);
  --depth_;
}

void StatefulSearch::begin_again() {
  start_over_ = false;
  started_ = false;
  started_over_ = true;
  depth_ = 0;
  cycles_.clear();
  forget();
}

// --- learning --------------------------------------------------------------------------------------------------------

void StatefulSearch::learn(const Request& request, const Trace& trace) {
  if (asked_ == Asked::Witness) return learn_witness(trace);
  if (asked_ == Asked::Attempt) return learn_attempt(trace);
  const std::size_t from = request.prefix.size();
  HEDDLE_CHECK(from == depth_, "a stateful search learns about a path it did not ask for");
  if (trace.events.size() < from || (from == 0 && trace.states.empty())) {
    lost_ = true;  // what the run passed may be in the table all the same
    return;
  }
  if (from > 0) settle_alternatives(trace.events[from - 1]);
  read_operations(trace, from);
  extend(trace, from);
  learned(trace, from > 0 ? from - 1 : 0);
  if (start_over_) begin_again();
}

void StatefulSearch::settle_alternatives(const Event& first) {
  Node& n = path_[depth_ - 1];
  HEDDLE_CHECK(first.thread == n.taken.thread, "a stateful search: the run took another thread than it was asked to");
  n.outcome = first.outcome;
  if (n.taken.alternative != wire::kAnyAlternative) return;
  n.taken.alternative = first.alternative;
  n.untried = first.alternatives;
  n.untried.remove(first.alternative);
}

// What each thread is about to do in each state from `from` on: its next step in this run, or what it is left with.
void StatefulSearch::read_operations(const Trace& trace, std::size_t from) {
  stride_ = trace.threads;
  for (const Event& e : trace.events) stride_ = std::max<std::size_t>(stride_, e.thread + 1u);
  for (const Pending& p : trace.pending) stride_ = std::max<std::size_t>(stride_, p.thread + 1u);
  end_row_.assign(stride_, kNoLabel);
  for (const Pending& p : trace.pending) end_row_[p.thread] = labels_.of(p);
  const std::size_t n = trace.events.size() - from;
  rows_.resize(n * stride_);
  for (std::size_t k = n; k-- > 0;) {
    LabelId* row = &rows_[k * stride_];
    const LabelId* after = k + 1 < n ? row + stride_ : end_row_.data();
    std::copy(after, after + stride_, row);
    const Event& e = trace.events[from + k];
    row[e.thread] = labels_.of(e);
    if (e.op == Op::ThreadCreate && !was_created_before(trace, from + k) && wire::index_of(e.object) < stride_) row[wire::index_of(e.object)] = kNoLabel;
  }
}

void StatefulSearch::extend(const Trace& trace, std::size_t from) {
  unstored_ |= trace.visited_full;
  for (std::size_t i = from; i < trace.events.size(); ++i) {
    const wire::Fingerprint state = trace.states[i - from];
    Arrival arrival{.kind = Arrival::New, .state = state, .unstored = trace.visited_full};
    if (unstored_ && cycles_.find(state)) {  // known to us though not to the table: the rest of the run repeats what we have
      end_row_.assign(rows_.begin() + static_cast<std::ptrdiff_t>((i - from) * stride_), rows_.begin() + static_cast<std::ptrdiff_t>((i - from + 1) * stride_));
      arrival.kind = Arrival::OnCycle;
      arrival.next = &end_row_;
      if (i > 0) return_to(i - 1, arrival);
      return;
    }
    if (i > 0) arrive(i - 1, arrival);
    push(trace.events[i], state, i - from);
    look_for_neighbours(i, i > 0 ? trace.events[i - 1].thread : -1);
  }
  if (trace.events.empty()) return;
  const std::size_t last = trace.events.size() - 1;
  const Arrival arrival = end_of(trace, from);
  if (arrival.kind == Arrival::OnCycle) return return_to(last, arrival);
  if (arrival.kind == Arrival::Lost) path_[last].whole = true;
  again_ = false;
  arrive(last, arrival);
  if (again_) push_again(trace, arrival.state);
}

StatefulSearch::Arrival StatefulSearch::end_of(const Trace& trace, std::size_t from) const {
  Arrival arrival{.kind = Arrival::Lost, .state = {}, .next = &end_row_, .unstored = trace.visited_full};
  const bool is_state = trace.states.size() == trace.events.size() - from + 1;
  if (is_state) arrival.state = trace.states.back();
  if (trace.end == wire::End::Revisited) arrival.kind = cycles_.find(arrival.state) ? Arrival::OnCycle : Arrival::Known;
  else if (is_state && is_stuck_or_done(trace.end) && !ends_by_last_event(trace)) arrival.kind = Arrival::End;
  return arrival;
}

void StatefulSearch::push(const Event& event, wire::Fingerprint state, std::size_t row) {
  if (path_.size() <= depth_) path_.resize(depth_ + 1);
  Node& n = path_[depth_];
  n.taken = {event.thread, event.alternative};
  n.outcome = event.outcome;
  n.untried = event.alternatives;
  n.untried.remove(event.alternative);
  n.enabled = event.enabled;
  n.done = {};
  n.next.assign(rows_.begin() + static_cast<std::ptrdiff_t>(row * stride_), rows_.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride_));
  enter(state);
}

// A known state at the end of a run, gone on from as if it were new. Nothing of it has been taken on this path.
void StatefulSearch::push_again(const Trace& trace, wire::Fingerprint state) {
  if (path_.size() <= depth_) path_.resize(depth_ + 1);
  Node& n = path_[depth_];
  n.taken = {wire::kNoThread, 0};
  n.untried = {};
  n.enabled = n.done = {};
  for (const Pending& p : trace.pending)
    if (p.enabled) n.enabled.add(p.thread);
  n.next = end_row_;
  enter(state);
}

void StatefulSearch::enter(wire::Fingerprint state) {
  Node& n = path_[depth_];
  n.state = state;
  n.attempted = {};
  n.whole = false;
  n.number = cycles_.open(state, n.enabled);
  if (depth_ > 0) {
    const Node& before = path_[depth_ - 1];
    cycles_.connect(before.number, before.taken, label_of(depth_ - 1), n.number);
  }
  ++depth_;
  entered(depth_ - 1);
}

void StatefulSearch::arrive(std::size_t i, const Arrival& arrival) {
  if (arrival.kind != Arrival::New && arrival.kind != Arrival::OnCycle) cycles_.leads_out(path_[i].number);
  took(i, label_of(i), arrival);
}

void StatefulSearch::return_to(std::size_t i, const Arrival& arrival) {
  came_back_ = true;
  cycles_.connect(path_[i].number, path_[i].taken, label_of(i), *cycles_.find(arrival.state));
  arrive(i, arrival);
}

// --- what leads to known states first ----------------------------------------------------------------------------------

// One step of a thread, to see where it leads.
Request StatefulSearch::attempt(std::size_t i, int thread) {
  asked_ = Asked::Attempt;
  path_[i].attempted.add(thread);
  Request request = request_to(i);
  request.prefix.push_back({u8(thread), wire::kAnyAlternative});
  request.capture = Capture::States;
  request.capture_from = request.max_steps = static_cast<std::uint32_t>(i + 1);
  return request;
}

// A step to a known state has been explored by this. Any other is left for later.
void StatefulSearch::learn_attempt(const Trace& trace) {
  const std::size_t i = depth_ - 1;
  if (trace.events.size() != i + 1 || trace.states.size() != 1) return;
  const Event& e = trace.events.back();
  const bool on_cycle = cycles_.find(trace.states[0]).has_value();
  if (e.alternatives.count() != 1 || !(on_cycle || is_known(trace.states[0]))) return;
  path_[i].taken = {e.thread, e.alternative};
  path_[i].outcome = e.outcome;
  path_[i].untried = {};
  read_operations(trace, i + 1);
  const Arrival arrival{.kind = on_cycle ? Arrival::OnCycle : Arrival::Known, .state = trace.states[0], .next = &end_row_};
  again_ = false;
  on_cycle ? return_to(i, arrival) : arrive(i, arrival);
  if (again_) push_again(trace, arrival.state);
  learned(trace, i);
}

// --- races and endless runs --------------------------------------------------------------------------------------------

void StatefulSearch::look_for_neighbours(std::size_t i, int moved) {
  const std::size_t threads = path_[i].next.size();
  for (int a = 0; a < static_cast<int>(threads); ++a)
    for (int b = a + 1; b < static_cast<int>(threads); ++b) {
      const bool is_new = moved < 0 || may_write_now(i, a, moved) || may_write_now(i, b, moved) || a == moved || b == moved || path_[i - 1].next.size() != threads ||
                          path_[i].next[static_cast<std::size_t>(a)] != path_[i - 1].next[static_cast<std::size_t>(a)] ||
                          path_[i].next[static_cast<std::size_t>(b)] != path_[i - 1].next[static_cast<std::size_t>(b)];
      if (is_new) look_at_pair(i, a, b);
    }
}

// A compare-exchange that was about to fail may succeed when the value has changed.
bool StatefulSearch::may_write_now(std::size_t i, int thread, int moved) const {
  const LabelId next = path_[i].next[static_cast<std::size_t>(thread)], last = label_of(i - 1);
  return next != kNoLabel && thread != moved && labels_[next].operation.op == Op::AtomicCas && labels_.conflict(next, last);
}

void StatefulSearch::look_at_pair(std::size_t i, int a, int b) {
  const LabelId x = path_[i].next[static_cast<std::size_t>(a)], y = path_[i].next[static_cast<std::size_t>(b)];
  if (x == kNoLabel || y == kNoLabel) return;
  const Labels::Label &p = labels_[x], &q = labels_[y];
  if (!is_access(p.operation.op) || !is_access(q.operation.op) || !labels_.conflict(x, y)) return;
  const bool is_atomic = !is_plain(p.operation.op) && !is_plain(q.operation.op);
  if (!is_atomic && !options_.races) return;
  const RaceKey key = race_key(std::min(p.operation.object, q.operation.object), p.pc, q.pc);
  if (races_seen_.contains(key)) return;
  // A compare-exchange beside a read: whether it writes shows only when it is done.
  const bool may_not_be = p.operation.op == Op::AtomicCas || q.operation.op == Op::AtomicCas;
  if (!may_not_be || (is_atomic && ++exchanges_shown_[key] == kMostExchangesShown)) races_seen_.insert(key);
  Witness witness{request_to(i), key};
  witness.request.prefix.push_back({u8(a), wire::kAnyAlternative});
  witness.request.prefix.push_back({u8(b), wire::kAnyAlternative});
  witness.request.max_steps = static_cast<std::uint32_t>(i + 2);
  (is_atomic ? atomic_pairs_ : witnesses_).push_back(std::move(witness));
}

// The way to the component is the path down to its first state, which is just being left.
void StatefulSearch::show(const CycleWatch::Endless& endless) {
  Request request = request_to(depth_ - 1);
  request.prefix.insert(request.prefix.end(), endless.stem.begin(), endless.stem.end());
  request.capture = Capture::States;
  request.capture_from = static_cast<std::uint32_t>(request.prefix.size());
  request.prefix.insert(request.prefix.end(), endless.lap.begin(), endless.lap.end());
  request.max_steps = static_cast<std::uint32_t>(request.prefix.size());
  witnesses_.push_back({std::move(request), {}});
}

// The first of the two accesses may have ended the run: then the other way round.
void StatefulSearch::learn_witness(const Trace& trace) {
  if (shown_.race == RaceKey{}) return;
  for (const wire::Report& r : trace.reports) {
    const auto [low, high] = std::minmax(r.pc, r.other_pc);
    const bool is_it = low == std::get<1>(shown_.race) && high == std::get<2>(shown_.race);  // not another race of one of them
    if (r.kind != wire::ReportKind::DataRace || !is_it) continue;
    races_seen_.insert(shown_.race);
    return;
  }
  if (shown_.swapped) return;
  auto& prefix = shown_.request.prefix;
  std::swap(prefix[prefix.size() - 2], prefix.back());
  shown_.swapped = true;
  witnesses_.push_front(std::move(shown_));
}

Progress StatefulSearch::progress() const {
  Progress p;
  p.depth = depth_;
  for (std::size_t i = 0; i < depth_; ++i) p.pending += static_cast<std::uint64_t>(minus(path_[i].enabled, path_[i].done).count());
  return p;
}

}  // namespace heddle
