// Characters out of streams. The C++ library has specialised these functions for char and wchar_t
// in its shared object; here they are written as the standard describes them ([istream.formatted],
// [istream.unformatted], [string.io]).
//
// What the buffer holds already is taken in one piece, as the library does it.
#include <cxxabi.h>

#include <istream>
#include <limits>
#include <locale>
#include <streambuf>
#include <string>

#include "protected.h"

namespace heddle::libstdcxx {
namespace {

using std::ios_base;
using std::streamsize;

template <class C>
using Traits = std::char_traits<C>;
template <class C>
using Code = typename Traits<C>::int_type;

constexpr streamsize kMost = std::numeric_limits<streamsize>::max();

template <class C>
bool is_end(Code<C> code) {
  return Traits<C>::eq_int_type(code, Traits<C>::eof());
}

template <class Stream, class Work>
void guarded(Stream& stream, Work work) {
  try {
    work();
  } catch (__cxxabiv1::__forced_unwind&) {
    stream._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    stream._M_setstate(ios_base::badbit);
  }
}

// REQUIRES that the buffer's next character is `first`. Gives `most` characters at most to
// `take(characters, how many)`: `first`, and those behind it in the buffer that `length(characters,
// how many)` does not end before.
template <class C, class Length, class Take>
streamsize take_piece(std::basic_streambuf<C>& buffer, C first, streamsize most, Length length,
                      Take take) {
  C*& next = next_of(buffer);
  const streamsize present = end_of(buffer) - next;
  if (present <= 1) {
    take(&first, 1);
    buffer.sbumpc();
    return 1;
  }
  const streamsize n = length(next, present < most ? present : most);
  take(next, n);
  next += n;
  return n;
}

// How many characters there are before the delimiter. REQUIRES that the first is another.
template <class C>
auto up_to(C delimiter) {
  return [delimiter](const C* characters, streamsize n) -> streamsize {
    const C* found = Traits<C>::find(characters, static_cast<std::size_t>(n), delimiter);
    return found ? found - characters : n;
  };
}

template <class C>
auto up_to_space(const std::ctype<C>& kinds) {
  return [&kinds](const C* characters, streamsize n) -> streamsize {
    return kinds.scan_is(std::ctype_base::space, characters + 1, characters + n) - characters;
  };
}

const auto kWhole = [](const auto*, streamsize n) { return n; };

template <class C>
bool is_space(const std::ctype<C>& kinds, Code<C> code) {
  return kinds.is(std::ctype_base::space, Traits<C>::to_char_type(code));
}

template <class C>
std::basic_istream<C>& get_line(std::basic_istream<C>& in, std::basic_string<C>& line,
                                C delimiter) {
  typename std::basic_istream<C>::sentry ready(in, true);
  streamsize extracted = 0;
  ios_base::iostate error = ios_base::goodbit;
  if (ready) {
    guarded(in, [&] {
      line.erase();
      std::basic_streambuf<C>& buffer = *in.rdbuf();
      const auto most = static_cast<streamsize>(line.max_size());
      const Code<C> end = Traits<C>::to_int_type(delimiter);
      for (;;) {
        const Code<C> code = buffer.sgetc();
        if (is_end<C>(code)) {
          error |= ios_base::eofbit;
          break;
        }
        if (Traits<C>::eq_int_type(code, end)) {
          ++extracted;
          buffer.sbumpc();
          break;
        }
        if (extracted == most) {
          error |= ios_base::failbit;
          break;
        }
        extracted += take_piece(
            buffer, Traits<C>::to_char_type(code), most - extracted, up_to(delimiter),
            [&](const C* piece, streamsize n) { line.append(piece, static_cast<std::size_t>(n)); });
      }
    });
  }
  if (!extracted) error |= ios_base::failbit;
  if (error) in.setstate(error);
  return in;
}

template <class C>
std::basic_istream<C>& get_word(std::basic_istream<C>& in, std::basic_string<C>& word) {
  typename std::basic_istream<C>::sentry ready(in, false);
  streamsize extracted = 0;
  ios_base::iostate error = ios_base::goodbit;
  if (ready) {
    guarded(in, [&] {
      word.erase();
      const streamsize most =
          in.width() > 0 ? in.width() : static_cast<streamsize>(word.max_size());
      const auto& kinds = std::use_facet<std::ctype<C>>(in.getloc());
      std::basic_streambuf<C>& buffer = *in.rdbuf();
      while (extracted < most) {
        const Code<C> code = buffer.sgetc();
        if (is_end<C>(code)) {
          error |= ios_base::eofbit;
          break;
        }
        if (is_space(kinds, code)) break;
        extracted += take_piece(
            buffer, Traits<C>::to_char_type(code), most - extracted, up_to_space(kinds),
            [&](const C* piece, streamsize n) { word.append(piece, static_cast<std::size_t>(n)); });
      }
      in.width(0);
    });
  }
  if (!extracted) error |= ios_base::failbit;
  if (error) in.setstate(error);
  return in;
}

// REQUIRES room for `room` characters, the null that ends them included.
template <class C>
void get_array(std::basic_istream<C>& in, C* to, streamsize room) {
  typename std::basic_istream<C>::sentry ready(in, false);
  streamsize extracted = 0;
  ios_base::iostate error = ios_base::goodbit;
  if (ready) {
    guarded(in, [&] {
      const streamsize width = in.width();
      const streamsize most = (0 < width && width < room ? width : room) - 1;
      const auto& kinds = std::use_facet<std::ctype<C>>(in.getloc());
      std::basic_streambuf<C>& buffer = *in.rdbuf();
      while (extracted < most) {
        const Code<C> code = buffer.sgetc();
        if (is_end<C>(code)) {
          error |= ios_base::eofbit;
          break;
        }
        if (is_space(kinds, code)) break;
        extracted +=
            take_piece(buffer, Traits<C>::to_char_type(code), most - extracted, up_to_space(kinds),
                       [&](const C* piece, streamsize n) {
                         Traits<C>::copy(to + extracted, piece, static_cast<std::size_t>(n));
                       });
      }
      to[extracted] = C();
      in.width(0);
    });
  }
  if (!extracted) error |= ios_base::failbit;
  if (error) in.setstate(error);
}

template <class C>
std::basic_istream<C>& get_array_line(std::basic_istream<C>& in, C* to, streamsize room,
                                      C delimiter) {
  streamsize& count = in.*StreamMembers<C>::count();
  count = 0;
  typename std::basic_istream<C>::sentry ready(in, true);
  streamsize stored = 0;
  ios_base::iostate error = ios_base::goodbit;
  if (ready) {
    guarded(in, [&] {
      std::basic_streambuf<C>& buffer = *in.rdbuf();
      const Code<C> end = Traits<C>::to_int_type(delimiter);
      for (;;) {
        const Code<C> code = buffer.sgetc();
        if (is_end<C>(code)) {
          error |= ios_base::eofbit;
          break;
        }
        if (Traits<C>::eq_int_type(code, end)) {
          ++count;
          buffer.sbumpc();
          break;
        }
        if (stored + 1 >= room) {
          error |= ios_base::failbit;
          break;
        }
        const streamsize n =
            take_piece(buffer, Traits<C>::to_char_type(code), room - 1 - stored, up_to(delimiter),
                       [&](const C* piece, streamsize length) {
                         Traits<C>::copy(to + stored, piece, static_cast<std::size_t>(length));
                       });
        stored += n;
        count += n;
      }
    });
  }
  if (room > 0) to[stored] = C();
  if (!count) error |= ios_base::failbit;
  if (error) in.setstate(error);
  return in;
}

// Skips `most` characters, all if that is the largest number there is, or up to and including the
// delimiter if there is one.
template <class C, class Length>
std::basic_istream<C>& skip(std::basic_istream<C>& in, streamsize most, Code<C> delimiter,
                            Length length) {
  streamsize& count = in.*StreamMembers<C>::count();
  count = 0;
  typename std::basic_istream<C>::sentry ready(in, true);
  if (!ready || most <= 0) return in;
  ios_base::iostate error = ios_base::goodbit;
  guarded(in, [&] {
    std::basic_streambuf<C>& buffer = *in.rdbuf();
    while (most == kMost || count < most) {
      const Code<C> code = buffer.sgetc();
      if (is_end<C>(code)) {
        error |= ios_base::eofbit;
        break;
      }
      const bool last = Traits<C>::eq_int_type(code, delimiter);
      const streamsize room = most == kMost ? kMost : most - count;
      streamsize n = 1;
      if (last)
        buffer.sbumpc();
      else
        n = take_piece(buffer, Traits<C>::to_char_type(code), room, length,
                       [](const C*, streamsize) {});
      count = count > kMost - n ? kMost : count + n;
      if (last) break;
    }
  });
  if (error) in.setstate(error);
  return in;
}

template <class C>
streamsize copy_all(std::basic_streambuf<C>& from, std::basic_streambuf<C>& to, bool& at_end) {
  streamsize copied = 0;
  at_end = true;
  for (Code<C> code = from.sgetc(); !is_end<C>(code); code = from.sgetc()) {
    C*& next = next_of(from);
    const streamsize present = end_of(from) - next;
    if (present > 1) {
      const streamsize n = to.sputn(next, present);
      next += n;
      copied += n;
      if (n == present) continue;
      at_end = false;
      break;
    }
    if (is_end<C>(to.sputc(Traits<C>::to_char_type(code)))) {
      at_end = false;
      break;
    }
    ++copied;
    from.sbumpc();
  }
  return copied;
}

}  // namespace
}  // namespace heddle::libstdcxx

namespace std {

namespace ours = heddle::libstdcxx;

#define DEFINE(C)                                                                                 \
  template <>                                                                                     \
  basic_istream<C>& getline(basic_istream<C>& in, basic_string<C>& line, C delimiter) {           \
    return ours::get_line(in, line, delimiter);                                                   \
  }                                                                                               \
  template <>                                                                                     \
  basic_istream<C>& basic_istream<C>::getline(C* to, streamsize room, C delimiter) {              \
    return ours::get_array_line(*this, to, room, delimiter);                                      \
  }                                                                                               \
  template <>                                                                                     \
  basic_istream<C>& basic_istream<C>::ignore(streamsize most) {                                   \
    return ours::skip(*this, most, traits_type::eof(), ours::kWhole);                             \
  }                                                                                               \
  template <>                                                                                     \
  basic_istream<C>& basic_istream<C>::ignore(streamsize most, int_type delimiter) {               \
    if (traits_type::eq_int_type(delimiter, traits_type::eof())) return ignore(most);             \
    return ours::skip(*this, most, delimiter, ours::up_to(traits_type::to_char_type(delimiter))); \
  }                                                                                               \
  template <>                                                                                     \
  streamsize __copy_streambufs_eof(basic_streambuf<C>* from, basic_streambuf<C>* to,              \
                                   bool& at_end) {                                                \
    return ours::copy_all(*from, *to, at_end);                                                    \
  }

DEFINE(char)
DEFINE(wchar_t)

template <>
istream& operator>>(istream& in, string& word) {
  return ours::get_word(in, word);
}

void __istream_extract(istream& in, char* to, streamsize room) { ours::get_array(in, to, room); }

}  // namespace std
