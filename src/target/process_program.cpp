#include "target/process_program.h"

#include "target/unseen_libraries.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/futex.h"
#include "target/elf_inspection.h"
#include "target/hang_watch.h"
#include "target/warm_up.h"

namespace heddle {
namespace {

constexpr std::size_t kPipelined = 32;  // with so many runs ahead there is time for a nap
constexpr int kNaps = 20;
constexpr long kNapNs = 100'000;
constexpr long kSleepMs = 10;  // between looks at the target's health
constexpr std::uint64_t kMaxOutput = 16 << 20;
constexpr std::uint64_t kAnswersALook = 256;
constexpr int kMostLaunches = 10;
constexpr std::uint64_t kStartupHangs = 3;  // on the way to main there is more to do than between two operations

bool several_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  return sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) > 1;
}

void nap() {
  const timespec time{0, kNapNs};
  nanosleep(&time, nullptr);
}

// A copy, cut to what can be.
UncoveredNote note_of(const wire::UncoveredNote& note) {
  const auto kind = note.kind < wire::UncoveredKind::kCount ? note.kind : wire::UncoveredKind::Code;
  return {kind, note.pc, std::string(note.function, strnlen(note.function, sizeof note.function)),
          std::string(note.reason, strnlen(note.reason, sizeof note.reason))};
}

std::string how_it_died(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const char* name = sigabbrev_np(WTERMSIG(wait_status));
    return fmt::format("killed by SIG{}", name != nullptr ? name : "?");
  }
  return fmt::format("exit status {}", WEXITSTATUS(wait_status));
}

std::string first_report_text(const Trace& trace) {
  if (trace.reports.empty()) return "a call";
  const wire::Report& report = trace.reports.front();
  return std::string(report.text, strnlen(report.text, sizeof report.text));
}

// The trace of a run whose process is gone and has told nothing.
Trace lost_trace(wire::End end, int wait_status) {
  Trace trace;
  trace.end = end;
  trace.exit_status = wait_status;
  return trace;
}

Result<UniqueFd> open_input(const ProcessOptions& options) {
  if (options.input_file.empty()) return capture_stdin(options.give_up);
  UniqueFd fd(open(options.input_file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error{fmt::format("cannot open {}: {}", options.input_file, std::strerror(errno)), "check the path"};
  return fd;
}

std::uint64_t table_bytes(const ProcessOptions& options) {
  return options.wire.state == wire::StateMode::None && !options.may_capture_later ? 0 : options.visited_bytes;
}

}  // namespace

ProcessProgram::ProcessProgram(ProcessOptions options, Segment segment, UniqueFd input, UniqueFd output)
    : options_(std::move(options)),
      segment_(std::move(segment)),
      input_(std::move(input)),
      output_(std::move(output)),
      visible_(options_.visible),
      may_spin_(several_cpus()) {
  prctl(PR_SET_TIMERSLACK, 1000);  // naps of the length that was asked for
  wire::Segment& header = segment_.header();
  header.thread_count = static_cast<std::uint32_t>(std::min<std::size_t>(options_.threads.size(), wire::kMaxThreads));
  std::copy_n(options_.threads.begin(), header.thread_count, header.threads);
}

// --- starting --------------------------------------------------------------------------------------------------------

Result<std::unique_ptr<ProcessProgram>> ProcessProgram::start(ProcessOptions options) {
  Result<ElfFacts> facts = inspect_program(options.path);
  if (!facts) return facts.error();
  options.path = facts->path;
  Result<UniqueFd> input = open_input(options);
  if (!input) return input.error();
  Result<UniqueFd> output = create_output_file();
  if (!output) return output.error();
  Result<Segment> segment = Segment::create(options.wire, options.max_steps, table_bytes(options));
  if (!segment && options.may_capture_later) {  // it can do without; the table is as large as half of the machine's memory
    options.may_capture_later = false;
    segment = Segment::create(options.wire, options.max_steps, table_bytes(options));
  }
  if (!segment) return segment.error();
  std::unique_ptr<ProcessProgram> program(new ProcessProgram(std::move(options), std::move(segment).value(),
                                                             std::move(input).value(), std::move(output).value()));
  if (Status launched = program->launch(); !launched) return launched.error();
  return program;
}

// Somebody may kill it on its way to main; then it gets another try.
Status ProcessProgram::launch() {
  Status launched = launch_once();
  for (int tries = 1; !launched && was_killed_ && tries < kMostLaunches; ++tries) launched = launch_once();
  return launched;
}

Status ProcessProgram::launch_once() {
  was_killed_ = false;
  process_.reset();
  answered_ = 0;
  threads_at_launch_ = segment_.header().thread_count;
  segment_.prepare(options_.wire);
  wire::Segment& header = segment_.header();
  header.visible_count = static_cast<std::uint32_t>(visible_.size());
  std::copy(visible_.begin(), visible_.end(), header.visible);
  if (ftruncate(output_.get(), 0) != 0) return Error{"cannot empty the program's output file", "run `heddle doctor`"};
  Result<TargetProcess> process =
      TargetProcess::start({options_.path, options_.arguments, segment_.fd(), output_.get(), input_.get()});
  if (!process) return process.error();
  process_ = std::move(process).value();
  hand_over_again();
  warm_up();
  if (options_.wire.patch) patcher_.prepare(options_.path);
  return await_ready();
}

Status ProcessProgram::await_ready() {
  wire::Segment& header = segment_.header();
  const std::chrono::milliseconds limit(kStartupHangs * options_.wire.hang_ms);
  HangWatch watch(limit);
  std::uint32_t ready;
  while ((ready = __atomic_load_n(&header.target_ready, __ATOMIC_ACQUIRE)) == 0 || ready == wire::kWantsPatches) {
    if (ready == wire::kWantsPatches) {
      hand_over_patches();
      continue;
    }
    futex_wait(&header.target_ready, 0, kSleepMs);
    step_aside();
    wire::ring_tell_processor(segment_.requests());
    const auto is_ready = [&header] { return __atomic_load_n(&header.target_ready, __ATOMIC_ACQUIRE) != 0; };
    if (may_spin_ ? wire::Spinner().wait(is_ready, wire::beside_writer(segment_.traces())) : is_ready())
      continue;  // we are woken a little before it is
    if (auto status = process_->poll_death()) {
      was_killed_ = WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL;
      return startup_error(fmt::format("{} ends before main ({})", options_.path, how_it_died(*status)));
    }
    if (options_.give_up()) return Error{"interrupted while the program was starting", "", ExitCode::Incomplete};
    if (look_at_memory() != MemoryWatch::Advice::Wait) {
      process_->kill();
      return Error{fmt::format("{} takes more than {} MB of memory before main", options_.path, options_.wire.memory_mb),
                   "allow it more with --target-memory; constructors of global objects run before main"};
    }
    if (watch.look(process_->activity(0), 0) != HangWatch::Advice::Wait) {
      process_->kill();
      return startup_error(fmt::format("{} does not reach main within {} s", options_.path, std::chrono::duration<double>(limit).count()));
    }
  }
  if (ready >= 2) return runtime_error();
  if (header.patch_state == 0) patcher_.leave_all(header);
  if (header.target_version != wire::kVersion) {
    return Error{fmt::format("{} speaks wire version {}, this heddle version {}", options_.path, header.target_version,
                             wire::kVersion),
                 "rebuild the program with this heddle's `heddle c++` (or `heddle cc`)"};
  }
  judge_modules(header);
  return Nothing{};
}

// The target stands before main and waits. Its trace ring is not in use yet.
void ProcessProgram::hand_over_patches() {
  wire::Segment& header = segment_.header();
  const std::vector<std::uint8_t> image = patcher_.image(header, segment_.traces().bytes);
  std::copy(image.begin(), image.end(), segment_.traces().data);
  header.patch_bytes = image.size();
  __atomic_store_n(&header.target_ready, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&header.patch_state, 2, __ATOMIC_RELEASE);
  futex_wake(&header.patch_state);
}

// What the runtime says when it cannot go on. It may say so at any time, and then leaves.
Error ProcessProgram::runtime_error() const {
  const wire::Segment& header = segment_.header();
  const std::string why(header.startup_error, strnlen(header.startup_error, sizeof header.startup_error));
  const auto* last = std::find(std::begin(header.startup_frames), std::end(header.startup_frames), Address{0});
  if (header.target_ready == 3)
    return {fmt::format("unsupported: {}, at {}", why, options_.place(modules(), {std::begin(header.startup_frames), last})),
            "do it in main: constructors of global objects run before heddle takes over", ExitCode::Unsupported};
  if (header.target_ready == 5)
    return {why, "please report it; algorithms that store no states are not affected", ExitCode::Internal};
  return {fmt::format("{} cannot be tested: {}", options_.path, why),
          header.target_ready == 4 ? "check it again, with files that stay as they are" : "run `heddle doctor`"};
}

Error ProcessProgram::startup_error(const std::string& what) const {
  const std::string output = read_output(400);
  const std::string said = output.substr(0, output.find('\n'));
  return {said.empty() ? what : fmt::format("{}; it printed: {}", what, said),
          "run it without heddle to see why; constructors of global objects run before main"};
}

// --- handing over ----------------------------------------------------------------------------------------------------

Status ProcessProgram::submit(const Request& request) {
  if (encoded_bytes(request) > segment_.requests().bytes) {
    return Error{fmt::format("a schedule of {} steps is too long to hand over", request.prefix.size()),
                 "use a smaller --max-steps"};
  }
  HEDDLE_CHECK(request.capture == Capture::None || options_.wire.state != wire::StateMode::None,
               "a run with states of a program that was started without");
  queue_.push_back({request});
  hand_over();
  return Nothing{};
}

// ENSURES never blocks: what does not fit now is handed over from collect(). A target that shares our processor is woken there, too: before, it would
// only take the processor away from us, and begin with less than all that we have for it. A run that ends at visited states waits until those
// before it have arrived: the table changes only while no run is on.
void ProcessProgram::hand_over() {
  if (!process_) return;
  const wire::RingView& ring = segment_.requests();
  for (; handed_ < queue_.size(); ++handed_) {
    Waiting& next = queue_[handed_];
    const bool alone = next.request.capture == Capture::UntilVisited || queue_.front().request.capture == Capture::UntilVisited;
    if (alone && handed_ > 0) return;
    const std::uint64_t bytes = encoded_bytes(next.request);
    unsigned char* to = wire::ring_reserve(ring, bytes, futex_wake);
    if (to == nullptr) return;
    next.id = next_id_++;
    encode(next.request, next.id, {options_.max_steps, options_.timeouts}, to);
    wire::ring_publish(ring, bytes);
    if (may_spin_) wire::ring_wake(ring, futex_wake);
  }
}

bool ProcessProgram::message_waits() const {
  const wire::Ring& ring = *segment_.traces().ring;
  return __atomic_load_n(&ring.written, __ATOMIC_ACQUIRE) != ring.consumed;
}

// Waits a little, in the way that costs the target least. A target with a lot to do goes on while we nap, does not have to
// wake us, and has a batch ready afterwards; one that works on its only request is watched.
bool ProcessProgram::message_comes_soon() {
  if (message_waits()) return true;
  if (handed_ >= kPipelined) {
    for (int i = 0; i < kNaps && !message_waits(); ++i) nap();
  } else if (may_spin_) {
    spinner_.wait([this] { return message_waits(); }, wire::beside_writer(segment_.traces()));
  } else {
    wire::ring_wake(segment_.requests(), futex_wake);
    give_way_.wait([this] { return message_waits(); }, [this] { return wire::ring_is_late(segment_.traces()); }, sched_yield, wire::ticks);
  }
  return message_waits();
}

void ProcessProgram::step_aside() {
  if (may_spin_ && wire::beside_writer(segment_.traces())) side_step_.step();
}

std::uint64_t ProcessProgram::memory() const {
  struct stat output {};
  const bool known = fstat(output_.get(), &output) == 0;
  return process_->memory(segment_.header().run_pid) + (known ? static_cast<std::uint64_t>(output.st_size) : 0);
}

MemoryWatch::Advice ProcessProgram::look_at_memory() const {
  const wire::Options& wire = options_.wire;
  const std::uint64_t kept_states = wire.state == wire::StateMode::Verify && wire.memory_mb != 0 ? wire.full_state_bytes : 0;  // ours, not the program's
  return MemoryWatch((wire.memory_mb << 20) + kept_states, answered_ == 0).look(memory());
}

// The next message of the trace ring, if there is one.
std::optional<ProcessProgram::Answer> ProcessProgram::take_message() {
  const wire::RingMessage message = wire::ring_peek(segment_.traces());
  if (message.broken) return Answer{Answer::Garbled};
  if (message.data == nullptr) return std::nullopt;
  std::optional<DecodedTrace> decoded = decode(message.data, message.available);
  if (!decoded || decoded->request_id > queue_.front().id) return Answer{Answer::Garbled};
  has_printed_ |= decoded->output_bytes > 0;
  // Read before the release: only then may the target begin to overwrite it. (With more in flight it already may.)
  if (queue_.front().request.keep_output) decoded->trace.output = read_output(decoded->output_bytes);
  wire::ring_release(segment_.traces(), decoded->bytes);
  return Answer{Answer::Arrived, std::move(*decoded)};
}

ProcessProgram::Answer ProcessProgram::wait_for_answer() {
  HangWatch watch(std::chrono::milliseconds(options_.wire.hang_ms));
  const wire::Segment& header = segment_.header();
  for (;;) {
    hand_over();
    if (message_comes_soon()) {
      if (auto answer = take_message()) return std::move(*answer);
      continue;
    }
    wire::ring_wake(segment_.requests(), futex_wake);
    wire::ring_sleep(segment_.traces(), [](std::uint32_t* word) { futex_wait(word, 1, kSleepMs); });
    step_aside();
    if (message_waits()) continue;
    if (options_.give_up()) return Answer{Answer::GivenUp};
    if (auto status = process_->poll_death()) {
      if (auto answer = take_message()) return std::move(*answer);
      return Answer{Answer::Died, {}, *status};
    }
    const Activity activity = process_->activity(header.run_pid);
    switch (watch.look(activity, __atomic_load_n(&header.heartbeat, __ATOMIC_ACQUIRE))) {
      case HangWatch::Advice::Wait:
        break;
      case HangWatch::Advice::Interrupt:
        process_->signal(wire::kHangSignal, header.run_pid);
        break;
      case HangWatch::Advice::Kill:
        return Answer{Answer::Hung};
    }
    switch (look_at_memory()) {
      case MemoryWatch::Advice::Wait:
        break;
      case MemoryWatch::Advice::Replace:
        return Answer{Answer::Full};
      case MemoryWatch::Advice::Interrupt:
        process_->signal(wire::kMemorySignal, header.run_pid);
        break;
      case MemoryWatch::Advice::Kill:
        return Answer{Answer::OutOfMemory};
    }
  }
}

// --- collecting ------------------------------------------------------------------------------------------------------

Result<Trace> ProcessProgram::collect() {
  HEDDLE_CHECK(!queue_.empty(), "collect with nothing in flight");
  const bool looks = process_ && answered_ != 0 && answered_ % kAnswersALook == 0;  // a busy target is never waited for
  if (looks && look_at_memory() != MemoryWatch::Advice::Wait) process_.reset();
  for (;;) {
    if (!process_) {
      if (Status launched = launch(); !launched) return launched.error();
    }
    if (auto result = judge(wait_for_answer())) return std::move(*result);
  }
}

// What collect() answers, or nothing if the request has to be run again.
std::optional<Result<Trace>> ProcessProgram::judge(Answer answer) {
  if (answer.kind != Answer::Arrived) return judge_loss(answer);
  Waiting& front = queue_.front();
  if (answer.decoded.request_id < front.id) return std::nullopt;  // of a hand-over that has been repeated since
  Trace& trace = answer.decoded.trace;
  switch (trace.end) {
    case wire::End::NeedsFork:
      if (Status changed = change_to_fork(first_report_text(trace)); !changed) return changed.error();
      return std::nullopt;
    case wire::End::NeedsThreads:
      if (!knows_more_threads()) return judge_loss(Answer{Answer::Garbled});
      process_.reset();
      return std::nullopt;
    case wire::End::OutOfMemory:
      process_.reset();  // what it took stays with it
      return finish(std::move(trace));
    default:
      return finish(std::move(trace));
  }
}

// A target has room for the threads that were known when it started, and some more.
bool ProcessProgram::knows_more_threads() const {
  const std::uint32_t known = segment_.header().thread_count;
  return known > threads_at_launch_ && known <= wire::kMaxThreads;
}

// The target is lost. Once may be bad luck (somebody killed it), so the request gets a second target; in a fresh process of
// its own the runtime can tell more about the third.
std::optional<Result<Trace>> ProcessProgram::judge_loss(const Answer& answer) {
  process_.reset();
  if (answer.kind == Answer::GivenUp) {
    queue_.clear();
    handed_ = 0;
    return Error{"interrupted", "", ExitCode::Incomplete};
  }
  if (segment_.header().target_ready >= 2) return runtime_error();
  if (answer.kind == Answer::Full) return std::nullopt;
  if (answer.kind == Answer::OutOfMemory) return finish(lost_trace(wire::End::OutOfMemory, 0));
  if (answer.kind == Answer::Hung) return finish(lost_trace(wire::End::Hung, 0));
  Waiting& front = queue_.front();
  const int losses = ++front.losses;
  if (losses == 1) return std::nullopt;
  const std::string how =
      answer.kind == Answer::Died ? how_it_died(answer.wait_status) : "it overwrote the runtime's memory";
  const bool may_fork = options_.may_change_executor && options_.wire.state == wire::StateMode::None;
  if (losses == 2 && may_fork && options_.wire.executor == wire::Executor::Rollback) {
    if (Status changed = change_to_fork("dying without a word (" + how + ")"); !changed) return changed.error();
    return std::nullopt;
  }
  return finish(lost_trace(wire::End::Died, answer.wait_status));
}

Status ProcessProgram::change_to_fork(const std::string& why) {
  if (options_.wire.state != wire::StateMode::None) {
    return Error{fmt::format("the program's states cannot be captured, because of {}: a state is what is in memory", why),
                 "use an algorithm that needs no states", ExitCode::Unsupported};
  }
  if (options_.wire.executor == wire::Executor::Fork) {
    return Error{fmt::format("the program cannot be run, not even in fresh processes: {}", why), "", ExitCode::Unsupported};
  }
  if (!options_.may_change_executor) {
    return Error{fmt::format("the rollback executor cannot undo {}", why),
                 "use --executor=fork, or leave the choice to heddle", ExitCode::Unsupported};
  }
  options_.say(fmt::format("each run gets a fresh process from here on, because of {}", why));
  options_.wire.executor = wire::Executor::Fork;
  process_.reset();
  return Nothing{};
}

// What the run has passed is visited from now on.
void ProcessProgram::remember_states(Trace& trace) {
  for (const wire::Fingerprint& state : trace.states) {
    if (!segment_.visited().insert(state)) trace.visited_full = true;
  }
}

void ProcessProgram::forget_states() {
  HEDDLE_CHECK(queue_.empty(), "forget_states while requests are in flight");
  segment_.visited().clear();
}

Trace ProcessProgram::finish(Trace trace) {
  if (queue_.front().request.capture == Capture::UntilVisited) remember_states(trace);
  if (queue_.front().request.keep_output && trace.output.empty()) trace.output = read_output(kMaxOutput);
  queue_.pop_front();
  if (handed_ > 0) --handed_;
  ++answered_;
  return trace;
}

std::string ProcessProgram::read_output(std::uint64_t most) const {
  struct stat facts {};
  if (fstat(output_.get(), &facts) != 0) return {};
  std::string text(std::min({most, kMaxOutput, static_cast<std::uint64_t>(facts.st_size)}), '\0');
  const ssize_t got = pread(output_.get(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

// --- facts -----------------------------------------------------------------------------------------------------------

Status ProcessProgram::make_visible(Address address, std::uint64_t size) {
  HEDDLE_CHECK(queue_.empty(), "make_visible while requests are in flight");
  auto covers = [&](const wire::VisibleRange& r) { return r.address <= address && address + size <= r.address + r.size; };
  if (std::any_of(visible_.begin(), visible_.end(), covers)) return Nothing{};
  auto adjoins = [&](const wire::VisibleRange& r) { return r.address <= address && address <= r.address + r.size; };
  auto neighbour = std::find_if(visible_.begin(), visible_.end(), adjoins);
  if (neighbour != visible_.end()) {
    neighbour->size = address + size - neighbour->address;
  } else if (visible_.size() < wire::kMaxVisibleRanges) {
    neighbour = visible_.insert(visible_.end(), {address, size});
  } else {
    return Error{fmt::format("more than {} places in memory race", wire::kMaxVisibleRanges), "use --visible=all"};
  }
  wire::Segment& header = segment_.header();
  header.visible[neighbour - visible_.begin()] = *neighbour;
  __atomic_store_n(&header.visible_count, static_cast<std::uint32_t>(visible_.size()), __ATOMIC_RELEASE);
  return Nothing{};
}

std::vector<wire::Module> ProcessProgram::modules() const {
  const wire::Segment& header = segment_.header();
  const auto count = std::min<std::uint32_t>(header.module_count, wire::kMaxModules);
  std::vector<wire::Module> modules(header.modules, header.modules + count);
  for (wire::Module& module : modules) module.path[sizeof module.path - 1] = '\0';
  return modules;
}

std::vector<wire::ThreadName> ProcessProgram::thread_names() const {
  const wire::Segment& header = segment_.header();
  const auto count = std::min<std::uint32_t>(header.thread_count, wire::kMaxThreads);
  return {header.threads, header.threads + count};
}

// The target may be writing the next one: what `count` covers is complete.
std::vector<UncoveredNote> ProcessProgram::uncovered() const {
  const wire::UncoveredTable& table = segment_.header().uncovered;
  const std::uint32_t written = __atomic_load_n(&table.count, __ATOMIC_ACQUIRE);
  std::vector<UncoveredNote> notes;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(written, wire::kMaxUncovered); ++i) notes.push_back(note_of(table.notes[i]));
  notes.insert(notes.end(), patcher_.left().begin(), patcher_.left().end());
  if (table.dropped > 0) notes.push_back({wire::UncoveredKind::Code, 0, "", "more places than heddle keeps a list of"});
  return notes;
}

std::vector<OrderPair> ProcessProgram::order_pairs() const {
  const wire::OrderPairTable& table = segment_.header().order_pairs;
  std::vector<OrderPair> pairs;
  for (int kind = 0; kind < wire::kPairKinds; ++kind) {
    const std::uint32_t written = __atomic_load_n(&table.count[kind], __ATOMIC_ACQUIRE);
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(written, wire::kPairLocations); ++i) {
      pairs.push_back(table.pairs[kind][i]);
      pairs.back().kind = static_cast<PairKind>(kind);
    }
  }
  return pairs;
}

// The target looks before each run; what it has begun ahead of it in the old mode is taken back.
void ProcessProgram::change_mode(wire::StateMode state, wire::Visibility visibility) {
  HEDDLE_CHECK(queue_.empty(), "the mode changes under a run");
  if (state == options_.wire.state && visibility == options_.wire.visibility) return;
  HEDDLE_CHECK(state == wire::StateMode::None || (state == wire::StateMode::Exact && may_capture()), "no states of this process");
  options_.wire.state = state;
  options_.wire.visibility = visibility;
  wire::Options& seen = segment_.header().options;
  __atomic_store_n(&seen.visibility, visibility, __ATOMIC_RELAXED);
  __atomic_store_n(&seen.state, state, __ATOMIC_RELEASE);
  spinner_ = wire::Spinner();  // much is done for the first time, by both ends
}

// New names are added to what the target knows already. Where it has given a number to somebody else, it begins anew.
Status ProcessProgram::adopt_threads(const std::vector<wire::ThreadName>& names) {
  HEDDLE_CHECK(queue_.empty(), "thread numbers change under a run");
  const std::vector<wire::ThreadName> own = thread_names();
  const std::size_t most = std::min<std::size_t>(names.size(), wire::kMaxThreads);
  auto same = [](const wire::ThreadName& a, const wire::ThreadName& b) { return a.parent == b.parent && a.child == b.child; };
  const bool agrees = std::equal(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(std::min(own.size(), most)), names.begin(), same);
  if (agrees && own.size() >= most) return Nothing{};
  wire::Segment& header = segment_.header();
  std::copy_n(names.begin(), most, header.threads);
  header.thread_count = static_cast<std::uint32_t>(most);
  return agrees ? Status(Nothing{}) : launch();
}

}  // namespace heddle
