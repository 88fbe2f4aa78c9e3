#include "target/program.h"

namespace heddle {

Result<Trace> Program::run(const Request& request) {
  HEDDLE_CHECK(in_flight() == 0, "Program::run while requests are in flight");
  if (Status sent = submit(request); !sent) return sent.error();
  return collect();
}

}  // namespace heddle
