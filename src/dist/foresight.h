// Runs that a search will ask for later, made together with the one that it asks for now.
//
// Where a worker and its program share a processor, a hand-over costs two switches between them, however many runs are handed over at once. A run
// is the same whenever it is made, so whatever is already owed can be run ahead of its turn; the search learns of it when its turn comes, and is the
// same search, run for run. What is kept is known by the state that owes it: when the search has left that state, or has given it away, nobody will ask any more.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "explore/reduction/reversal_search.h"
#include "target/program.h"

namespace heddle {

class Foresight {
 public:
  // `most`: runs besides the one that is asked for; 0: none. The others outlive this.
  Foresight(Program& program, ReversalSearch& search, std::size_t most) : program_(program), search_(search), most_(most) {}

  // REQUIRES `request` is the search's last.
  Result<Trace> run(const Request& request);
  void forget();
  std::uint64_t take_unused() { return std::exchange(unused_, 0); }  // runs that were made and not asked for

 private:
  struct Kept {
    ReversalSearch::Foreseen foreseen;
    Trace trace;
  };

  void drop_what_is_over();
  std::size_t room() const;

  Program& program_;
  ReversalSearch& search_;
  const std::size_t most_;
  std::vector<Kept> kept_;
  std::size_t steps_ = ~std::size_t{0};  // of the last run
  std::uint64_t unused_ = 0;
};

}  // namespace heddle
