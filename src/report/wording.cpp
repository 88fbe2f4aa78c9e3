#include "report/wording.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace heddle {
namespace {

bool resumes(Op op) { return op == Op::CondResume || op == Op::FutexResume; }

bool may_time_out(Op op) {
  switch (op) {
    case Op::MutexTimedLock:
    case Op::RwTimedReadLock:
    case Op::RwTimedWriteLock:
    case Op::SemTimedWait:
      return true;
    default:
      return resumes(op);
  }
}

bool reports_failure(Op op) {
  switch (op) {
    case Op::AtomicCas:
    case Op::MutexTryLock:
    case Op::RwTryReadLock:
    case Op::RwTryWriteLock:
    case Op::SemTryWait:
      return true;
    default:
      return false;
  }
}

// What the choice or the state made of the operation, where that is not the usual thing.
std::string result_text(const Event& event) {
  if (may_time_out(event.op) && event.alternative == 1) return " (timed out)";
  if (resumes(event.op) && event.alternative == 2) return " (spurious)";
  if (reports_failure(event.op) && event.outcome == 0) return " (failed)";
  if (event.op == Op::CondSignal || event.op == Op::FutexWake)
    return event.alternative == wire::kNobody ? " (nobody waits)" : fmt::format(" (wakes {})", thread_name(event.alternative));
  return "";
}

std::string operation_text(Op op, Address object, Places& places) {
  switch (wire::op_class(op)) {
    case wire::OpClass::Thread: {
      const std::string verb = op == Op::ThreadCreate ? "create" : op == Op::ThreadJoin ? "join" : "try to join";
      return fmt::format("{} {}", verb, thread_name(static_cast<int>(wire::index_of(object))));
    }
    case wire::OpClass::Process:
      return "exit";
    default:
      return object == 0 ? wire::op_text(op) : fmt::format("{} {}", wire::op_text(op), places.data(object));
  }
}

}  // namespace

std::string thread_name(int thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }

bool is_library(const SourceFrame& frame) {
  // The runtime is linked into the tested program and has debug information; its frames are ours, not the user's.
  if (frame.file.starts_with(HEDDLE_RUNTIME_SOURCES)) return true;
  return frame.file.empty() || frame.file.starts_with("/usr/") || frame.file.starts_with("/build/");  // the latter: distribution builds
}

std::vector<SourceFrame> expand(const std::vector<Address>& stack, Places& places) {
  std::vector<SourceFrame> frames;
  for (Address pc : stack) {
    const std::vector<SourceFrame> here = places.code(pc);
    frames.insert(frames.end(), here.begin(), here.end());
  }
  return frames;
}

SourceFrame user_frame(const std::vector<Address>& stack, Places& places) {
  const std::vector<SourceFrame> frames = expand(stack, places);
  const auto it = std::find_if(frames.begin(), frames.end(), [](const SourceFrame& f) { return !is_library(f); });
  if (it != frames.end()) return *it;
  return frames.empty() ? SourceFrame{"?", "", 0, "unknown code", false} : frames.front();
}

std::vector<SourceFrame> user_stack(const std::vector<Address>& stack, Places& places) {
  const std::vector<SourceFrame> all = expand(stack, places);
  std::vector<SourceFrame> users;
  std::copy_if(all.begin(), all.end(), std::back_inserter(users), [](const SourceFrame& f) { return !is_library(f); });
  return users.empty() ? all : users;
}

std::string place_of(const SourceFrame& frame, const std::string& directory) {
  if (frame.file.empty()) return frame.fallback;
  std::string file = frame.file;
  if (!directory.empty() && file.starts_with(directory + "/")) file = file.substr(directory.size() + 1);
  return frame.line > 0 ? fmt::format("{}:{}", file, frame.line) : file;
}

std::vector<Address> recorded_stack(const Trace& trace, wire::StackRecord::Owner owner, std::uint32_t index, Address pc) {
  for (const Stack& stack : trace.stacks)
    if (stack.owner == owner && stack.owner_index == index && !stack.frames.empty()) return stack.frames;
  return pc == 0 ? std::vector<Address>{} : std::vector<Address>{pc};
}

std::string step_text(const Event& event, Places& places) {
  std::string text = operation_text(event.op, event.object, places);
  if (event.op == Op::Choose) text = fmt::format("choose {}", event.alternative);
  return text + result_text(event);
}

std::string pending_text(const Pending& pending, Places& places) { return operation_text(pending.op, pending.object, places); }

}  // namespace heddle
