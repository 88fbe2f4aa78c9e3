// What a format of printf does to the program's memory: it reads the strings that it prints, and %n
// writes a number.
//
// A format is read once; then its arguments are taken in their order, which numbered arguments
// (%2$s) do not follow.
#include "runtime/library/library.h"

namespace heddle::rt::library {
namespace {

constexpr int kMaxArguments = 64;

struct Argument {
  enum Type : uint8_t { None, Int, Long, Double, LongDouble, Pointer } type;
  enum Use : uint8_t { Nothing, String, WideString, Count } use;
  uint8_t size;         // of a Count
  int8_t precision_at;  // the argument that says how much of a string is printed; -1: none
  uint64_t precision;   // … or how much that is
};

template <class C>
class Format {
 public:
  explicit Format(const C* format) : at_(format) { parse(); }

  void announce(va_list arguments, uint64_t pc) const {
    uint64_t value[kMaxArguments];
    for (int i = 0; i < known_; ++i) {
      const Argument& a = argument_[i];
      switch (a.type) {
        case Argument::Int:
          value[i] = (uint64_t)(int64_t)va_arg(arguments, int);
          break;
        case Argument::Double:
          (void)va_arg(arguments, double);
          break;
        case Argument::LongDouble:
          (void)va_arg(arguments, long double);
          break;
        case Argument::Long:
        case Argument::Pointer:
          value[i] = va_arg(arguments, uint64_t);
          break;
        case Argument::None:
          return;  // the type of this one, and so the place of the rest, is unknown
      }
    }
    for (int i = 0; i < known_; ++i) use(argument_[i], value, i, pc);
  }

 private:
  static void use(const Argument& a, const uint64_t* value, int i, uint64_t pc) {
    uint64_t most = a.precision;
    if (a.use != Argument::Nothing && a.precision_at >= 0) {
      auto given = (int64_t)value[a.precision_at];
      most = given < 0 ? ~0ULL : (uint64_t)given;
    }
    if (a.use == Argument::String) reads_text(reinterpret_cast<const char*>(value[i]), most, pc);
    if (a.use == Argument::WideString)
      reads_text(reinterpret_cast<const wchar_t*>(value[i]), most, pc);
    if (a.use == Argument::Count) writes(reinterpret_cast<void*>(value[i]), a.size, pc);
  }

  bool is_digit() const { return *at_ >= '0' && *at_ <= '9'; }
  bool is_one_of(const char* set) const {
    for (; *set; ++set)
      if (*at_ == (C)*set) return true;
    return false;
  }

  int digits() {
    int n = 0;
    while (is_digit() && n < 1 << 24) n = n * 10 + (int)(*at_++ - '0');
    return n;
  }

  // `2$` after a percent sign or an asterisk: the number; otherwise 0, and nothing has been read.
  int position() {
    const C* begin = at_;
    int n = digits();
    if (n && *at_ == '$') return ++at_, n;
    at_ = begin;
    return 0;
  }

  // Where the next argument, or the numbered one, is told; null: too far out.
  Argument* take(int number) {
    int i = number ? number - 1 : next_++;
    if (i >= kMaxArguments) return nullptr;
    while (known_ <= i) argument_[known_++] = {};
    return &argument_[i];
  }

  // A width or precision: an asterisk's argument, or a number. Returns the argument, or -1.
  int amount(uint64_t& number) {
    if (*at_ != '*') {
      number = (uint64_t)digits();
      return -1;
    }
    ++at_;
    Argument* a = take(position());
    if (!a) return -1;
    a->type = Argument::Int;
    return (int)(a - argument_);
  }

  void parse() {
    while (*at_)
      if (*at_++ == '%') directive();
  }

  void directive() {
    int number = position();
    while (*at_ && is_one_of("-+ #0'I")) ++at_;
    uint64_t ignored = 0, precision = ~0ULL;
    int precision_at = -1;
    amount(ignored);
    if (*at_ == '.') {
      ++at_;
      precision_at = amount(precision);
    }
    int longs = 0, halves = 0;
    bool long_double = false;
    for (;; ++at_) {
      if (*at_ == 'l')
        ++longs;
      else if (*at_ == 'h')
        ++halves;
      else if (is_one_of("qjztZ"))
        longs = 2;
      else if (*at_ == 'L')
        long_double = true, longs = 2;
      else
        break;
    }
    C conversion = *at_;
    if (conversion) ++at_;
    if (conversion == '%' || conversion == 'm' || !conversion) return;
    Argument* a = take(number);
    if (!a) return;
    *a = {};
    a->precision = precision;
    a->precision_at = (int8_t)precision_at;
    set_type(*a, conversion, longs, halves, long_double);
  }

  static void set_type(Argument& a, C conversion, int longs, int halves, bool long_double) {
    switch (conversion) {
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'b':
      case 'B':
      case 'c':
      case 'C':
        a.type = longs ? Argument::Long : Argument::Int;
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        a.type = long_double ? Argument::LongDouble : Argument::Double;
        break;
      case 'p':
        a.type = Argument::Pointer;
        break;
      case 's':
      case 'S':
        a.type = Argument::Pointer;
        a.use = longs || conversion == 'S' ? Argument::WideString : Argument::String;
        break;
      case 'n':
        a.type = Argument::Pointer;
        a.use = Argument::Count;
        a.size = longs ? 8 : halves == 1 ? 2 : halves ? 1 : 4;
        break;
      default:
        break;
    }
  }

  const C* at_;
  int next_ = 0, known_ = 0;
  Argument argument_[kMaxArguments];  // the first known_ ones
};

template <class C>
void announce(const C* format, va_list arguments, uint64_t pc) {
  if (!format) return;
  reads_text(format, pc);
  bool has_arguments = false;
  for (const C* at = format; *at; ++at) has_arguments |= *at == '%';
  if (!has_arguments) return;
  va_list own;
  va_copy(own, arguments);
  Format<C>(format).announce(own, pc);
  va_end(own);
}

}  // namespace

void announce_format(const char* format, va_list arguments, uint64_t pc) {
  announce(format, arguments, pc);
}
void announce_format(const wchar_t* format, va_list arguments, uint64_t pc) {
  announce(format, arguments, pc);
}

}  // namespace heddle::rt::library
