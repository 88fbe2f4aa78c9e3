// The command line of `heddle check` as a Config. Everything that can be wrong with it is found here, before anything runs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/mpi_session.h"
#include "explore/config.h"

namespace heddle {

struct CheckCommandLine {
  Config config;
  bool help = false;
  std::string help_text;  // with `help`
};

// `words`: what follows "check". Everything after the program's name belongs to the program. `launched`: as one of mpirun's ranks.
Result<CheckCommandLine> parse_check(const std::vector<std::string>& words, const std::optional<Launched>& launched = {});

// The words of --cflags as a shell would split them: quotes and backslashes.
Result<std::vector<std::string>> split_words(const std::string& text);

}  // namespace heddle
