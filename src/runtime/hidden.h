// Operations on state that lies in the C library or in the kernel ("hidden objects", wire/hidden.def).
//
// A call that uses such state says so before it is made (use_hidden). Uses of one object by two threads that nothing orders are
// noticed by their clocks, like races of plain accesses:
//   - If one of the two calls does not take care of itself (MT-Unsafe in the manual of glibc), that is a data race.
//   - Otherwise their order matters. The explorer is told, starts over with this object among those that are visible, and from
//     then on the uses are scheduling points. As long as no run has shown that, the uses commute with everything that
//     synchronisation does not order already: an object that one thread uses costs nothing.
#pragma once
#include "runtime/hooks.h"

namespace heddle::rt {

enum class Use : uint8_t {
  Look,    // the call's result depends on the object
  Put,     // the object changes, and the call's result says nothing about it: the order of two puts matters once somebody looks
  Change,  // both
};

struct HiddenUse {
  uint64_t object;     // hidden_address(…)
  uint32_t size;
  Use use;
  bool locked;         // the library or the kernel takes care that the call is one step
  const char* call;    // its name, which must outlive the run
  uint64_t pc;
};

inline constexpr uint32_t kWholeObject = 8;  // of those that have no parts

// Parts of a file (Hidden::File): its contents, then the positions of those who have opened it, 8 bytes each.
inline constexpr uint32_t kContents = 4096, kPositions = 63;

// Before the call. Returns when it is this thread's turn, if an object is visible. Several uses of parts of one object are one step.
void use_hidden(const HiddenUse* uses, int count);
inline void use_hidden(const HiddenUse& use) { use_hidden(&use, 1); }
void see_puts(const HiddenUse& look);  // looks at what was put, and at nothing that is put later: no operation
bool is_visible_hidden(uint64_t object);
void make_visible_hidden(uint64_t object, const char* call, uint64_t pc);  // from the next search on
// A run is on, and this is the program's thread.
inline bool hidden_counts() { return running() && R().current && !R().in_runtime; }

// An object of the C library is named by where it lies. How much main's arena held at the stop at main differs between processes,
// with the number of threads that they have room for.
inline uint64_t steady_number(const void* p) {
  wire::Address name = name_of(raw(p));
  const uint64_t before = wire::offset_of(name_of(R().base.arena.next));
  if (wire::region_of(name) == wire::Region::Heap && wire::index_of(name) == 0 && wire::offset_of(name) >= before) name -= before;
  return name * 0x9e3779b97f4a7c15ULL >> 28;
}

// What a call uses. Calls that take care of themselves count whoever makes them; others only where the program makes them, since
// what orders those of a library that is not instrumented cannot be seen.
class HiddenCall {
 public:
  HiddenCall(const char* name, uint64_t pc) : name_(name), pc_(pc), counts_(hidden_counts()) {}
  bool counts() const { return counts_; }
  const char* name() const { return name_; }
  uint64_t pc() const { return pc_; }
  void safe(wire::Hidden kind, Use use, uint64_t which = 0) const { tell(kind, use, true, which); }
  void unsafe(wire::Hidden kind, Use use, uint64_t which = 0) const {
    if (counts_ && instrumented(pc_)) tell(kind, use, false, which);
  }

 private:
  void tell(wire::Hidden kind, Use use, bool locked, uint64_t which) const {
    if (counts_) use_hidden({wire::hidden_address(kind, which), kWholeObject, use, locked, name_, pc_});
  }
  const char* name_;
  uint64_t pc_;
  bool counts_;
};

}  // namespace heddle::rt
