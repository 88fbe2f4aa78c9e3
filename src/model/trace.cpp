#include "model/trace.h"

namespace heddle {

std::vector<Choice> choices_of(const Trace& trace) {
  std::vector<Choice> choices;
  choices.reserve(trace.events.size());
  for (const Event& e : trace.events) choices.push_back({e.thread, e.alternative});
  return choices;
}

}  // namespace heddle
