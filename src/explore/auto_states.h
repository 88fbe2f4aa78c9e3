// What `--algorithm auto` decides first: whether to store states.
//
// It begins without them (auto_search.h). A search that is not through after 256 executions or a million steps, or has run into --max-steps, is set
// aside, and one that stores states (`dl-spor`) is tried for 16,384 runs or a million steps, on the same target in another mode or on one of its own. Often that
// is the end of it, and often soon: so a sixteenth of both is tried before, which decides nothing unless it settles the matter. A trial that takes long lets the first
// search have its turns in between. If it is not the end, the first search gets as long as it took, in case that it was nearly through, and longer if it alone may verify
// or its estimate gives hope. Then both take turns, each
// turn twice as long as the last: which one is nearer to its end cannot be told from their beginnings, and so the better one costs a few times its own
// time at the worst. Storing is given up, and the first search goes on where it was, if
//
//   - states hardly repeat (fewer than half of the trial's runs ended at a known one), or so few runs fit into the trial that nobody can tell: capturing is
//     too dear;
//   - states cannot be captured, or a run was cut by --max-steps, which a search that stores states never takes for covered;
//   - somebody was seen to learn of another thread's doing without being ordered after it (Tally::unordered): a search that stores states may then miss
//     data races, and verifies nothing. It goes on all the same where there are executions without end (the first search was cut, or states lie on a
//     cycle): the first search cannot verify these either;
//   - a limit of time is spent by 80 %: the rest is better spent on sampling.
//
// What either of the two has found is reported. Many workers, checkpoints, bounds on preemptions, a number of executions and programs with effects outside
// of their memory are for the first search alone.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/auto_search.h"
#include "explore/explorer.h"

namespace heddle {

// May auto store states with these options at all?
bool may_store_states(const Config& config);

// How much is tried. Steps are bounded, too: runs can be long, even endless.
struct TrialLimits {
  std::uint64_t first_runs = 256;  // without states: small programs are through by then
  std::uint64_t trial_runs = 16'384;  // with them
  std::uint64_t steps = 1'000'000;    // of either
  double turn_s = 0.5;                // of the trial, until it is the first search's turn; each is twice as long as the last
};

class AutoStates {
 public:
  // Starts another target of the program for this configuration; whoever is asked keeps it as long as the search.
  using StartProgram = std::function<Result<Program*>(const Config& config)>;

  struct Explored {
    Outcome outcome;
    bool stored = false;            // by the search with states
    std::vector<Confirmed> others, other_unknown;  // what only the search that was given up has found, on its own target
  };

  // All of them outlive us. REQUIRES may_store_states(config).
  AutoStates(const Config& config, Program& program, StartProgram start, Patience& patience, ProgressMeter& meter,
             PlaceName place = default_place_name, TrialLimits limits = {});

  // REQUIRES called once.
  Explored explore();

 private:
  // Each says in words why states should not be stored; nothing: they should.
  std::string try_states(std::uint64_t part, double time_s);  // of the limits: a sixteenth of them, or all; as far as one gets in that time
  std::string go_on_storing(double time_s);
  std::string objection_to_going_on() const;
  std::string objection_to_verdict() const;
  std::string objection_to_pace() const;

  bool may_miss_races() const;
  bool has_bug() const;
  bool is_settled() const { return through_ && (has_bug() || !may_miss_races()); }  // the other search could not say more
  bool was_tried(const Tally& t, std::uint64_t part) const;
  bool plain_is_through_within_runs(std::uint64_t runs);
  bool plain_is_through_within(double time_s);
  bool plain_may_come_to_an_end() const;
  double time_for_plain(double trial_s) const;
  bool plain_wins_during_trial(double& trial_s);
  bool plain_wins_by_turns(double turn_s);
  double timed(const std::function<void()>& work);
  void say(const std::string& line);
  Explored tell(Outcome outcome, Outcome other, bool stored);
  Explored tell_plain(Outcome stored);

  const Config& config_;
  const Config storing_config_;
  StartProgram start_;
  Patience& patience_;
  ProgressMeter& meter_;
  PlaceName place_;
  const TrialLimits limits_;
  AutoSearch auto_search_;
  Explorer plain_;
  std::optional<Explorer> storing_;
  bool through_ = false;  // the one that stores states
  double in_between_s_ = 0;  // what plain had during the trial
  std::string objection_;
  std::vector<std::string> lines_;
};

}  // namespace heddle
