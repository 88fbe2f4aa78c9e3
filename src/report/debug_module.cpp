#include "report/debug_module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <dwarf.h>
#include <fmt/format.h>

#include "report/dwarf_types.h"
#include "report/function_name.h"

namespace heddle {
namespace {

const Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, dwfl_offline_section_address, nullptr};

std::string absolute_file(Dwarf_Die* unit, const char* file) {
  if (file == nullptr) return "";
  std::filesystem::path path(file);
  if (path.is_relative()) {
    Dwarf_Attribute storage;
    if (const char* directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &storage))) path = std::filesystem::path(directory) / path;
  }
  return path.lexically_normal().string();
}

const char* linkage_name(Dwarf_Die* die) {
  Dwarf_Attribute storage;
  for (unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(die, attribute, &storage)) return dwarf_formstring(&storage);
  return nullptr;
}

// The DIE that says most about a function: its declaration inside the class, if there is one.
Dwarf_Die origin_of(Dwarf_Die die) {
  for (unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute storage;
    Dwarf_Die next;
    if (dwarf_attr(&die, attribute, &storage) && dwarf_formref_die(&storage, &next)) die = next;
  }
  return die;
}

// A lambda that was inlined has no symbol: it is known by the function it was written in.
std::string lambda_name(Dwarf_Die* die) {
  Dwarf_Die origin = origin_of(*die);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&origin, &scopes);
  std::string name = "operator()";
  for (int i = 1; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_subprogram) continue;
    const char* outer = dwarf_diename(&scopes[i]);
    name = fmt::format("lambda in {}", outer ? outer : "?");
    break;
  }
  std::free(scopes);
  return name;
}

// `symbol`: of the code itself, which names lambdas better than their DIE does; null where another function was inlined.
std::string function_of(Dwarf_Die* die, const char* symbol = nullptr) {
  if (const char* mangled = linkage_name(die)) return readable_name(mangled);
  if (symbol != nullptr) return readable_name(symbol);
  const char* name = dwarf_diename(die);
  if (name == nullptr) return "?";
  return std::strcmp(name, "operator()") == 0 ? lambda_name(die) : name;
}

struct Line {
  std::string file;
  int line = 0;
};

Line line_at(Dwarf_Die* unit, std::uint64_t address) {
  Dwarf_Line* record = dwarf_getsrc_die(unit, address);
  if (record == nullptr) return {};
  Line line{absolute_file(unit, dwarf_linesrc(record, nullptr, nullptr)), 0};
  dwarf_lineno(record, &line.line);
  return line;
}

// Where an inlined function was called from.
Line call_site(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Attribute storage;
  Dwarf_Word file = 0, line = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &storage), &file) != 0) return {};
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &storage), &line) != 0) return {};
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return {};
  return {absolute_file(unit, dwarf_filesrc(files, file, nullptr, nullptr)), static_cast<int>(line)};
}

// The DIEs around the innermost one at `address`, innermost first, by where they stand (not by where an inlined function was written).
std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, std::uint64_t address) {
  Dwarf_Die* innermost = nullptr;
  if (dwarf_getscopes(unit, address, &innermost) <= 0) return {};
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(innermost, &scopes);
  std::vector<Dwarf_Die> result;
  if (count > 0) result.assign(scopes, scopes + count);
  std::free(innermost);
  std::free(scopes);
  return result;
}

// The address of a variable that has a fixed one.
bool fixed_address(Dwarf_Die* die, std::uint64_t& address) {
  Dwarf_Attribute storage;
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_getlocation(dwarf_attr(die, DW_AT_location, &storage), &expression, &length) != 0 || length != 1) return false;
  if (expression[0].atom == DW_OP_addr) {
    address = expression[0].number;
    return true;
  }
  if (expression[0].atom != DW_OP_addrx && expression[0].atom != DW_OP_GNU_addr_index) return false;
  Dwarf_Attribute value;
  return dwarf_getlocation_attr(dwarf_attr(die, DW_AT_location, &storage), expression, &value) == 0 &&
         dwarf_formaddr(&value, &address) == 0;
}

}  // namespace

DebugModule::DebugModule(const std::string& path) : path_(path), dwfl_(dwfl_begin(&kCallbacks)) {
  if (!dwfl_) return;
  dwfl_report_begin(dwfl_.get());
  module_ = dwfl_report_elf(dwfl_.get(), path.c_str(), path.c_str(), -1, 0, /*add_p_vaddr=*/true);
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
}

std::string DebugModule::place_text(std::uint64_t address) const {
  return fmt::format("{}+{:#x}", std::filesystem::path(path_).filename().string(), address);
}

// --- code ----------------------------------------------------------------------------------------------------------

// Not .debug_aranges: clang does not write it.
void DebugModule::index_units() {
  units_indexed_ = true;
  Dwarf_Addr bias = 0;
  if (module_ == nullptr || dwfl_module_getdwarf(module_, &bias) == nullptr) return;
  bias_ = bias;
  for (Dwarf_Die* unit = dwfl_module_nextcu(module_, nullptr, &bias); unit; unit = dwfl_module_nextcu(module_, unit, &bias)) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;)
      units_.push_back({begin, end, *unit});
  }
  std::sort(units_.begin(), units_.end(), [](const UnitRange& a, const UnitRange& b) { return a.begin < b.begin; });
}

Dwarf_Die* DebugModule::unit_at(std::uint64_t address) {
  if (!units_indexed_) index_units();
  address -= bias_;
  auto after = std::upper_bound(units_.begin(), units_.end(), address,
                                [](std::uint64_t a, const UnitRange& range) { return a < range.begin; });
  if (after == units_.begin()) return nullptr;
  UnitRange& range = *std::prev(after);
  return address < range.end ? &range.unit : nullptr;
}

std::vector<SourceFrame> DebugModule::frames_from_dwarf(Dwarf_Die* unit, std::uint64_t address) {
  std::vector<SourceFrame> frames;
  Line here = line_at(unit, address - bias_);
  for (Dwarf_Die& scope : scopes_at(unit, address - bias_)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const bool inlined = tag == DW_TAG_inlined_subroutine;
    const char* symbol = inlined ? nullptr : dwfl_module_addrname(module_, address);
    frames.push_back(SourceFrame{function_of(&scope, symbol), here.file, here.line, place_text(address), inlined});
    if (!inlined) break;
    here = call_site(unit, &scope);
  }
  if (frames.empty() && here.line > 0) {
    SourceFrame frame = frame_from_symbol(address);
    frame.file = here.file;
    frame.line = here.line;
    frames.push_back(frame);
  }
  return frames;
}

SourceFrame DebugModule::frame_from_symbol(std::uint64_t address) {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = module_ ? dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr) : nullptr;
  if (name == nullptr) return SourceFrame{"?", "", 0, place_text(address), false};
  return SourceFrame{readable_name(name), "", 0, place_text(address), false};
}

std::vector<SourceFrame> DebugModule::code(std::uint64_t address) {
  std::vector<SourceFrame> frames;
  if (Dwarf_Die* unit = unit_at(address)) frames = frames_from_dwarf(unit, address);
  if (frames.empty()) frames.push_back(frame_from_symbol(address));
  return frames;
}

// --- data ----------------------------------------------------------------------------------------------------------

void DebugModule::add_variable(Dwarf_Die* die, const std::string& scope) {
  std::uint64_t address = 0;
  if (!fixed_address(die, address)) return;
  std::optional<Dwarf_Die> type = type_of(die);
  const char* name = dwarf_diename(die);
  if (!type || !name) return;
  const char* mangled = linkage_name(die);
  const std::string text = mangled ? readable_name(mangled) : scope + name;
  variables_.try_emplace(address, Variable{byte_size_of(&*type), text, *type});
}

// Globals stand below the unit and its namespaces, statics of functions and classes further down.
void DebugModule::index_variables_below(Dwarf_Die* parent, const std::string& scope) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
        add_variable(&child, scope);
        break;
      case DW_TAG_subprogram:
        index_variables_below(&child, function_of(&child) + "::");
        break;
      case DW_TAG_namespace:
      case DW_TAG_lexical_block:
        index_variables_below(&child, scope);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void DebugModule::index_variables() {
  variables_indexed_ = true;
  Dwarf_Addr bias = 0;
  if (module_ == nullptr || dwfl_module_getdwarf(module_, &bias) == nullptr) return;
  bias_ = bias;
  for (Dwarf_Die* unit = dwfl_module_nextcu(module_, nullptr, &bias); unit; unit = dwfl_module_nextcu(module_, unit, &bias))
    index_variables_below(unit, "");
}

std::string DebugModule::main_local(std::uint64_t stack_offset) {
  if (!main_locals_) main_locals_.emplace(module_);
  return main_locals_->name(stack_offset);
}

std::string DebugModule::data(std::uint64_t address) {
  if (!variables_indexed_) index_variables();
  auto after = variables_.upper_bound(address - bias_);
  if (after != variables_.begin()) {
    auto& [begin, variable] = *std::prev(after);
    const std::uint64_t offset = address - bias_ - begin;
    if (offset < std::max<std::uint64_t>(variable.size, 1)) return variable.name + member_path(&variable.type, offset);
  }
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = module_ ? dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr) : nullptr;
  if (name == nullptr) return place_text(address);
  return offset == 0 ? readable_name(name) : fmt::format("{}+{}", readable_name(name), offset);
}

}  // namespace heddle
