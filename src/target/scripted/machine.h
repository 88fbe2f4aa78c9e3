// What scripted operations mean: the state of a run, what is enabled in it, and what each operation does.
//
// The same conventions as the runtime inside a real program: a thread's local instructions belong to the transition before
// them, a created thread runs to its first operation within its creation, and a thread's end belongs to its last transition.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "model/trace.h"
#include "target/scripted/race_watch.h"
#include "target/scripted/script.h"
#include "wire/dependency.h"

namespace heddle::scripted {

class Machine {
 public:
  // REQUIRES that `script` outlives the machine.
  Machine(const Script& script, bool watch_races);

  // `timeouts`: so often a wait of one thread at one instruction may time out; 0: always.
  void reset(std::uint32_t timeouts = 0);

  int threads() const { return static_cast<int>(threads_.size()); }
  bool live(int thread) const { return threads_[index(thread)].status == Status::Live; }
  bool any_live() const { return live_count_ > 0; }
  int created() const { return created_; }
  bool exited() const { return exited_; }
  // Would somebody who waits go on if it might time out more often? REQUIRES nobody can move.
  bool timeouts_are_spent() const;
  std::uint32_t most_timeouts() const { return most_timeouts_; }
  bool refused_timeout() const { return refused_timeout_; }
  bool stopped() const { return stopped_; }  // a report ended the run

  // REQUIRES live(thread), for all four.
  AlternativeSet alternatives(int thread) const;
  wire::OpView next(int thread) const;
  Pending pending(int thread) const;
  bool would_fail(int thread) const;  // its next operation is a compare-exchange that could not exchange anything now

  // Does it, local instructions up to the thread's next operation included, and fills what the event says besides
  // `enabled` and `alternatives`.
  void perform(int thread, int alternative, Event& event);

  const std::vector<wire::Report>& reports() const { return reports_; }
  std::string final_state() const;

  // Everything that decides what can still happen, in a form that is equal exactly for equal states. What has happened is not part
  // of it: neither the order of past operations (the race watch's clocks) nor what was reported.
  std::string state() const;
  wire::Fingerprint fingerprint() const;

 private:
  enum class Status : std::uint8_t { Unborn, Live, Finished };
  using Clock = RaceWatch::Clock;
  struct Thread {
    Status status = Status::Unborn;
    bool resuming = false;  // at the second half of CondWait, BarrierWait, FutexWait
    bool woken = false;
    bool joined = false;
    int ip = 0;
    int watched = -1;           // the variable it accessed last: what an AwaitChange waits for
    std::uint32_t version = 0;  // of that variable, then
    std::uint32_t operations = 0;  // that it has made
    std::array<std::int32_t, kRegisters> reg{};
    std::map<int, std::uint32_t> timeouts;  // instruction → how often
    std::array<std::uint32_t, kMostAwaited> versions{};  // of the first variables, when it read them last
    std::array<std::uint32_t, kMostAwaited> read_at{};   // and by which of its operations
    Clock woken_clock;
  };
  struct Variable {
    std::int32_t value = 0;
    std::uint32_t version = 0;  // how often it changed
    ThreadSet waiters;          // futex
    Clock clock;
  };
  struct Mutex {
    int owner = -1;
    Clock clock;
  };
  struct Rwlock {
    int writer = -1;
    ThreadSet readers;
    Clock clock, read_clock;
  };
  struct Condition {
    ThreadSet waiters;
  };
  struct Semaphore {
    int count = 0;
    Clock clock;
  };
  struct Barrier {
    int arrived = 0;
    ThreadSet waiters;
    Clock clock;
  };
  struct Once {
    enum { Fresh, Running, Done } state = Fresh;
    Clock clock;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Instruction& at(int thread) const;
  int object_of(int thread, const Instruction& i) const;
  int value_of(int thread, const Instruction& i) const;
  Address pc(int thread) const;

  void advance(int thread);                     // local instructions, up to the next operation or the end
  bool local(int thread, const Instruction& i);  // false if `i` is visible
  void finish(int thread);
  void start(int thread);
  void stop(wire::ReportKind kind, int thread, const char* text, int number = 0);

  // Each REQUIRES that the operation is enabled; the result is the event's outcome.
  int access(int thread, const Instruction& i);
  std::uint64_t told_value(int thread, const Instruction& i) const;
  int lock(int thread, const Instruction& i, int alternative);
  int unlock(int thread, Mutex& m);
  int rwlock(int thread, const Instruction& i);
  int condition(int thread, const Instruction& i, int alternative);
  int resume_condition(int thread, const Instruction& i, int alternative);
  int semaphore(int thread, const Instruction& i, int alternative);
  int arrive(int thread, const Instruction& i);
  int once(int thread, const Instruction& i);
  int futex(int thread, const Instruction& i, int alternative);
  int thread_operation(int thread, const Instruction& i);
  int apply(int thread, const Instruction& i, int alternative);

  bool has_changed(const Thread& t) const;  // what it watches, since it looked
  void write(Variable& v, std::int32_t value);
  int wake(int by, ThreadSet& waiters, int first, int how_many);
  bool any_changed(const Thread& t, int variables) const;
  static std::uint32_t operations_since(const Thread& t, int variables);  // it read the first of them
  AlternativeSet resume_alternatives(int thread, bool timed) const;
  bool is_spent(int thread) const;  // has its wait timed out as often as it may?
  bool is_timed(int thread, const Instruction& i) const { return i.timed && !is_spent(thread); }
  void begin_wait(int thread, const Instruction& i, ThreadSet& waiters);
  void count_timeout(int thread);

  const Script& script_;
  const bool watch_races_;
  RaceWatch watch_;
  std::vector<Thread> threads_;
  std::vector<Variable> variables_;
  std::vector<Mutex> mutexes_;
  std::vector<Rwlock> rwlocks_;
  std::vector<Condition> conditions_;
  std::vector<Semaphore> semaphores_;
  std::vector<Barrier> barriers_;
  std::vector<Once> onces_;
  std::vector<bool> created_by_other_;
  std::vector<bool> awaits_;  // thread → does it ever wait for a change
  std::vector<wire::Report> reports_;
  std::uint32_t steps_ = 0;
  int live_count_ = 0;
  int created_ = 0;
  std::uint32_t timeouts_ = 0;  // most of them
  std::uint32_t most_timeouts_ = 0;
  bool refused_timeout_ = false;
  bool exited_ = false;
  bool stopped_ = false;
};

// The names of objects in a script's traces.
Address variable_address(int i);
Address object_address(wire::OpClass cls, int i);

}  // namespace heddle::scripted
