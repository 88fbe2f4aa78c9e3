#include "explore/progress.h"

#include <unistd.h>

#include <cmath>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr double kRedrawEvery_s = 0.25;
constexpr double kPlainEvery_s = 10;

}  // namespace

std::string grouped_number(std::uint64_t n) {
  std::string text = fmt::format("{}", n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

// An estimate has two digits that mean something.
std::string rough_number(double n) {
  if (n >= 1e9) return fmt::format("{:.1e}", n);
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(n, 1.0))) - 1));
  return grouped_number(static_cast<std::uint64_t>(std::round(n / unit) * unit));
}

ProgressMeter::Style ProgressMeter::style_for(std::FILE* out, bool quiet) {
  if (quiet) return Style::None;
  return isatty(fileno(out)) ? Style::Terminal : Style::Plain;
}

std::string rough_time(double s) {
  if (s < 100) return rough_number(s) + " s";
  if (s < 100 * 60) return rough_number(s / 60) + " min";
  if (s < 100 * 3600) return rough_number(s / 3600) + " h";
  return rough_number(s / 86'400) + " days";
}

std::string progress_text(const Statistics& s, const Progress& p, double runs_per_second) {
  std::string text = fmt::format("{} runs ({}/s)", grouped_number(s.runs()), rough_number(runs_per_second));
  if (s.states != 0) text += fmt::format(", {} states", grouped_number(s.states));
  if (p.preemptions) text += fmt::format(", preemptions ≤ {}", p.preemptions->most);
  if (p.depth != 0) text += fmt::format(", depth {}", grouped_number(p.depth));
  if (p.pending != 0) text += fmt::format(", {} pending", grouped_number(p.pending));
  const bool tells = p.estimated_executions > static_cast<double>(s.executions) && p.estimated_executions < 1e15;
  if (!p.crew.empty()) text += ", " + p.crew;
  if (!tells) return text;
  text += fmt::format(", about {} in all", rough_number(p.estimated_executions));
  if (runs_per_second > 0) text += fmt::format(", {} left", rough_time((p.estimated_executions - static_cast<double>(s.executions)) / runs_per_second));
  return text;
}

void ProgressMeter::show(const Statistics& statistics, const Progress& progress, double elapsed_s) {
  const std::uint64_t runs = statistics.runs();  // fewer than before: another search has its turn
  const double rate = elapsed_s > last_s_ && runs > last_runs_ ? static_cast<double>(runs - last_runs_) / (elapsed_s - last_s_) : 0;
  last_s_ = elapsed_s;
  last_runs_ = runs;
  const bool terminal = style_ == Style::Terminal;
  next_s_ = elapsed_s + (terminal ? kRedrawEvery_s : kPlainEvery_s);
  const std::string text = progress_text(statistics, progress, rate);
  if (terminal) {
    fmt::print(out_, "\r\033[K{}", text);
  } else {
    fmt::print(out_, "heddle: {:.0f} s: {}\n", elapsed_s, text);
  }
  drawn_ = terminal;
  std::fflush(out_);
}

void ProgressMeter::say(const std::string& line) {
  clear();
  if (style_ == Style::None || line == said_) return;
  said_ = line;
  fmt::print(out_, "heddle: {}\n", line);
  std::fflush(out_);
}

void ProgressMeter::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
  drawn_ = false;
}

}  // namespace heddle
