// Tells the user that the search goes on: one line that is redrawn on a terminal, a plain line now and then elsewhere.
#pragma once
#include <cstdio>
#include <string>

#include "explore/outcome.h"
#include "explore/reduction/reduction.h"

namespace heddle {

class ProgressMeter {
 public:
  enum class Style { None, Plain, Terminal };

  // The style that suits `out`.
  static Style style_for(std::FILE* out, bool quiet);

  ProgressMeter(std::FILE* out, Style style) : out_(out), style_(style), next_s_(style == Style::Terminal ? 0.5 : 10) {}
  ~ProgressMeter() { clear(); }

  void start_at(std::uint64_t runs) { last_runs_ = runs; }  // made earlier: they do not count for the speed
  bool due(double elapsed_s) const { return style_ != Style::None && elapsed_s >= next_s_; }
  void show(const Statistics& statistics, const Progress& progress, double elapsed_s);
  void clear();  // before anything else is printed
  void say(const std::string& line);  // nothing, where nothing was wanted; no line twice in a row

 private:
  std::FILE* out_;
  Style style_;
  double next_s_;
  double last_s_ = 0;
  std::uint64_t last_runs_ = 0;
  bool drawn_ = false;
  std::string said_;
};

std::string grouped_number(std::uint64_t n);  // 12,345
std::string rough_number(double n);           // two digits that mean something
std::string rough_time(double s);             // 42 s, 17 min, 3 h, 12 days

// "12,345 runs (4,100/s), depth 26, 14 pending, about 200,000 in all, 46 s left"
std::string progress_text(const Statistics& statistics, const Progress& progress, double runs_per_second);

}  // namespace heddle
