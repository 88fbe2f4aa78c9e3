// What an Address means to a reader: source lines for code, names for data.
//
// Two implementations: report/Symbolizer asks the debug information of the program's modules; RecordedPlaces repeats what
// was written into a trace file, so that a trace can be rendered where the program no longer is.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/trace.h"

namespace heddle {

struct SourceFrame {
  std::string function;  // demangled; "?" if nothing is known
  std::string file;      // empty without debug information
  int line = 0;
  std::string fallback;  // "libfoo.so+0x12f0": shown where there is no file
  bool inlined = false;  // into the next frame of the list
  bool operator==(const SourceFrame&) const = default;
};

class Places {
 public:
  virtual ~Places() = default;
  // ENSURES at least one frame. Inlined callers follow, innermost first. `pc` lies within the call or access that is
  // meant: the runtime has already stepped back from return addresses.
  virtual std::vector<SourceFrame> code(Address pc) = 0;
  // "account.balance", "heap block of thread 2", …
  virtual std::string data(Address address) = 0;
};

class RecordedPlaces : public Places {
 public:
  std::vector<SourceFrame> code(Address pc) override;
  std::string data(Address address) override;

  std::map<Address, std::vector<SourceFrame>> frames;
  std::map<Address, std::string> names;
};

// The name that needs no debug information.
std::string plain_data_name(Address address);
std::string plain_code_name(Address pc);

}  // namespace heddle
