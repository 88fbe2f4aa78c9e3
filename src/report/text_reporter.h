// The report people read: verdict first, then each finding, then one line of numbers.
#pragma once
#include "report/reporter.h"
#include "report/style.h"

namespace heddle {

class TextReporter : public Reporter {
 public:
  explicit TextReporter(Style style) : style_(style) {}
  void write(const CheckReport& report, std::ostream& out) override;

 private:
  void write_case(const Case& c, std::size_t number, std::size_t of, std::ostream& out) const;

  Style style_;
};

}  // namespace heddle
