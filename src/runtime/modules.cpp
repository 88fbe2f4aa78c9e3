// Which files are loaded where, and stable names for addresses. Filled once at the stop at main.
#include <elf.h>
#include <link.h>

#include "runtime/patch.h"
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

// A module counts as instrumented if it refers to __tsan_init, as all code built by heddle cc does.
bool refers_to_tsan(const dl_phdr_info* info) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  if (!dynamic) return false;
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    uint64_t at = dynamic->d_un.d_ptr;
    if (at < info->dlpi_addr) at += info->dlpi_addr;
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(at);
    if (dynamic->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(at);
  }
  if (!symbols || !strings || reinterpret_cast<const char*>(symbols) >= strings) return false;
  // The string table follows the symbol table in every linker's output.
  for (const ElfW(Sym)* s = symbols; reinterpret_cast<const char*>(s + 1) <= strings; ++s) {
    const char* name = strings + s->st_name;
    if (s->st_shndx == SHN_UNDEF && length_of(name) > 7 && heddle_rt_memcmp(name, "__tsan_", 7) == 0) return true;
  }
  return false;
}

// Does the loader have destructor functions of this module to call at exit, other than the compiler's own one?
bool has_destructors(const dl_phdr_info* info) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto* d = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; ++d)
      if (d->d_tag == DT_FINI_ARRAYSZ && d->d_un.d_val > sizeof(void*)) return true;
  }
  return false;
}

void add_code(MemoryRange& code, uint64_t low, uint64_t high) {
  low &= ~(layout::kPage - 1);
  high = (high + layout::kPage - 1) & ~(layout::kPage - 1);
  if (!code.low || low < code.low) code.low = low;
  if (high > code.high) code.high = high;
}

int add_module(dl_phdr_info* info, size_t, void*) {
  wire::Segment& s = *R().segment;
  if (s.module_count >= wire::kMaxModules) return 1;
  wire::Module& m = s.modules[s.module_count];
  m.base = info->dlpi_addr;
  R().module_code[s.module_count] = {};
  m.begin = ~0ULL;
  m.end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type == PT_GNU_EH_FRAME) R().frame_tables[s.module_count] = info->dlpi_addr + p.p_vaddr;
    if (p.p_type != PT_LOAD) continue;
    uint64_t low = info->dlpi_addr + p.p_vaddr, high = low + p.p_memsz;
    if (p.p_flags & PF_X) add_code(R().module_code[s.module_count], low, high);
    if (low < m.begin) m.begin = low;
    if (high > m.end) m.end = high;
    if (!(p.p_flags & PF_X)) continue;
    MemoryRange& code = R().code[s.module_count];
    if (!code.high || low < code.low) code.low = low;
    if (high > code.high) code.high = high;
  }
  bool is_program = s.module_count == 0;
  m.instrumented = is_program || refers_to_tsan(info);
  if (m.instrumented && (!is_program || has_destructors(info))) R().loader_has_work = 1;
  if (is_program) {
    long n = sys(__NR_readlink, "/proc/self/exe", m.path, sizeof m.path - 1);
    m.path[n > 0 ? n : 0] = 0;
  } else {
    Text(m.path, sizeof m.path) << info->dlpi_name;
  }
  ++s.module_count;
  return 0;
}

}  // namespace

void read_modules() {
  R().segment->module_count = 0;
  for (MemoryRange& code : R().code) code = {};
  dl_iterate_phdr(add_module, nullptr);
}

wire::Address name_of(uint64_t address) {
  using wire::make_address;
  using wire::Region;
  if (!address) return 0;
  if (HEDDLE_UNLIKELY(wire::is_hidden(address))) return address;
  if (layout::in_heap(address)) {
    uint64_t slot = (address - layout::kHeap) / layout::kArenaBytes;
    return make_address(Region::Heap, slot, address - layout::arena_low(slot));
  }
  if (layout::in_stacks(address)) {
    uint64_t slot = (address - layout::kStacks) / layout::kStackSlot;
    return make_address(Region::Stack, slot, address - layout::kStacks - slot * layout::kStackSlot);
  }
  const wire::Segment& s = *R().segment;
  for (uint32_t i = 0; i < s.module_count; ++i)
    if (address >= s.modules[i].begin && address < s.modules[i].end)
      return make_address(Region::Module, i, address - s.modules[i].base);
  return make_address(Region::Other, 0, address);
}

uint64_t raw_address(wire::Address name) {
  using wire::Region;
  uint64_t offset = wire::offset_of(name);
  uint32_t index = wire::index_of(name);
  switch (wire::region_of(name)) {
    case Region::Heap: return layout::arena_low(index) + offset;
    case Region::Stack: return layout::kStacks + index * layout::kStackSlot + offset;
    case Region::Module: return index < R().segment->module_count ? R().segment->modules[index].base + offset : 0;
    case Region::Other: return offset;
    case Region::Hidden: return name;
    default: return 0;
  }
}

const wire::Module* module_of(uint64_t address) {
  const wire::Segment& s = *R().segment;
  for (uint32_t i = 0; i < s.module_count; ++i)
    if (address >= s.modules[i].begin && address < s.modules[i].end) return &s.modules[i];
  return nullptr;
}

namespace {

bool is_return_address(uint64_t a) {
  const wire::Module* m = module_of(a);
  if (!m || !m->instrumented) return false;
  const MemoryRange& readable = R().code[m - R().segment->modules];
  if (a < readable.low + 6 || a > readable.high) return false;
  uint8_t bytes[6];
  original_code(a - sizeof bytes, bytes, sizeof bytes);
  const uint8_t* code = bytes + sizeof bytes;
  bool call = code[-5] == 0xe8;
  bool call_memory = code[-6] == 0xff && code[-5] == 0x15;
  bool call_register = (code[-2] == 0xff && (code[-1] & 0x38) == 0x10) || (code[-3] == 0xff && (code[-2] & 0x38) == 0x10);
  return call || call_memory || call_register;
}

}  // namespace

// Where the program's innermost function is, whatever it has called; `pc` in a thread that a library has started for itself. That
// function told us about where its frame ends when it was entered (a call from it, too, left its return address there), and the
// outermost return address below leads back into it. What lies deeper may be stale.
uint64_t place_in_program(uint64_t sp, uint64_t pc) {
  const Thread& t = self();
  if (!t.frames || t.frames > kMaxFrames) return pc;
  uint64_t place = pc, high = store_of(t).frames[t.frames - 1].sp + 8;
  if (sp < layout::stack_low(t.slot) || high >= layout::stack_high(t.slot)) return pc;
  for (uint64_t a = sp & ~7ULL; a <= high; a += 8) {
    uint64_t word = *reinterpret_cast<const uint64_t*>(a);
    if (is_return_address(word)) place = word - 1;
  }
  return place;
}

// The same before main, when there is neither a shadow call stack nor a stack of our own: all return addresses that are left
// on the kernel's stack, which ends where the environment begins. Some may be stale; the first ones are not.
int callers_before_main(uint64_t sp, wire::Address* out, int capacity) {
  int n = 0;
  for (uint64_t a = sp & ~7ULL; n < capacity && a < reinterpret_cast<uint64_t>(R().envp); a += 8) {
    uint64_t word = *reinterpret_cast<const uint64_t*>(a);
    if (is_return_address(word)) out[n++] = name_of(word - 1);
  }
  return n;
}

bool instrumented(uint64_t pc) {
  const wire::Module* m = module_of(pc);
  return m && m->instrumented;
}

// Code addresses in 32 bits: 4 of module, 28 of offset. Code beyond (a later module, a huge one) has none.
uint32_t pack_pc(uint64_t pc) {
  const wire::Segment& s = *R().segment;
  for (uint32_t i = 0; i < s.module_count && i < 16; ++i)
    if (pc >= s.modules[i].begin && pc < s.modules[i].end) {
      uint64_t offset = pc - s.modules[i].begin;
      return offset < (1u << 28) ? i << 28 | (uint32_t)offset : 0;
    }
  return 0;
}

uint64_t unpack_pc(uint32_t pc) { return pc ? R().segment->modules[pc >> 28].begin + (pc & 0xfffffff) : 0; }

}  // namespace heddle::rt
