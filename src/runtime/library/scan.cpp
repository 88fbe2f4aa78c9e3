// What a format of scanf does to the program's memory: a conversion writes to its argument if it
// succeeds, and how many did is what scanf returns.
#include "runtime/library/library.h"

namespace heddle::rt::library {
namespace {

struct Conversion {
  enum Kind : uint8_t { Plain, Characters, Text, Position } kind;
  int number;      // of its argument, from 1
  uint64_t size;   // of a Plain; of a character of the others
  uint64_t width;  // 0: none given
  bool allocates;  // %ms: a new block, whose address is stored
};

// The conversions of a format that have an argument, one after the other.
template <class C>
class Conversions {
 public:
  explicit Conversions(const C* format) : at_(format) {}

  bool next(Conversion& out) {
    while (*at_) {
      if (*at_++ != '%') continue;
      out = {};
      if (directive(out)) return true;
    }
    return false;
  }

 private:
  int digits() {
    int n = 0;
    while (*at_ >= '0' && *at_ <= '9' && n < 1 << 24) n = n * 10 + (int)(*at_++ - '0');
    return n;
  }

  bool directive(Conversion& out) {
    int number = digits();
    if (number && *at_ == '$')
      ++at_;
    else if (number)
      out.width = (uint64_t)number, number = 0;
    bool suppressed = false;
    while (*at_ == '*' || *at_ == '\'' || *at_ == 'I') suppressed |= *at_++ == '*';
    if (int width = digits()) out.width = (uint64_t)width;
    if (*at_ == 'm') {
      out.allocates = true;
      ++at_;
    }
    int longs = 0, halves = 0;
    bool long_double = false;
    for (;; ++at_) {
      if (*at_ == 'l')
        ++longs;
      else if (*at_ == 'h')
        ++halves;
      else if (*at_ == 'q' || *at_ == 'j' || *at_ == 'z' || *at_ == 't' || *at_ == 'Z')
        longs = 2;
      else if (*at_ == 'L')
        long_double = true;
      else
        break;
    }
    C conversion = *at_;
    if (conversion) ++at_;
    if (!set_kind(out, conversion, longs, halves, long_double) || suppressed) return false;
    out.number = number ? number : ++last_;
    return true;
  }

  bool set_kind(Conversion& out, C conversion, int longs, int halves, bool long_double) {
    switch (conversion) {
      case 'n':
        out.kind = Conversion::Position;
        [[fallthrough]];
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'b':
        out.size = longs || long_double ? 8 : halves == 1 ? 2 : halves ? 1 : 4;
        return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out.size = long_double ? 10 : longs ? 8 : 4;
        return true;
      case 'p':
        out.size = 8;
        return true;
      case 'c':
      case 'C':
        out.kind = Conversion::Characters;
        out.size = longs || conversion == 'C' ? sizeof(wchar_t) : 1;
        return true;
      case '[':
        if (*at_ == '^') ++at_;
        if (*at_ == ']') ++at_;
        while (*at_ && *at_ != ']') ++at_;
        if (*at_) ++at_;
        [[fallthrough]];
      case 's':
      case 'S':
        out.kind = Conversion::Text;
        out.size = longs || conversion == 'S' ? sizeof(wchar_t) : 1;
        return true;
      default:
        return false;
    }
  }

  const C* at_;
  int last_ = 0;
};

void* argument(va_list arguments, int number) {
  va_list own;
  va_copy(own, arguments);
  void* p = nullptr;
  for (int i = 0; i < number; ++i) p = va_arg(own, void*);
  va_end(own);
  return p;
}

uint64_t text_size(const Conversion& c, const void* p) {
  return c.size == 1 ? text(static_cast<const char*>(p)) : text(static_cast<const wchar_t*>(p));
}

uint64_t written_size(const Conversion& c, const void* p) {
  if (c.kind == Conversion::Characters) return c.size * (c.width ? c.width : 1);
  return c.kind == Conversion::Text ? text_size(c, p) : c.size;
}

void wrote_conversion(const Conversion& c, void* p, uint64_t pc) {
  if (!p) return;
  if (!c.allocates) return wrote(p, written_size(c, p), pc);
  wrote(p, sizeof(void*), pc);
  if (void* block = *static_cast<void**>(p)) wrote(block, written_size(c, block), pc);
}

template <class C>
void will_write_all(const C* format, va_list arguments, uint64_t pc) {
  Conversions<C> all(format);
  for (Conversion c; all.next(c);) {
    uint64_t room = c.kind == Conversion::Text
                        ? c.size * (c.width + 1)
                        : c.size * (c.width && c.kind == Conversion::Characters ? c.width : 1);
    will_write(argument(arguments, c.number), c.allocates ? sizeof(void*) : room, pc);
  }
}

template <class C>
void wrote_all(const C* format, va_list arguments, int assigned, uint64_t pc) {
  Conversions<C> all(format);
  int done = 0;
  for (Conversion c; all.next(c);) {
    void* p = argument(arguments, c.number);
    if (c.kind == Conversion::Position) {  // does not count: it is taken as reached if what is
                                           // before it succeeded
      wrote(p, c.size, pc);
      continue;
    }
    if (++done > assigned) return;
    wrote_conversion(c, p, pc);
  }
}

}  // namespace

void Scan::will_write(uint64_t pc) {
  if (HEDDLE_LIKELY(!R().visible_mode)) return;
  if (narrow_) will_write_all(narrow_, arguments_, pc);
  if (wide_) will_write_all(wide_, arguments_, pc);
}

void Scan::wrote(int assigned, uint64_t pc) {
  if (narrow_) wrote_all(narrow_, arguments_, assigned, pc);
  if (wide_) wrote_all(wide_, arguments_, assigned, pc);
}

}  // namespace heddle::rt::library
