#include "explore/bound.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string counted(std::uint32_t preemptions) { return fmt::format("{} preemption{}", preemptions, preemptions == 1 ? "" : "s"); }

}  // namespace

std::string note_on_bound(const PreemptionBound& bound, bool exhausted) {
  if (exhausted && !bound.cut) return fmt::format("no execution was left out for its preemptions (at most {})", bound.most);
  if (exhausted || !bound.grows) return fmt::format("executions with more than {} were left out (--preemptions)", counted(bound.most));
  const std::string under_way = fmt::format("executions with at most {} were under way (--preemptions=auto)", counted(bound.most));
  return bound.most == 0 ? under_way : fmt::format("everything with at most {} was explored; {}", counted(bound.most - 1), under_way);
}

std::string note_on_least(const std::string& message, const PreemptionBound& bound) {
  if (bound.most == 0) return message + ": no preemption is needed";
  return fmt::format("{}: {}, fewer do not", message, bound.most == 1 ? "1 preemption suffices" : counted(bound.most) + " suffice");
}

}  // namespace heddle
