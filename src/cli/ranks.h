// The ranks that mpirun started, as rank 0 sees them from its first word to the last: it asks what they have, has them work, ends them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dist/mpi_crew.h"
#include "dist/muster.h"
#include "explore/config.h"
#include "explore/patience.h"

namespace heddle {

class Ranks {
 public:
  Ranks(MpiSession& session, std::vector<std::string> words) : session_(session), crew_(session), words_(std::move(words)) {}

  // Tells the ranks what to start. They do so while this one starts its own.
  Status welcome(const ProcessOptions& options);
  // Returns when every rank is ready and has the same program, libraries and input files as this one.
  Status gather(const ProcessOptions& options, const ProcessProgram& program, const Patience& patience);
  Crew& crew() { return crew_; }
  void end() { crew_.end(); }
  void leave(ExitCode code);  // the last thing; does not return if a rank does not answer

 private:
  MpiSession& session_;
  MpiCrew crew_;
  std::vector<std::string> words_;
};

}  // namespace heddle
