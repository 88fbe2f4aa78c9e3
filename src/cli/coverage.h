// What is not seen of a program, as far as its files tell before it has run.
#pragma once
#include <vector>

#include "model/uncovered.h"
#include "target/process_program.h"

namespace heddle {

// Each part that looks at files (imports, instructions without a hook) adds what it finds here. What
// shows only while the program runs is noted by the runtime (runtime/uncovered.h).
std::vector<Uncovered> uncovered_before_search(const ProcessProgram& program);

}  // namespace heddle
