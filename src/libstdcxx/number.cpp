// Numbers to and from streams. The facets that convert them are compiled into libstdc++.so; what
// they do to the stream and to the variable is told here.
//
// What is not told: a facet's own data. The library's are constant, or guarded in ways that are not
// seen.
#include <cxxabi.h>

#include <istream>
#include <locale>
#include <ostream>

#include "announce.h"
#include "protected.h"

namespace heddle::libstdcxx {
namespace {

template <class Facet>
const Facet& existing(const Facet* facet) {
  if (!facet) std::__throw_bad_cast();
  return *facet;
}

// Does the work of a formatted function: what it throws is in the stream's state.
template <class Stream, class Work>
void guarded(Stream& stream, Work work) {
  try {
    work();
  } catch (__cxxabiv1::__forced_unwind&) {
    stream._M_setstate(std::ios_base::badbit);
    throw;
  } catch (...) {
    stream._M_setstate(std::ios_base::badbit);
  }
}

// Says what a facet has read from the buffer, which is now at another place.
template <class C>
class Reading {
 public:
  explicit Reading(std::basic_streambuf<C>* buffer)
      : buffer_(buffer), first_(nullptr), end_(nullptr) {
    if (!buffer_) return;
    first_ = next_of(*buffer_);
    end_ = end_of(*buffer_);
  }

  void done() const {
    if (!buffer_) return;
    const C* now = unseen_next(*buffer_);
    const bool moved_within = first_ <= now && now <= end_;
    const C* last = moved_within
                        ? now + (now < end_)
                        : end_;  // the first character that does not belong is looked at, too
    if (first_) reads(first_, sizeof(C) * static_cast<std::size_t>(last - first_));
    if (now != first_) writes(next_of(*buffer_));
  }

 private:
  __attribute__((no_sanitize("thread"), noinline)) static const C* unseen_next(
      std::basic_streambuf<C>& buffer) {
    return next_of(buffer);
  }

  std::basic_streambuf<C>* buffer_;
  const C* first_;
  const C* end_;
};

template <class T>
__attribute__((no_sanitize("thread"), noinline)) T unseen_value(const T& variable) {
  return variable;
}

template <class C, class T>
std::basic_istream<C>& extract(std::basic_istream<C>& in, T& variable) {
  using Members = StreamMembers<C>;
  typename std::basic_istream<C>::sentry ready(in, false);
  if (!ready) return in;
  std::ios_base::iostate error = std::ios_base::goodbit;
  guarded(in, [&] {
    const auto& facet = existing(in.*Members::reader());
    T value = unseen_value(variable);  // a facet of the user's need not set it
    reads(in.*Members::flags());
    const Reading<C> reading(in.rdbuf());
    facet.get(in, 0, in, error, value);
    reading.done();
    variable = value;
  });
  if (error) in.setstate(error);
  return in;
}

template <class C, class T>
std::basic_ostream<C>& insert(std::basic_ostream<C>& out, T value) {
  using Members = StreamMembers<C>;
  typename std::basic_ostream<C>::sentry ready(out);
  if (!ready) return out;
  std::ios_base::iostate error = std::ios_base::goodbit;
  guarded(out, [&] {
    const auto& facet = existing(out.*Members::writer());
    reads(out.*Members::flags());
    reads(out.*Members::precision());
    reads(out.*Members::width());
    const bool failed = facet.put(out, out, out.fill(), value).failed();
    writes(out.*Members::width());
    if (failed) error |= std::ios_base::badbit;
  });
  if (error) out.setstate(error);
  return out;
}

}  // namespace
}  // namespace heddle::libstdcxx

// istream::_M_extract<T> and ostream::_M_insert<T> by their symbols: as members they are promised
// to be instantiated elsewhere.
#define EXTRACT(T, letter)                                                                 \
  extern "C" std::istream& heddle_extract_##letter(                                        \
      std::istream& in, T& value) __asm__("_ZNSi10_M_extractI" #letter "EERSiRT_");        \
  std::istream& heddle_extract_##letter(std::istream& in, T& value) {                      \
    return heddle::libstdcxx::extract(in, value);                                          \
  }                                                                                        \
  extern "C" std::wistream& heddle_wextract_##letter(std::wistream& in, T& value) __asm__( \
      "_ZNSt13basic_istreamIwSt11char_traitsIwEE10_M_extractI" #letter "EERS2_RT_");       \
  std::wistream& heddle_wextract_##letter(std::wistream& in, T& value) {                   \
    return heddle::libstdcxx::extract(in, value);                                          \
  }
EXTRACT(unsigned short, t)
EXTRACT(unsigned, j)
EXTRACT(long, l)
EXTRACT(unsigned long, m)
EXTRACT(bool, b)
EXTRACT(long long, x)
EXTRACT(unsigned long long, y)
EXTRACT(float, f)
EXTRACT(double, d)
EXTRACT(long double, e)
EXTRACT(void*, Pv)

#define INSERT(T, letter)                                                                 \
  extern "C" std::ostream& heddle_insert_##letter(                                        \
      std::ostream& out, T value) __asm__("_ZNSo9_M_insertI" #letter "EERSoT_");          \
  std::ostream& heddle_insert_##letter(std::ostream& out, T value) {                      \
    return heddle::libstdcxx::insert(out, value);                                         \
  }                                                                                       \
  extern "C" std::wostream& heddle_winsert_##letter(std::wostream& out, T value) __asm__( \
      "_ZNSt13basic_ostreamIwSt11char_traitsIwEE9_M_insertI" #letter "EERS2_T_");         \
  std::wostream& heddle_winsert_##letter(std::wostream& out, T value) {                   \
    return heddle::libstdcxx::insert(out, value);                                         \
  }
INSERT(long, l)
INSERT(unsigned long, m)
INSERT(bool, b)
INSERT(long long, x)
INSERT(unsigned long long, y)
INSERT(double, d)
INSERT(long double, e)
INSERT(const void*, PKv)
