#include "report/main_locals.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <dwarf.h>

#include "report/dwarf_types.h"
#include "runtime/layout.h"

namespace heddle {
namespace {

// Main's fiber starts two words below its exit buffer (runtime/threads.cpp, prepare_fiber) and calls these, outermost first.
constexpr std::uint64_t kFiberStart = rt::layout::kStackSlot - rt::layout::kExitBufferBytes - 16;
constexpr const char* kFramesBelowMain[] = {"heddle_thread_main", "heddle_call_start"};

constexpr int kRbp = 6, kRsp = 7;  // DWARF's numbers

struct Range {
  std::uint64_t begin, end;
};

std::optional<Range> function_range(Dwfl_Module* module, const char* name) {
  const int count = dwfl_module_getsymtab(module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* here = dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (here != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_FUNC && std::strcmp(here, name) == 0)
      return Range{address, address + symbol.st_size};
  }
  return std::nullopt;
}

// How far below its canonical frame address a function's stack pointer is while it calls others: the largest distance that its
// unwinding rules speak of. Nothing if the rules are not relative to the stack pointer.
std::optional<std::uint64_t> frame_size(Dwfl_Module* module, Range code) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* cfi = dwfl_module_eh_cfi(module, &bias);
  if (cfi == nullptr) return std::nullopt;
  std::uint64_t largest = 0;
  for (std::uint64_t pc = code.begin; pc < code.end;) {
    Dwarf_Frame* frame = nullptr;
    if (dwarf_cfi_addrframe(cfi, pc - bias, &frame) != 0) return std::nullopt;
    Dwarf_Addr begin = 0, end = 0;
    bool signal = false;
    Dwarf_Op* rule = nullptr;
    std::size_t length = 0;
    dwarf_frame_info(frame, &begin, &end, &signal);
    const bool known = dwarf_frame_cfa(frame, &rule, &length) == 0 && length == 1 && rule[0].atom == DW_OP_bregx && rule[0].number == kRsp;
    if (known) largest = std::max<std::uint64_t>(largest, rule[0].number2);
    std::free(frame);
    if (!known || end + bias <= pc) return std::nullopt;
    pc = end + bias;
  }
  return largest;
}

std::optional<Dwarf_Die> die_of_main(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = dwfl_module_nextcu(module, nullptr, &bias); unit; unit = dwfl_module_nextcu(module, unit, &bias)) {
    Dwarf_Die child;
    if (dwarf_child(unit, &child) != 0) continue;
    do {
      const char* name = dwarf_tag(&child) == DW_TAG_subprogram ? dwarf_diename(&child) : nullptr;
      const bool has_code = dwarf_hasattr(&child, DW_AT_low_pc) || dwarf_hasattr(&child, DW_AT_ranges);  // the latter: with cold parts
      if (name != nullptr && std::strcmp(name, "main") == 0 && has_code) return child;
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  return std::nullopt;
}

std::optional<Dwarf_Op> single_operation(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute storage;
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_getlocation(dwarf_attr(die, attribute, &storage), &expression, &length) != 0 || length != 1) return std::nullopt;
  return expression[0];
}

// What DW_OP_fbreg counts from: the frame address itself (gcc), or a register with a known distance from it (clang).
std::optional<std::uint64_t> frame_base(Dwfl_Module* module, Dwarf_Die* main, std::uint64_t frame) {
  const std::optional<Dwarf_Op> base = single_operation(main, DW_AT_frame_base);
  if (!base) return std::nullopt;
  if (base->atom == DW_OP_call_frame_cfa) return frame;
  if (base->atom == DW_OP_reg0 + kRbp) return frame - 16;  // saved rbp and return address lie between
  if (base->atom != DW_OP_reg0 + kRsp) return std::nullopt;
  const std::optional<Range> code = function_range(module, "main");
  const std::optional<std::uint64_t> size = code ? frame_size(module, *code) : std::nullopt;
  return size ? std::optional(frame - *size) : std::nullopt;
}

}  // namespace

MainLocals::MainLocals(Dwfl_Module* program) {
  if (program == nullptr) return;
  const std::optional<std::uint64_t> frame = frame_of_main(program);
  std::optional<Dwarf_Die> main = frame ? die_of_main(program) : std::nullopt;
  if (!main) return;
  if (const std::optional<std::uint64_t> base = frame_base(program, &*main, *frame)) collect(&*main, *base);
}

// The canonical frame address of a callee is the caller's stack pointer at the call.
std::optional<std::uint64_t> MainLocals::frame_of_main(Dwfl_Module* program) const {
  std::uint64_t frame = kFiberStart;
  for (const char* name : kFramesBelowMain) {
    const std::optional<Range> code = function_range(program, name);
    const std::optional<std::uint64_t> size = code ? frame_size(program, *code) : std::nullopt;
    if (!size) return std::nullopt;
    frame -= *size;
  }
  return frame;
}

void MainLocals::collect(Dwarf_Die* scope, std::uint64_t base) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block) collect(&child, base);
    if (tag != DW_TAG_variable) continue;
    const std::optional<Dwarf_Op> location = single_operation(&child, DW_AT_location);
    std::optional<Dwarf_Die> type = type_of(&child);
    const char* name = dwarf_diename(&child);
    if (!location || location->atom != DW_OP_fbreg || !type || name == nullptr) continue;
    locals_.push_back({base + location->number, std::max<std::uint64_t>(byte_size_of(&*type), 1), name, *type});
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::string MainLocals::name(std::uint64_t offset) const {
  const Local* found = nullptr;
  for (const Local& local : locals_) {
    if (offset < local.begin || offset - local.begin >= local.size) continue;
    if (found != nullptr) return "";  // variables of different blocks share the place
    found = &local;
  }
  if (found == nullptr) return "";
  Dwarf_Die type = found->type;
  return found->name + member_path(&type, offset - found->begin);
}

}  // namespace heddle
