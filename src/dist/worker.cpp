#include "dist/worker.h"

#include <utility>

#include "detect/finding.h"
#include "detect/notes.h"
#include "dist/reversal_worker.h"
#include "dist/sampling_worker.h"
#include "explore/finding_collector.h"
#include "explore/soundness.h"

namespace heddle {

std::unique_ptr<Worker> make_worker(const Config& config, Program& program, const std::function<std::unique_ptr<Reduction>()>& make,
                                    Link& link, Worker::Pace pace) {
  if (!make()->exhaustive()) return std::make_unique<SamplingWorker>(config, program, make, link, pace);
  return std::make_unique<ReversalWorker>(config, program, make, link, pace);
}

void Worker::work() {
  while (advance()) {}
}

bool Worker::advance() {
  if (report_.id != 0) {
    step();
  } else if (auto message = link_.receive(true)) {
    obey(*message);
  } else {
    stop_ = true;
  }
  return !stop_;
}

void Worker::obey(const Bytes& message) {
  std::optional<Command> command = from_bytes<Command>(message);
  HEDDLE_CHECK(command.has_value(), "a garbled command");
  switch (command->kind) {
    case Command::Kind::Explore: {
      forget_unit();
      report_.id = command->id;
      report_.order = command->order;
      known_threads_ = command->threads.size();
      begun_ = Clock::now();
      if (command->unload) ask_to_unload(*command);
      Status begun = program_.adopt_threads(command->threads);
      if (begun) begun = begin(*command);
      if (!begun) fail(begun.error());
      return;
    }
    case Command::Kind::Unload:
      return ask_to_unload(*command);
    case Command::Kind::Save:
      saving_ = true;
      return;
    case Command::Kind::Drop:
      signatures_.clear();  // also of a unit that is finished here: what was said about it is not heard
      notes_.clear();
      return forget_unit();
    case Command::Kind::Stop:
      stop_ = true;
      return;
  }
}

void Worker::ask_to_unload(const Command& command) {
  asked_ = true;
  threshold_ = command.threshold;
  least_us_ = command.least_us;
}

// What was seen wrong in it and has not been told may have to be told anew.
void Worker::forget_unit() {
  if (report_.id != 0) {
    abandon();
    signatures_.clear();
  }
  report_ = {};
  tally_ = sent_ = {};
  asked_ = saving_ = false;
  replay_check_.remember({});
}

// --- a run -----------------------------------------------------------------------------------------------------------

bool Worker::count(const Request& request, const Trace& trace) {
  if (auto trouble = trouble_with(request, trace, replay_check_, default_place_name)) {
    // Worded by whoever has the names of places.
    if (trace.end == wire::End::Unsupported) report_.suspects.push_back({choices_of(trace), "unsupported", request.timeouts});
    fail(*trouble);
    return false;
  }
  tally_.count(request, trace);
  suspect(request, trace);
  report_.hidden = hidden_parts_of(trace);
  return true;
}

void Worker::suspect(const Request& request, const Trace& trace) {
  tally_.ignored_race |= ignores_race(config_, trace);
  if (trace.unjoined != 0 || !trace.reports.empty())
    for (const std::string& text : notes_of(trace))
      if (notes_.insert(text).second) report_.notes.push_back(text);
  for (const Finding& finding : detect(trace, signatures_)) {
    if (!is_wanted(config_, finding, trace) || !signatures_.insert(finding.signature).second) continue;
    const bool lost = trace.events.size() < request.prefix.size();  // died without telling its steps
    report_.suspects.push_back({lost ? request.prefix : choices_of(trace), finding.signature, request.timeouts});
  }
}

Status Worker::show(const Terms& terms) {
  for (const HiddenPart& part : terms.hidden)
    if (Status shown = program_.make_visible(part.address, part.size); !shown) return shown;
  return Nothing{};
}

// --- telling ---------------------------------------------------------------------------------------------------------

bool Worker::is_to_unload(Clock::time_point now) const {
  if (!asked_ || !can_unload(threshold_)) return false;
  const std::chrono::duration<double, std::micro> spent = now - begun_;
  return promised_runs() * spent.count() >= static_cast<double>(least_us_) * static_cast<double>(tally_.runs());
}

void Worker::look_around() {
  const auto now = Clock::now();
  const bool ready = is_to_unload(now);
  const bool has_begun = !report_.path.empty();  // others wait to hear of it
  if (!ready && !has_begun && now - looked_ < pace_.look) return;
  looked_ = now;
  const std::uint64_t order = report_.order;
  while (!stop_) {  // whose link has ended is told so as often as it asks
    const auto message = link_.receive(false);
    if (!message) break;
    obey(*message);
  }
  if (stop_ || report_.id == 0 || report_.order != order) return;
  bool news = has_begun || has_news() || !report_.suspects.empty() || !report_.notes.empty() || now - told_ >= pace_.tell;
  if (is_to_unload(now)) {
    unload();
    asked_ = false;
    news = true;
  }
  if (std::exchange(saving_, false)) {
    take_snapshot();
    report_.saved = news = true;
  }
  if (news) send();
}

void Worker::finish() {
  report_.finished = true;
  report_.settled = tally_.since(sent_);
  sent_ = tally_;
  asked_ = saving_ = false;
  send();
}

void Worker::give_up() {
  send();
  forget_unit();
}

void Worker::fail(const Error& error) {
  report_.error = error;
  stop_ = true;
  send();
}

void Worker::send() {
  complete_report();
  report_.unsettled = tally_.since(sent_);
  std::vector<wire::ThreadName> threads = program_.thread_names();
  if (threads.size() > known_threads_) {
    known_threads_ = threads.size();
    report_.threads = std::move(threads);
  }
  tell_notes();
  send_reversals();
  if (!link_.send(to_bytes(report_))) stop_ = true;
  told_ = Clock::now();
  const Report last = std::exchange(report_, {});
  if (last.finished) return;
  report_.id = last.id;
  report_.order = last.order;
}

// What the program has noted holds whatever becomes of the unit. These lists only grow, and are told whole when they have grown.
void Worker::tell_notes() {
  std::vector<UncoveredNote> notes = program_.uncovered();
  if (std::exchange(told_uncovered_, notes.size()) != notes.size()) report_.uncovered = std::move(notes);
  std::vector<OrderPair> pairs = program_.order_pairs();
  if (std::exchange(told_pairs_, pairs.size()) != pairs.size()) report_.order_pairs = std::move(pairs);
}

// A long run may have very many. All but the last few go ahead in messages of their own, so that none gets too large; what settles or
// ends the unit comes after all of them.
void Worker::send_reversals() {
  std::vector<Reversal> all = std::exchange(report_.reversals, {});
  std::size_t steps = 0;
  for (Reversal& r : all) {
    if (steps > pace_.steps_a_message) {
      Report part;
      part.id = report_.id;
      part.order = report_.order;
      part.threads = std::exchange(report_.threads, {});
      part.path = std::exchange(report_.path, {});
      part.reversals = std::exchange(report_.reversals, {});
      part.unsettled = report_.unsettled;
      part.seen = report_.seen;
      if (!link_.send(to_bytes(part))) stop_ = true;
      steps = 0;
    }
    steps += r.steps.size();
    report_.reversals.push_back(std::move(r));
  }
}

}  // namespace heddle
