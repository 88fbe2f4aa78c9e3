// One loaded file and what its symbol table and DWARF say. Addresses are file addresses (as linked), so PIE or not is the same.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "replay/places.h"
#include "report/main_locals.h"

namespace heddle {

class DebugModule {
 public:
  explicit DebugModule(const std::string& path);

  std::vector<SourceFrame> code(std::uint64_t address);
  std::string data(std::uint64_t address);
  // A variable of main, by its place in the stack of thread 0; empty if there is none. See main_locals.h.
  std::string main_local(std::uint64_t stack_offset);

 private:
  struct CloseDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct UnitRange {
    std::uint64_t begin, end;
    Dwarf_Die unit;
  };
  struct Variable {
    std::uint64_t size;
    std::string name;
    Dwarf_Die type;
  };

  Dwarf_Die* unit_at(std::uint64_t address);
  void index_units();
  std::vector<SourceFrame> frames_from_dwarf(Dwarf_Die* unit, std::uint64_t address);
  SourceFrame frame_from_symbol(std::uint64_t address);
  std::string place_text(std::uint64_t address) const;

  void index_variables();
  void index_variables_below(Dwarf_Die* parent, const std::string& scope);
  void add_variable(Dwarf_Die* die, const std::string& scope);

  std::string path_;
  std::unique_ptr<Dwfl, CloseDwfl> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::uint64_t bias_ = 0;  // of DWARF addresses against the module's
  bool units_indexed_ = false;
  std::vector<UnitRange> units_;
  bool variables_indexed_ = false;
  std::map<std::uint64_t, Variable> variables_;
  std::optional<MainLocals> main_locals_;
};

}  // namespace heddle
