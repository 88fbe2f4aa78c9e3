#include "bench/ddpor_simulator/simulation.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <queue>

#include "base/check.h"
#include "dist/balancer.h"

namespace heddle::simulation {
namespace {

Nanoseconds processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<Nanoseconds>(t.tv_sec) * 1'000'000'000 + static_cast<Nanoseconds>(t.tv_nsec);
}

class Simulation {
 public:
  using Log = std::vector<std::pair<int, Bytes>>;  // reports, in the order in which the balancer took them

  Simulation(const Tree& tree, std::uint32_t workers, const Model& model, bool keep_log)
      : tree_(tree), model_(model), keep_log_(keep_log), balancer_([this](int w, const Command& c) { sent_.emplace_back(w, to_bytes(c)); }, std::nullopt) {
    for (std::uint32_t w = 0; w < workers; ++w) {
      auto send = [this, w](Nanoseconds when, const Report& report) { to_balancer(when, static_cast<int>(w), to_bytes(report)); };
      workers_.push_back({SimulatedWorker(tree, model.call, send), {}});
    }
  }

  Result run() {
    serve(0, [this] {
      for (std::size_t w = 0; w < workers_.size(); ++w) balancer_.join(static_cast<int>(w));
    });
    while (!balancer_.finished()) {
      HEDDLE_CHECK(!events_.empty(), "the search is not over, and nothing happens any more");
      Event event = std::move(const_cast<Event&>(events_.top()));
      events_.pop();
      handle(std::move(event));
    }
    return conclude();
  }

  const Log& log() const { return log_; }

 private:
  struct Event {
    Nanoseconds when;
    std::uint64_t number;  // first come, first served
    enum class Kind { AtBalancer, AtWorker, Look } kind;
    int worker;
    Bytes message;
    bool operator<(const Event& other) const { return when != other.when ? when > other.when : number > other.number; }
  };
  struct Member {
    SimulatedWorker worker;
    std::vector<Bytes> inbox;
    Nanoseconds idle_since = 0, last_sent = 0, last_received = 0;
  };

  void add(Nanoseconds when, Event::Kind kind, int worker, Bytes message) {
    events_.push({when, next_++, kind, worker, std::move(message)});
  }

  Nanoseconds travel(const Bytes& message) {
    ++result_.messages;
    result_.bytes += message.size();
    result_.most_bytes = std::max<std::uint64_t>(result_.most_bytes, message.size());
    return model_.latency + static_cast<Nanoseconds>(static_cast<double>(message.size()) / model_.bytes_per_ns);
  }

  void to_balancer(Nanoseconds when, int worker, Bytes message) {
    Nanoseconds& last = workers_[static_cast<std::size_t>(worker)].last_sent;
    last = std::max(last, when + travel(message));  // none overtakes another on its way
    add(last, Event::Kind::AtBalancer, worker, std::move(message));
  }

  // The balancer does something as soon as it can, and says what comes of it.
  template <class Work>
  void serve(Nanoseconds arrival, Work work) {
    const Nanoseconds begin = std::max(arrival, free_);
    work();
    Nanoseconds now = begin + model_.call + model_.service;
    for (auto& [worker, message] : sent_) {
      now += model_.call;
      Nanoseconds& last = workers_[static_cast<std::size_t>(worker)].last_received;
      last = std::max(last, now + travel(message));
      add(last, Event::Kind::AtWorker, worker, std::move(message));
    }
    sent_.clear();
    busy_ += now - begin;
    free_ = now;
  }

  void handle(Event event) {
    Member& m = event.kind == Event::Kind::AtBalancer ? workers_.front() : workers_[static_cast<std::size_t>(event.worker)];
    switch (event.kind) {
      case Event::Kind::AtBalancer:
        return serve(event.when, [&] {
          if (keep_log_) log_.emplace_back(event.worker, event.message);
          const auto report = from_bytes<Report>(event.message);
          HEDDLE_CHECK(report && balancer_.take(event.worker, *report) == Balancer::Heard::Yes, "a report that makes no sense");
        });
      case Event::Kind::AtWorker:
        m.inbox.push_back(std::move(event.message));
        if (!m.worker.idle()) return;
        // Asleep: it notices when it next wakes up, on average after half of a nap.
        return obey_and_work(m, event.worker, event.when + std::min(model_.longest_nap, (event.when - m.idle_since) / 3) / 2);
      case Event::Kind::Look:
        return obey_and_work(m, event.worker, event.when);
    }
  }

  void obey_and_work(Member& m, int name, Nanoseconds now) {
    for (const Bytes& message : m.inbox) m.worker.obey(from_bytes<Command>(message).value());
    m.inbox.clear();
    if (m.worker.idle()) return;
    const Nanoseconds then = m.worker.work(now);
    if (m.worker.idle()) m.idle_since = then;
    add(then, Event::Kind::Look, name, {});
  }

  Result conclude() {
    result_.time = free_;
    result_.units = balancer_.units();
    result_.service = model_.service;
    result_.balancer_busy = static_cast<double>(busy_) / static_cast<double>(free_);
    double working = 0;
    for (const Member& m : workers_) {
      result_.runs += m.worker.runs();
      working += static_cast<double>(m.worker.busy_ns());
    }
    result_.workers_busy = working / static_cast<double>(free_) / static_cast<double>(workers_.size());
    HEDDLE_CHECK(result_.runs == tree_.size(), "runs were lost or made twice");
    return result_;
  }

  const Tree& tree_;
  const Model model_;
  const bool keep_log_;
  Log log_;
  Balancer balancer_;
  std::vector<std::pair<int, Bytes>> sent_;
  std::vector<Member> workers_;
  std::priority_queue<Event> events_;
  std::uint64_t next_ = 0;
  Nanoseconds free_ = 0, busy_ = 0;
  Result result_;
};

constexpr Nanoseconds kFirstGuess = 4'000;

// What a balancer needs for a report, when it is given them one after the other.
Nanoseconds time_for_a_report(std::uint32_t workers, const Simulation::Log& log) {
  std::vector<Bytes> commands;
  Balancer balancer([&](int, const Command& command) { commands.push_back(to_bytes(command)); }, std::nullopt);
  for (std::uint32_t w = 0; w < workers; ++w) balancer.join(static_cast<int>(w));
  const Nanoseconds before = processor_time();
  for (const auto& [worker, message] : log) {
    balancer.take(worker, from_bytes<Report>(message).value());
    commands.clear();
  }
  HEDDLE_CHECK(balancer.finished(), "the same reports do not end the search again");
  return (processor_time() - before) / std::max<std::size_t>(log.size(), 1);
}

Nanoseconds measured_service(std::uint32_t workers, const Simulation::Log& log) {
  std::array<Nanoseconds, 5> times;
  for (Nanoseconds& time : times) time = time_for_a_report(workers, log);
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

Result simulate(const Tree& tree, std::uint32_t workers, const Model& model) {
  Model with = model;
  if (with.service == 0) {
    with.service = kFirstGuess;
    Simulation first(tree, workers, with, true);
    first.run();
    with.service = measured_service(workers, first.log());
  }
  return Simulation(tree, workers, with, false).run();
}

}  // namespace heddle::simulation
