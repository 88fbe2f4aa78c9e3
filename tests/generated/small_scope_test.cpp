// Every program of a few statements over a small alphabet, each through every algorithm, against plain enumeration: what seldom comes up by chance comes up
// here. An alphabet puts together what is hard to get right together.
//
// Programs have three threads and kStatements statements in all. HEDDLE_SMALL_SCOPE=N in the environment makes it N; HEDDLE_SMALL_SCOPE_PREEMPTIONS=N compares within that bound,
// HEDDLE_SMALL_SCOPE_STATES=SEED searches that store states instead, with random orders of that seed.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agreement.h"
#include "generator.h"
#include "stateful_agreement.h"

namespace heddle::generated {
namespace {

using namespace scripted;

constexpr std::uint64_t kInterleavings = 1'000;  // more is too big
constexpr int kStatements = 4;
constexpr int kThreads = 3;
constexpr std::size_t kTogether = 200;  // programs that share a process

using Statement = void (*)(ThreadScript&);
using Alphabet = std::vector<Statement>;

Script objects() {
  Script s;
  s.variables = {0, 0};
  s.mutexes = s.rwlocks = s.conditions = 1;
  s.semaphores = {1};
  s.barriers = {2};
  s.onces = 1;
  return s;
}

Agreement compare_as_asked(const Script& script) {
  if (const char* seed = std::getenv("HEDDLE_SMALL_SCOPE_STATES")) return compare_stateful(script, kInterleavings, std::strtoull(seed, nullptr, 10));
  if (const char* most = std::getenv("HEDDLE_SMALL_SCOPE_PREEMPTIONS")) {
    reference::Bounds bounds;
    bounds.preemptions = static_cast<std::uint32_t>(std::atoi(most));
    return compare_within(bounds, script, kInterleavings);
  }
  return compare(script, kInterleavings);
}

int statements() {
  const char* given = std::getenv("HEDDLE_SMALL_SCOPE");
  return given ? std::atoi(given) : kStatements;
}

class SmallScope : public testing::Test {
 protected:
  // All programs over the alphabet.
  void check_all(const Alphabet& alphabet) {
    Script script = objects();
    for (int i = 0; i < kThreads; ++i) script.thread();
    extend(script, alphabet, 0, statements());
    check_batch();
    RecordProperty("programs", static_cast<int>(programs_));
    EXPECT_GT(programs_, 0u);
    EXPECT_LE(too_big_, programs_ / 10);
  }

 private:
  // Puts `left` more statements into threads from `thread` on, in every way.
  void extend(const Script& script, const Alphabet& alphabet, std::size_t thread, int left) {
    if (HasFailure()) return;
    if (left == 0) return add(script);
    for (std::size_t t = thread; t < script.threads.size(); ++t) {
      if (t > 0 && script.threads[t - 1].code.empty()) return;
      for (const Statement& statement : alphabet) {
        Script longer = script;
        statement(longer.threads[t]);
        extend(longer, alphabet, t, left - 1);
      }
    }
  }

  void add(const Script& script) {
    if (!is_sensible(script)) return;
    batch_.push_back(script);
    if (batch_.size() == kTogether) check_batch();
  }

  // In a process of their own: a failed assertion of ours is a disagreement, too.
  void check_batch() {
    programs_ += batch_.size();
    const Agreement all = isolated([this] {
      Agreement sum;
      for (const Script& s : batch_) {
        const Agreement a = compare_as_asked(s);
        if (a.judgement == Judgement::Disagree) return a;
        if (a.judgement == Judgement::TooBig) sum.text += '#';
      }
      return sum;
    });
    too_big_ += all.judgement == Judgement::Agree ? all.text.size() : 0;
    if (all.judgement == Judgement::Disagree) tell_which();
    batch_.clear();
  }

  void tell_which() {
    auto alone = [](const Script& s) { return isolated([&] { return compare_as_asked(s); }); };
    auto disagrees = [&](const Script& s) { return alone(s).judgement == Judgement::Disagree; };
    for (const Script& s : batch_) {
      if (!disagrees(s)) continue;
      const Script small = shrink(s, disagrees);
      const std::string text = alone(small).text;
      ADD_FAILURE() << as_issue(small, text) << text;
      return;
    }
    ADD_FAILURE() << "programs disagree together, none of them alone";
  }

  std::vector<Script> batch_;
  std::uint64_t programs_ = 0;
  std::uint64_t too_big_ = 0;
};

const Statement kFail = [](ThreadScript& t) { t.check(3, scripted::Test::Equal, 99, 1); };  // no register ever is
const Statement kExit = [](ThreadScript& t) { t.exit(); };
const Statement kStore = [](ThreadScript& t) { t.atomic_store(0, 1); };
const Statement kStoreOther = [](ThreadScript& t) { t.atomic_store(1, 1); };
const Statement kLoad = [](ThreadScript& t) { t.atomic_load(0, 0); };
const Statement kLoadAndCheck = [](ThreadScript& t) { t.atomic_load(0, 0).check(0, scripted::Test::Equal, 0, 2); };
const Statement kChoose = [](ThreadScript& t) { t.choose(2, 0); };
const Statement kChooseAndCheck = [](ThreadScript& t) { t.choose(2, 0).check(0, scripted::Test::Equal, 0, 3); };
const Statement kAwait = [](ThreadScript& t) { t.await(0, 1, 1); };
const Statement kAwaitEither = [](ThreadScript& t) { t.await_either(0, 1, 1, 1, 0); };
const Statement kLock = [](ThreadScript& t) { t.lock(0); };
const Statement kTryLock = [](ThreadScript& t) { t.try_lock(0, 0); };
const Statement kUnlock = [](ThreadScript& t) { t.unlock(0); };
const Statement kReadLock = [](ThreadScript& t) { t.read_lock(0); };
const Statement kWriteLock = [](ThreadScript& t) { t.write_lock(0); };
const Statement kTryRead = [](ThreadScript& t) { t.try_read_lock(0, 0); };
const Statement kTryWrite = [](ThreadScript& t) { t.try_write_lock(0, 0); };
const Statement kRwUnlock = [](ThreadScript& t) { t.rw_unlock(0); };
const Statement kWait = [](ThreadScript& t) { t.lock(0).wait(0, 0, 0).unlock(0); };
const Statement kTimedWait = [](ThreadScript& t) { t.lock(0).timed_wait(0, 0, 1).unlock(0); };
const Statement kSignal = [](ThreadScript& t) { t.signal(0); };
const Statement kBroadcast = [](ThreadScript& t) { t.broadcast(0); };
const Statement kSemWait = [](ThreadScript& t) { t.sem_wait(0); };
const Statement kSemTimedWait = [](ThreadScript& t) { t.sem_timed_wait(0, 1); };
const Statement kSemPost = [](ThreadScript& t) { t.sem_post(0); };
const Statement kSemValue = [](ThreadScript& t) { t.sem_value(0, 1); };
const Statement kBarrier = [](ThreadScript& t) { t.barrier_wait(0, 0); };
const Statement kOnce = [](ThreadScript& t) {
  const int end = t.here() + 3;
  t.once_begin(0, 0).jump_if(0, scripted::Test::Equal, 0, end).once_end(0);
};
const Statement kFutexWait = [](ThreadScript& t) { t.futex_wait(0, 0, 0); };
const Statement kTimedFutexWait = [](ThreadScript& t) { t.futex_wait(0, 0, 0, true); };
const Statement kFutexWake = [](ThreadScript& t) { t.futex_wake(0, 1); };
const Statement kFutexWakeAll = [](ThreadScript& t) { t.futex_wake(0, 9); };
const Statement kTryLockOrFail = [](ThreadScript& t) { t.try_lock(0, 0).check(0, scripted::Test::Equal, 1, 4); };
const Statement kTimedWaitOrFail = [](ThreadScript& t) { t.lock(0).timed_wait(0, 0, 1).check(1, scripted::Test::Equal, 0, 5).unlock(0); };
const Statement kSemTimedWaitOrFail = [](ThreadScript& t) { t.sem_timed_wait(0, 1).check(1, scripted::Test::Equal, 1, 6); };
const Statement kTimedFutexWaitOrFail = [](ThreadScript& t) { t.futex_wait(0, 0, 1, true).check(1, scripted::Test::Equal, 0, 7); };
const Statement kJoinLast = [](ThreadScript& t) { t.join(kThreads - 1); };
template <int thread>
const Statement kOnceAndJoin = [](ThreadScript& t) {  // the initialiser waits for a thread
  const int end = t.here() + 4;
  t.once_begin(0, 0).jump_if(0, scripted::Test::Equal, 0, end).join(thread).once_end(0);
};
template <int thread>
const Statement kTryJoin = [](ThreadScript& t) { t.try_join(thread, 0); };

// Ends of runs beside operations whose alternatives depend on the order: docs/papers.md, "What all reductions share".
TEST_F(SmallScope, EndsBesideSignals) { check_all({kFail, kWait, kTimedWait, kSignal, kBroadcast, kStore}); }
TEST_F(SmallScope, EndsBesideFutexes) { check_all({kFail, kFutexWait, kTimedFutexWait, kFutexWake, kFutexWakeAll, kStore}); }
TEST_F(SmallScope, EndsBesideChoices) { check_all({kFail, kExit, kChoose, kChooseAndCheck, kLoadAndCheck, kStore, kLoad}); }
TEST_F(SmallScope, EndsBesideLocks) { check_all({kFail, kExit, kLock, kTryLock, kUnlock, kLoad, kStore}); }
TEST_F(SmallScope, EndsBesideAwaits) { check_all({kFail, kLoadAndCheck, kAwait, kAwaitEither, kStore, kStoreOther}); }
// Alternatives of which one ends the run.
TEST_F(SmallScope, EndsByTimedWaits) { check_all({kExit, kTimedWaitOrFail, kSignal, kChoose, kLock}); }
TEST_F(SmallScope, EndsByTimedSemaphores) { check_all({kExit, kSemTimedWaitOrFail, kSemWait, kSemPost, kChooseAndCheck, kLoad}); }
TEST_F(SmallScope, EndsByTimedFutexes) { check_all({kExit, kTimedFutexWaitOrFail, kFutexWait, kFutexWake, kChoose, kStore}); }
TEST_F(SmallScope, EndsByAttempts) { check_all({kExit, kTryLockOrFail, kLock, kUnlock, kChooseAndCheck, kTryJoin<2>}); }

TEST_F(SmallScope, TryJoinsBesideSemaphores) { check_all({kTryJoin<0>, kTryJoin<1>, kTryJoin<2>, kSemWait, kSemTimedWait, kSemPost, kSemValue}); }
TEST_F(SmallScope, TryJoinsBesideLocks) { check_all({kTryJoin<0>, kTryJoin<1>, kTryJoin<2>, kJoinLast, kLock, kTryLock, kUnlock}); }
TEST_F(SmallScope, TryJoinsBesideRwlocks) { check_all({kTryJoin<1>, kTryJoin<2>, kReadLock, kWriteLock, kTryRead, kTryWrite, kRwUnlock}); }
TEST_F(SmallScope, TryJoinsBesideWaits) { check_all({kTryJoin<0>, kTryJoin<2>, kWait, kTimedWait, kSignal, kBroadcast}); }
TEST_F(SmallScope, TryJoinsBesideAwaits) { check_all({kTryJoin<0>, kTryJoin<2>, kAwait, kAwaitEither, kStore, kStoreOther, kFail}); }
TEST_F(SmallScope, TryJoinsBesideMeetings) { check_all({kTryJoin<0>, kTryJoin<2>, kBarrier, kOnce, kSemWait, kFail}); }
TEST_F(SmallScope, TryJoinsBesideOnces) { check_all({kTryJoin<0>, kTryJoin<1>, kOnceAndJoin<0>, kOnceAndJoin<1>, kOnce, kSemWait}); }

}  // namespace
}  // namespace heddle::generated
