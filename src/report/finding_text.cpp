#include "report/finding_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "report/wording.h"

namespace heddle {
namespace {

constexpr std::size_t kMostFrames = 12;

// "  deposit            account.cpp:12", aligned.
std::string stack_text(const std::vector<Address>& stack, Places& places, const std::string& directory, const Style& style) {
  std::vector<SourceFrame> frames = user_stack(stack, places);
  const std::size_t hidden = frames.size() > kMostFrames ? frames.size() - kMostFrames : 0;
  frames.resize(frames.size() - hidden);
  std::size_t widest = 0;
  for (const SourceFrame& frame : frames) widest = std::max(widest, frame.function.size());
  widest = std::min<std::size_t>(widest, 48);
  std::string out;
  for (const SourceFrame& frame : frames) {
    const std::string line = fmt::format("      {:<{}}  {}", frame.function, widest, place_of(frame, directory));
    out += (is_library(frame) ? style.dim(line) : line) + "\n";
  }
  if (hidden > 0) out += style.dim(fmt::format("      ... {} more", hidden)) + "\n";
  if (frames.empty()) out += style.dim("      (place unknown)") + "\n";
  return out;
}

// "waits for a mutex" → "waits for mutex", where the name of the mutex follows.
std::string without_article(const std::string& role) {
  for (std::string_view article : {" for a ", " for an "})
    if (const std::size_t at = role.find(article); at != std::string::npos)
      return role.substr(0, at) + " for " + role.substr(at + article.size());
  return role;
}

// Who did what to what: the line above a stack.
std::string role_text(const Finding& finding, const Involved& involved, Places& places) {
  const std::string who = thread_name(involved.thread);
  if (finding.kind == FindingKind::Deadlock || finding.kind == FindingKind::Livelock) {
    const bool names_a_thread = wire::region_of(involved.object) == wire::Region::Thread;
    const std::string what = involved.object == 0 || names_a_thread ? "" : fmt::format(" {}", places.data(involved.object));
    if (involved.role == "holds it") return fmt::format("{} holds{}, taken at", who, what);
    return fmt::format("{} {}{}", who, what.empty() ? involved.role : without_article(involved.role), what);
  }
  if (involved.role == "still running") return fmt::format("{} still running", who);
  if (involved.role == "allocated") return fmt::format("the block was allocated by {}", who);
  if (involved.role == kind_name(finding.kind)) return fmt::format("in {}", who);
  return fmt::format("{} by {}", involved.role, who);
}

// Where each thread that takes part was created.
std::string origins_text(const TraceFile& trace, Places& places, const Style& style) {
  std::set<int> threads;
  for (const Involved& involved : trace.finding.involved) threads.insert(involved.thread);
  std::string out;
  for (const Stack& stack : trace.trace.stacks) {
    if (stack.owner != wire::StackRecord::OfThreadCreation || !threads.contains(static_cast<int>(stack.owner_index))) continue;
    const std::size_t t = stack.owner_index;
    const int parent = t < trace.facts.threads.size() ? trace.facts.threads[t].parent : wire::kNoThread;
    const std::string by = parent != wire::kNoThread ? " by " + thread_name(parent) : "";
    const SourceFrame frame = user_frame(stack.frames, places);
    const std::string at = is_library(frame) ? "" : " at " + place_of(frame, trace.facts.directory);
    out += style.dim(fmt::format("  {} was created{}{}", thread_name(static_cast<int>(t)), by, at)) + "\n";
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// A program's output must not drive the user's terminal.
std::string printable(std::string line) {
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  return line;
}

}  // namespace

std::string headline(const TraceFile& trace) {
  RecordedPlaces places = trace.places;
  const Involved* at = place_in_memory(trace.finding);
  if (!at) return trace.finding.message;
  const std::size_t colon = trace.finding.message.find(':');
  if (wire::is_hidden(at->object)) return trace.finding.message.substr(0, colon);
  return fmt::format("{} on {}", trace.finding.message.substr(0, colon), places.data(at->object));
}

std::string participants_text(const TraceFile& trace, const Style& style) {
  RecordedPlaces places = trace.places;
  std::string out;
  for (const Involved& involved : trace.finding.involved) {
    out += "  " + style.bold(role_text(trace.finding, involved, places)) + "\n";
    out += stack_text(involved.stack, places, trace.facts.directory, style);
  }
  return out + origins_text(trace, places, style);
}

std::string output_text(const TraceFile& trace, const Style& style, std::size_t most_lines) {
  std::vector<std::string> lines = lines_of(trace.trace.output);
  if (lines.empty()) return "";
  std::string out = "  The program printed";
  if (lines.size() > most_lines) {
    out += fmt::format(" (last {} of {} lines)", most_lines, lines.size());
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most_lines));
  }
  out += ":\n";
  for (const std::string& line : lines) out += style.dim("  | ") + printable(line) + "\n";
  return out;
}

}  // namespace heddle
