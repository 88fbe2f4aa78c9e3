// Explores units for a balancer (003 fig. 4): runs the program, analyses, reports. Judges nothing: a run with something wrong in it
// is a Suspect, which the balancer runs again.
//
// This is what all workers have in common; reversal_worker.h and sampling_worker.h know what a unit is.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "dist/link.h"
#include "dist/messages.h"
#include "dist/steadfast_program.h"
#include "explore/config.h"
#include "explore/reduction/reduction.h"
#include "explore/replay_check.h"
#include "target/program.h"

namespace heddle {

class Worker {
 public:
  struct Pace {
    std::chrono::microseconds look = std::chrono::microseconds(300);    // for commands, while there is a unit
    std::chrono::microseconds tell = std::chrono::milliseconds(100);    // how far it is
    std::size_t steps_a_message = 100'000;                              // of reversals: a few megabytes
    std::size_t foresee = 0;                                            // runs made ahead of their turn with one that is asked for (foresight.h)
    std::size_t steps_a_cut = 100'000;                                  // and of snapshots: what would need more is not given away, or not saved
  };

  virtual ~Worker() = default;

  void work();      // until told to stop, or nobody is there any more
  bool advance();   // one command while idle, a run otherwise. False: it is over
  bool has_unit() const { return report_.id != 0; }

 protected:
  Worker(const Config& config, Program& program, Link& link, Pace pace) : config_(config), program_(program), link_(link), pace_(pace) {}

  virtual Status begin(const Command& command) = 0;
  virtual void step() = 0;                                       // a run; or finish()
  virtual void abandon() {}                                      // the unit is no longer ours
  virtual bool can_unload(std::uint32_t) const { return false; }  // it owes more than so much
  virtual double promised_runs() const { return 0; }             // an estimate: what the unit still has
  virtual void unload() {}                                       // fills report_
  virtual void take_snapshot() {}                                // fills report_
  virtual void complete_report() {}                              // with what has not been told yet
  virtual bool has_news() const { return false; }                // that others wait for

  bool count(const Request& request, const Trace& trace);        // false: the run says nothing, and the worker cannot go on
  void fail(const Error& error);
  void finish();
  Status show(const Terms& terms);  // the hidden objects whose uses are operations
  void give_up();               // the search is about to start over, on other terms
  void send();
  void look_around();

  const Config& config_;
  SteadfastProgram program_;
  ReplayCheck replay_check_;
  Report report_;               // being filled; id 0: idle
  Tally tally_;                 // of the unit
  Tally sent_;                  // of it, what has been settled

 private:
  using Clock = std::chrono::steady_clock;

  void obey(const Bytes& message);
  bool is_to_unload(Clock::time_point now) const;
  void ask_to_unload(const Command& command);
  void forget_unit();
  void suspect(const Request& request, const Trace& trace);
  void send_reversals();
  void tell_notes();

  Link& link_;
  Pace pace_;
  bool stop_ = false, asked_ = false, saving_ = false;
  std::uint32_t threshold_ = 0, least_us_ = 0;
  std::size_t known_threads_ = 0;  // the balancer knows of
  Signatures signatures_;
  std::set<std::string> notes_;
  std::size_t told_uncovered_ = 0, told_pairs_ = 0;  // of the program's notes, the balancer knows so many
  Clock::time_point looked_{}, told_{}, begun_{};
};

// The worker that the algorithm asks for. `make` is called more than once; all of them outlive the worker.
std::unique_ptr<Worker> make_worker(const Config& config, Program& program, const std::function<std::unique_ptr<Reduction>()>& make,
                                    Link& link, Worker::Pace pace = {});

}  // namespace heddle
