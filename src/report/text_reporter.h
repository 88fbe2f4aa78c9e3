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
  Style style_;
};

// One finding without a search around it: what heddle report shows.
void write_recording(const Case& c, const Style& style, std::ostream& out);

}  // namespace heddle
