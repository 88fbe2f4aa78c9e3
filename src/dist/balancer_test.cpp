// Balancer and workers over a transport in memory: messages are late, workers die at any point, and the search comes to the same.
#include "dist/balancer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>

#include "dist/queued_program_test.h"
#include "dist/seeds.h"
#include "dist/worker.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/sampling.h"
#include "explore/reduction/source.h"
#include "target/scripted/scripted_program.h"
#include "tests/generated/generator.h"

namespace heddle {
namespace {

using scripted::ScriptedProgram;
using Make = std::function<std::unique_ptr<Reduction>()>;

// --- scripted workers ------------------------------------------------------------------------------------------------

struct Told {
  std::vector<std::pair<int, Command>> commands;
  Balancer::Send send() {
    return [this](int worker, const Command& c) { commands.emplace_back(worker, c); };
  }
  std::pair<int, Command> last() const { return commands.back(); }
  int count(Command::Kind kind) const {
    int n = 0;
    for (const auto& [worker, c] : commands) n += c.kind == kind;
    return n;
  }
};

Transition step_of(int thread) {
  Transition t;
  t.choice.thread = static_cast<std::uint8_t>(thread);
  t.operation.thread = t.choice.thread;
  return t;
}

// A worker's answer to its first run: one state, in which it goes on with thread 1 and gives `owed` away.
Report cut_of(const Command& c, std::vector<int> owed) {
  Report report;
  report.id = c.id;
  report.order = c.order;
  report.cut.emplace();
  Cut::State state;
  state.taken = step_of(1);
  for (int thread : owed) state.owed.push_back({step_of(thread), {}});
  report.cut->states.push_back(state);
  return report;
}

Report finish_of(const Command& c, std::uint64_t executions) {
  Report report;
  report.id = c.id;
  report.order = c.order;
  report.finished = true;
  report.settled.executions = executions;
  if (!c.unit.prefix.empty()) report.path.push_back(*c.unit.branch);
  return report;
}

TEST(Balancer, TheFirstWorkerGetsEverythingAndIsAskedForTheOthers) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  balancer.join(2);
  ASSERT_EQ(told.commands.size(), 2u);
  EXPECT_EQ(told.commands[0].first, 1);
  EXPECT_EQ(told.commands[0].second.kind, Command::Kind::Explore);
  EXPECT_EQ(told.commands[1].first, 1);
  EXPECT_EQ(told.commands[1].second.kind, Command::Kind::Unload);
  EXPECT_EQ(balancer.busy(), 1u);
  EXPECT_EQ(balancer.idle(), 1u);
}

TEST(Balancer, WhatAWorkerGivesAwayGoesToTheIdle) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  balancer.join(2);
  balancer.join(3);
  const Command first = told.commands[0].second;
  EXPECT_EQ(balancer.take(1, cut_of(first, {2, 3})), Balancer::Heard::Yes);
  EXPECT_EQ(balancer.busy(), 2u) << "a branch behind one that nobody has run waits for it";
  EXPECT_EQ(balancer.waiting(), 1u);
}

TEST(Balancer, AThresholdThatIsGivenIsPassedOn) {
  Told told;
  Balancer balancer(told.send(), 17);
  balancer.join(1);
  balancer.join(2);
  EXPECT_EQ(told.last().second.threshold, 17u);
}

// Thirteen units for fourteen workers. Then all but one are finished, and it is not held to what it was asked for in between.
TEST(Balancer, AsFewerAreBusySmallerUnitsAreAskedFor) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  for (int w = 1; w <= 14; ++w) balancer.join(w);
  std::map<int, Command> unit;
  std::map<int, std::uint32_t> asked;  // how much work, when last asked to unload
  auto listen = [&] {
    for (const auto& [worker, c] : std::exchange(told.commands, {})) {
      if (c.kind == Command::Kind::Explore) unit[worker] = c, asked.erase(worker);
      else asked[worker] = c.least_us;
    }
  };
  listen();
  balancer.take(1, cut_of(unit[1], {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  for (listen(); balancer.waiting() > 0; listen()) {  // a unit's first run lets the next one go
    const auto [worker, c] = *std::prev(unit.end());
    Report path;
    path.id = c.id;
    path.order = c.order;
    path.path.push_back(*c.unit.branch);
    balancer.take(worker, path);
  }
  ASSERT_EQ(balancer.busy(), 13u);
  const auto [last, before] = *std::max_element(asked.begin(), asked.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [worker, c] : unit)
    if (worker != last) balancer.take(worker, finish_of(c, 1));
  listen();
  ASSERT_EQ(balancer.busy(), 1u);
  EXPECT_LT(asked.at(last), before / 2);
}

TEST(Balancer, ALostWorkersUnitIsGivenOutAgainAndItsWorkIsWasted) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  Report progress;
  progress.id = told.last().second.id;
  progress.order = told.last().second.order;
  progress.unsettled.executions = 5;
  balancer.take(1, progress);
  EXPECT_EQ(balancer.total().executions, 5u);
  balancer.lose(1);
  EXPECT_EQ(balancer.total().executions, 0u);
  EXPECT_EQ(balancer.wasted().executions, 5u);
  EXPECT_EQ(balancer.repeated(), 1u);
  EXPECT_TRUE(balancer.records().at(1).lost);
  balancer.join(2);
  EXPECT_EQ(told.last().second.kind, Command::Kind::Explore);
  EXPECT_EQ(balancer.take(2, finish_of(told.last().second, 7)), Balancer::Heard::Yes);
  EXPECT_TRUE(balancer.finished());
  EXPECT_EQ(balancer.total().executions, 7u);
}

TEST(Balancer, ASnapshotIsWhereTheNextOneBegins) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  const Command first = told.last().second;
  balancer.ask_to_save();
  EXPECT_EQ(told.last().second.kind, Command::Kind::Save);
  EXPECT_FALSE(balancer.all_saved());
  Report saved = cut_of(first, {2});
  saved.snapshot = std::exchange(saved.cut, std::nullopt);
  saved.saved = true;
  saved.kept.executions = 3;
  saved.unsettled.executions = 4;
  balancer.take(1, saved);
  EXPECT_TRUE(balancer.all_saved());
  EXPECT_EQ(balancer.save().settled.executions, 3u);
  balancer.lose(1);
  EXPECT_EQ(balancer.settled().executions, 3u);
  EXPECT_EQ(balancer.wasted().executions, 1u);
  EXPECT_EQ(balancer.waiting(), 2u);
}

// Seen to fail when reports are taken whatever order they answer.
TEST(Balancer, WhatIsSaidAboutAUnitThatWasTakenAwayIsNotHeard) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  const Command first = told.last().second;
  ASSERT_TRUE(balancer.adopt({{}, {0, 0, 1}, {0, 0, 2}}));
  Report other = finish_of(first, 1);
  other.threads = {{}, {0, 0, 1}, {1, 0, 1}};  // another thread with number 2
  EXPECT_EQ(balancer.take(1, other), Balancer::Heard::Outdated);
  EXPECT_FALSE(balancer.finished());
  EXPECT_EQ(told.count(Command::Kind::Drop), 1);
  const Command second = told.last().second;  // it begins again, and knows who is who
  ASSERT_EQ(second.kind, Command::Kind::Explore);
  EXPECT_EQ(second.threads.size(), 3u);
  EXPECT_EQ(balancer.take(1, finish_of(first, 1)), Balancer::Heard::Outdated);
  EXPECT_EQ(balancer.take(1, finish_of(second, 1)), Balancer::Heard::Yes);
  EXPECT_TRUE(balancer.finished());
}

TEST(Balancer, ASearchThatStartsOverForgetsWhatWasDone) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  balancer.join(2);
  const Command first = told.commands[0].second;
  Report cut = cut_of(first, {2});
  cut.settled.executions = 3;
  cut.unsettled.executions = 2;
  balancer.take(1, cut);
  ASSERT_EQ(balancer.busy(), 2u);
  balancer.start_over({.timeouts = 1, .cut_runs = true}, std::make_unique<Trunk>());
  EXPECT_EQ(told.count(Command::Kind::Drop), 2);
  EXPECT_EQ(balancer.total().executions, 0u);
  EXPECT_EQ(balancer.wasted().executions, 5u);
  EXPECT_EQ(balancer.repeated(), 0u) << "nobody was lost";
  EXPECT_EQ(balancer.busy(), 1u);
  EXPECT_EQ(balancer.take(1, finish_of(first, 1)), Balancer::Heard::Outdated);
  const auto again = std::find_if(told.commands.rbegin(), told.commands.rend(), [](const auto& c) { return c.second.kind == Command::Kind::Explore; });
  EXPECT_TRUE(again->second.unit.prefix.empty());
  EXPECT_EQ(again->second.terms.timeouts, 1u);
  EXPECT_TRUE(again->second.terms.cut_runs);
  EXPECT_EQ(balancer.take(again->first, finish_of(again->second, 7)), Balancer::Heard::Yes);
  EXPECT_TRUE(balancer.finished());
  EXPECT_EQ(balancer.total().executions, 7u);
  EXPECT_TRUE(from_bytes<Balancer::Saved>(to_bytes(balancer.save())).value().terms.cut_runs);
}

TEST(Balancer, NonsenseIsRefused) {
  Told told;
  Balancer balancer(told.send(), std::nullopt);
  balancer.join(1);
  Report report = finish_of(told.last().second, 1);
  report.id += 1;
  EXPECT_EQ(balancer.take(1, report), Balancer::Heard::Nonsense);
}

// --- real workers, over messages that take their time -----------------------------------------------------------------

// In order, as every transport promises (dist/link.h), but as late as chance wants it.
class MemoryLink final : public Link {
 public:
  bool send(const Bytes& message) override { return outbox.push_back(message), true; }
  std::optional<Bytes> receive(bool) override {
    if (inbox.empty()) return std::nullopt;
    Bytes message = std::move(inbox.front());
    inbox.pop_front();
    return message;
  }
  std::deque<Bytes> sent_to;          // on its way to the worker
  std::deque<Bytes> inbox, outbox;
};

struct Totals {
  std::uint64_t executions = 0, transitions = 0;  // transitions: where runs are a function of their number
  std::set<std::string> suspects;
  bool operator==(const Totals&) const = default;
};

constexpr std::size_t kSteps = 4, kSmallCut = 9;  // in a message

std::size_t size_of(const std::vector<Plan>& plans) {
  std::size_t n = 0;
  for (const Plan& p : plans) n += 1 + size_of(p.below);
  return n;
}

std::size_t size_of(const std::optional<Cut>& cut) {
  std::size_t n = 0;
  if (cut)
    for (const Cut::State& s : cut->states) n += 1 + s.done.size() + size_of(s.owed);
  return n;
}

// The last reversal is sent whole, however long it is.
std::size_t steps_before_the_last(const std::vector<Reversal>& reversals) {
  std::size_t n = 0;
  for (std::size_t i = 0; i + 1 < reversals.size(); ++i) n += reversals[i].steps.size();
  return n;
}

class Simulation {
 public:
  Simulation(const scripted::Script& script, Make make, int workers, unsigned seed, int loss_permille, std::unique_ptr<Frontier> frontier)
      : script_(script), make_(std::move(make)), chance_(seed), loss_permille_(loss_permille),
        balancer_([this](int w, const Command& c) { members_.at(w)->link.sent_to.push_back(to_bytes(c)); }, 0, std::move(frontier)) {
    for (int i = 0; i < workers; ++i) hire();
  }

  Totals run() {
    for (int turns = 0; !balancer_.finished(); ++turns) {
      if (turns == 2'000'000) return ADD_FAILURE() << "no end", totals_;
      if (const auto terms = changes_.find(turns); terms != changes_.end()) balancer_.start_over(terms->second, std::make_unique<Trunk>());
      auto it = members_.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(chance_() % members_.size()));
      turn(it->first, *it->second);
    }
    totals_.executions = balancer_.total().executions;
    if (!make_()->exhaustive()) totals_.transitions = balancer_.total().transitions;
    EXPECT_EQ(balancer_.settled().executions, totals_.executions) << "all of it is settled at the end";
    return totals_;
  }

  const Balancer& balancer() const { return balancer_; }
  void start_over_at(int turn, const Terms& terms) { changes_[turn] = terms; }

 private:
  struct Member {
    explicit Member(const scripted::Script& script) : program(script) {}
    QueuedProgram program;
    MemoryLink link;
    Config config;
    std::size_t most_in_a_cut = 0;
    std::unique_ptr<Worker> worker;
  };

  void hire() {
    auto member = std::make_unique<Member>(script_);
    Member& m = *member;
    m.most_in_a_cut = next_ % 3 == 0 ? kSmallCut : 100'000;
    const std::size_t foresee = next_ % 2 == 0 ? 3 : 0;
    m.worker = make_worker(m.config, m.program, make_, m.link, {std::chrono::microseconds(0), std::chrono::microseconds(0), kSteps, foresee, m.most_in_a_cut});
    members_[next_] = std::move(member);
    balancer_.join(next_++);
  }

  void turn(int name, Member& m) {
    if (static_cast<int>(chance_() % 1000) < loss_permille_) return lose(name);
    switch (chance_() % 4) {
      case 0:  // something arrives there
        if (m.link.sent_to.empty()) return;
        m.link.inbox.push_back(std::move(m.link.sent_to.front()));
        m.link.sent_to.pop_front();
        return;
      case 1:  // something arrives here
        return deliver(name, m);
      default:
        if (m.worker->has_unit() || !m.link.inbox.empty()) {
          ASSERT_TRUE(m.worker->advance());
        }
        if (chance_() % 50 == 0) balancer_.ask_to_save();
    }
  }

  void deliver(int name, Member& m) {
    if (m.link.outbox.empty()) return;
    const Report report = from_bytes<Report>(m.link.outbox.front()).value();
    m.link.outbox.pop_front();
    // Each was seen to fail without its bound (Pace::steps_a_message; steps_a_cut for cuts, and for snapshots).
    ASSERT_LE(steps_before_the_last(report.reversals), kSteps);
    ASSERT_LE(size_of(report.cut), m.most_in_a_cut);
    ASSERT_LE(size_of(report.snapshot), m.most_in_a_cut);
    const auto heard = balancer_.take(name, report);
    ASSERT_NE(heard, Balancer::Heard::Nonsense);
    if (heard == Balancer::Heard::Outdated) return;
    ASSERT_FALSE(report.error.has_value()) << report.error->what;
    for (const Suspect& s : report.suspects) totals_.suspects.insert(s.signature);
  }

  // Of what it had sent, some arrives and the rest never does.
  void lose(int name) {
    Member& m = *members_.at(name);
    for (auto arrives = chance_() % (m.link.outbox.size() + 1); arrives > 0; --arrives) deliver(name, m);
    balancer_.lose(name);
    members_.erase(name);
    hire();
  }

  const scripted::Script& script_;
  Make make_;
  std::mt19937 chance_;
  int loss_permille_;
  std::map<int, Terms> changes_;  // by turn
  std::map<int, std::unique_ptr<Member>> members_;
  int next_ = 1;
  Balancer balancer_;
  Totals totals_;
};

constexpr std::uint64_t kMostRuns = 400;

// One process, no messages. Nothing: too many runs for this test.
std::optional<Totals> search_alone(const scripted::Script& script, Reduction& reduction, std::uint64_t most) {
  ScriptedProgram program(script);
  Totals totals;
  for (std::uint64_t runs = 0; runs < most; ++runs) {
    const auto request = reduction.next();
    if (!request) return totals;
    const Trace trace = program.run(*request).value();
    totals.executions += trace.end != wire::End::SleepBlocked;
    if (!reduction.exhaustive()) totals.transitions += trace.events.size();
    for (const Finding& f : detect(trace)) totals.suspects.insert(f.signature);
    reduction.learn(*request, trace);
  }
  if (reduction.exhaustive()) return std::nullopt;
  return totals;
}

class Divided : public testing::TestWithParam<int> {};  // number of workers

TEST_P(Divided, SearchesComeToTheSame) {
  const std::pair<const char*, Make> algorithms[] = {
      {"optimal", [] { return std::make_unique<Optimal>(); }},
      {"source", [] { return std::make_unique<Source>(); }},
      {"dpor", [] { return std::make_unique<Dpor>(true); }},
      {"dpor, aggressive", [] { return std::make_unique<Dpor>(true, Update::Aggressive); }},
  };
  int compared = 0, repeated = 0;
  std::uint64_t units = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const scripted::Script script = generated::generate(5000 + seed);
    for (const auto& [name, make] : algorithms) {
      const auto alone = search_alone(script, *make(), kMostRuns);
      if (!alone) continue;
      for (int loss : {0, 8}) {
        SCOPED_TRACE(testing::Message() << name << " seed " << seed << " loss " << loss);
        Simulation simulation(script, make, GetParam(), static_cast<unsigned>(seed), loss, std::make_unique<Trunk>());
        ASSERT_EQ(simulation.run(), *alone);
        repeated += static_cast<int>(simulation.balancer().repeated());
        units += simulation.balancer().units();
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(units, (GetParam() > 1 ? 3u : 0u) * static_cast<unsigned>(compared)) << "searches are divided";
  EXPECT_GT(repeated, 50);
}

// In the middle of everything, and with another algorithm from then on: `source` goes on for `optimal`.
TEST_P(Divided, StartedOverSearchesComeToTheSame) {
  const Make optimal = [] { return std::make_unique<Optimal>(); };
  int compared = 0, wasted = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const scripted::Script script = generated::generate(5000 + seed);
    Source source;
    source.expect_cuts();
    const auto alone = search_alone(script, source, kMostRuns);
    if (!alone) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Simulation simulation(script, optimal, GetParam(), static_cast<unsigned>(seed), seed % 2 ? 8 : 0, std::make_unique<Trunk>());
    simulation.start_over_at(static_cast<int>(seed * 2), {.timeouts = 0, .cut_runs = true});
    const Totals divided = simulation.run();
    if (!simulation.balancer().terms().cut_runs) continue;  // it was over before
    EXPECT_EQ(divided, *alone);
    wasted += static_cast<int>(simulation.balancer().wasted().executions);
    ++compared;
  }
  EXPECT_GT(compared, 15);
  EXPECT_GT(wasted, 5);
}

// Runs were cut by waits that time out without end, and are no more once those are bounded: everybody goes back to the algorithm that was asked for.
// Seen to fail where workers stay with the other one.
TEST_P(Divided, SearchesThatStartOverTwiceComeToTheSame) {
  const Make optimal = [] { return std::make_unique<Optimal>(); };
  int compared = 0, went_on = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const scripted::Script script = generated::generate(5000 + seed);
    const auto alone = search_alone(script, *optimal(), kMostRuns);
    if (!alone) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Simulation simulation(script, optimal, GetParam(), static_cast<unsigned>(seed), seed % 2 ? 8 : 0, std::make_unique<Trunk>());
    simulation.start_over_at(10, {.timeouts = 0, .cut_runs = true});
    simulation.start_over_at(60, {.timeouts = 0, .cut_runs = false});
    const Totals divided = simulation.run();
    if (simulation.balancer().terms().cut_runs) continue;  // it was over before
    EXPECT_EQ(divided, *alone);
    went_on += simulation.balancer().wasted().executions > 0;
    ++compared;
  }
  EXPECT_GT(compared, 15);
  EXPECT_GT(went_on, 5);
}

// What a worker says last before it is told to drop its unit is not heard, findings included: it tells them again. So it does of a unit that another one takes the place of. Seen to
// fail without either.
TEST(Balancer, FindingsOfAUnitThatWasDroppedAreToldAgain) {
  std::optional<scripted::Script> script;
  for (std::uint64_t seed = 7000; !script; ++seed) {
    const scripted::Script candidate = generated::generate(seed);
    Optimal optimal;
    const auto alone = search_alone(candidate, optimal, 20);
    if (alone && !alone->suspects.empty()) script = candidate;
  }
  QueuedProgram program(*script);
  MemoryLink link;
  const Config config;
  Worker::Pace pace;
  pace.look = std::chrono::microseconds(0);
  const auto worker = make_worker(config, program, [] { return std::make_unique<Optimal>(); }, link, pace);
  auto ask = [&](std::uint64_t order) {
    Command command;
    command.kind = Command::Kind::Explore;
    command.id = 1;
    command.order = order;
    link.inbox.push_back(to_bytes(command));
  };
  auto explore = [&](std::uint64_t order) {
    ask(order);
    std::set<std::string> told;
    do worker->advance();
    while (worker->has_unit());
    for (const Bytes& message : std::exchange(link.outbox, {})) {
      const Report report = from_bytes<Report>(message).value();
      for (const Suspect& s : report.suspects) told.insert(s.signature);
    }
    return told;
  };
  const std::set<std::string> first = explore(1);
  EXPECT_FALSE(first.empty());
  EXPECT_TRUE(explore(2).empty()) << "known";
  Command drop;
  drop.kind = Command::Kind::Drop;
  link.inbox.push_back(to_bytes(drop));
  worker->advance();
  EXPECT_EQ(explore(3), first);
  ask(4);
  worker->advance();
  worker->advance();
  ASSERT_TRUE(worker->has_unit());
  EXPECT_EQ(explore(5), first);
}

// A link that has ended says so whenever it is asked (MpiLink). Ranks that were in the middle of a unit asked on and on, and were ended by force after five seconds. Seen to fail so.
TEST(Balancer, AWorkerThatIsToldToStopAsksNoMore) {
  struct EndedLink final : Link {
    bool send(const Bytes&) override { return true; }
    std::optional<Bytes> receive(bool) override {
      if (asked++ > 100) throw std::runtime_error("it asks on");
      Command command;
      command.kind = asked == 1 ? Command::Kind::Explore : Command::Kind::Stop;
      command.id = command.order = 1;
      return to_bytes(command);
    }
    int asked = 0;
  };
  QueuedProgram program(generated::generate(5001));
  EndedLink link;
  const Config config;
  Worker::Pace pace;
  pace.look = std::chrono::microseconds(0);
  EXPECT_NO_THROW(make_worker(config, program, [] { return std::make_unique<Optimal>(); }, link, pace)->work());
  EXPECT_EQ(link.asked, 2);
}

TEST_P(Divided, SamplesAreTheSame) {
  const std::pair<const char*, Make> algorithms[] = {
      {"random", [] { return std::make_unique<Sampling>(wire::Policy::Random, 3); }},
      {"pct", [] { return std::make_unique<PctSampling>(3); }},
      {"pos", [] { return std::make_unique<Sampling>(wire::Policy::Pos, 3); }},
  };
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const scripted::Script script = generated::generate(7000 + seed);
    for (const auto& [name, make] : algorithms) {
      const std::unique_ptr<Reduction> sampling = make();
      const Totals alone = search_alone(script, *sampling, 200).value();
      const SampledRuns worth = sampling->sampled().front();
      const Seeds::HorizonBegins horizons = [&](std::uint64_t n) { return dynamic_cast<Sampling&>(*sampling).horizon_begins(n); };
      for (int loss : {0, 4}) {
        SCOPED_TRACE(testing::Message() << name << " seed " << seed << " loss " << loss);
        Simulation simulation(script, make, GetParam(), static_cast<unsigned>(seed), loss, std::make_unique<Seeds>(200, horizons));
        ASSERT_EQ(simulation.run(), alone);
        ASSERT_EQ(to_bytes(simulation.balancer().sampled().front()), to_bytes(worth));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, Divided, testing::Values(1, 2, 3, 4, 8, 16));

}  // namespace
}  // namespace heddle
