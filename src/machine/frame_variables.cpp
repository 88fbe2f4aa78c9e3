#include "machine/frame_variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>

#include <cstring>
#include <unordered_map>

#include "base/unique_fd.h"

namespace heddle::machine {
namespace {

// DWARF's canonical frame address is what the stack pointer was before the call.
constexpr std::int64_t kFrameAddress = 8;
constexpr std::int64_t kFramePointer = -8;  // after `push rbp; mov rbp, rsp`

bool holds_functions(int tag) {
  switch (tag) {  // functions: their local classes and lambdas
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
      return true;
    default:
      return false;
  }
}

bool holds_variables(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

std::int64_t size_of(Dwarf_Die* variable) {
  Dwarf_Attribute storage;
  Dwarf_Die type;
  Dwarf_Word size = 0;
  if (!dwarf_attr_integrate(variable, DW_AT_type, &storage) || !dwarf_formref_die(&storage, &type))
    return 0;
  if (dwarf_tag(&type) == DW_TAG_unspecified_type) return sizeof(void*);  // nullptr_t
  return dwarf_aggregate_size(&type, &size) == 0 ? static_cast<std::int64_t>(size) : 0;
}

void add_places(Dwarf_Die* variable, std::int64_t base, std::vector<Extent>& extents) {
  Dwarf_Attribute storage;
  if (!dwarf_attr(variable, DW_AT_location, &storage)) return;
  const std::int64_t size = size_of(variable);
  if (size == 0) return;
  auto add = [&](const Dwarf_Op* expression, std::size_t length) {
    if (length != 1 || expression[0].atom != DW_OP_fbreg) return;
    const std::int64_t begin = base + static_cast<std::int64_t>(expression[0].number);
    extents.push_back({begin, begin + size});
  };
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_getlocation(&storage, &expression, &length) == 0) return add(expression, length);
  Dwarf_Addr from = 0, begin = 0, end = 0;
  for (std::ptrdiff_t at = 0;
       (at = dwarf_getlocations(&storage, at, &from, &begin, &end, &expression, &length)) > 0;)
    add(expression, length);
}

void collect(Dwarf_Die* parent, std::int64_t base, std::vector<Extent>& extents) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
      add_places(&child, base, extents);
    else if (holds_variables(tag))
      collect(&child, base, extents);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Where DW_OP_fbreg counts from, relative to the stack pointer at entry.
std::optional<std::int64_t> frame_base(Dwarf_Die* function) {
  Dwarf_Attribute storage;
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (!dwarf_attr_integrate(function, DW_AT_frame_base, &storage)) return std::nullopt;
  if (dwarf_getlocation(&storage, &expression, &length) != 0 || length != 1) return std::nullopt;
  if (expression[0].atom == DW_OP_call_frame_cfa) return kFrameAddress;
  if (expression[0].atom == DW_OP_reg6) return kFramePointer;
  return std::nullopt;
}

}  // namespace

struct FrameVariables::Debug {
  explicit Debug(const std::string& path) : file(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file) dwarf = dwarf_begin(file.get(), DWARF_C_READ);
    if (!dwarf) return;
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) index(&die);
  }
  ~Debug() {
    if (dwarf) dwarf_end(dwarf);
  }
  Debug(const Debug&) = delete;
  Debug& operator=(const Debug&) = delete;

  void index(Dwarf_Die* parent) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_subprogram) {
        Dwarf_Addr entry = 0;
        if (dwarf_entrypc(&child, &entry) == 0) functions.try_emplace(entry, child);
      }
      if (holds_functions(tag)) index(&child);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  UniqueFd file;
  Dwarf* dwarf = nullptr;
  std::unordered_map<std::uint64_t, Dwarf_Die> functions;
};

FrameVariables::FrameVariables(const std::string& path) : debug_(std::make_unique<Debug>(path)) {}
FrameVariables::~FrameVariables() = default;

std::vector<Extent> FrameVariables::of(const Function& function) {
  std::vector<Extent> extents;
  if (function.entries.size() != 1) return extents;
  auto found = debug_->functions.find(function.entries.front());
  if (found == debug_->functions.end()) return extents;
  if (const std::optional<std::int64_t> base = frame_base(&found->second))
    collect(&found->second, *base, extents);
  return extents;
}

}  // namespace heddle::machine
