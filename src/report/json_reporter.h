// The report programs read: schema 2, described in the manual.
#pragma once
#include "report/reporter.h"

namespace heddle {

inline constexpr int kJsonSchema = 2;

class JsonReporter : public Reporter {
 public:
  void write(const CheckReport& report, std::ostream& out) override;
};

// Writes to a file, or to stdout for "-". The file appears whole or not at all.
Status write_json(const CheckReport& report, const std::string& file);

}  // namespace heddle
