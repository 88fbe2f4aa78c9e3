// Source lines and variable names from the debug information of the program's modules (libdw).
//
// Modules are opened when first asked about. Answers are kept: a report asks for the same places again and again. Without
// debug information there is still the symbol table; without that, module and offset.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replay/places.h"

namespace heddle {

class DebugModule;

class Symbolizer : public Places {
 public:
  // Paths in the order of the wire's module table.
  explicit Symbolizer(std::vector<std::string> module_paths);
  ~Symbolizer() override;

  std::vector<SourceFrame> code(Address pc) override;
  std::string data(Address address) override;

 private:
  DebugModule* module_of(Address address);
  std::string name_of_data(Address address);

  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<DebugModule>> modules_;
  std::map<Address, std::vector<SourceFrame>> code_;
  std::map<Address, std::string> data_;
};

}  // namespace heddle
