// Members of streams that are protected: the functions that stand in this folder are the library's
// own.
#pragma once
#include <istream>
#include <ostream>
#include <streambuf>

namespace heddle::libstdcxx {

template <class C>
struct BufferMembers : std::basic_streambuf<C> {
  static auto next() { return &BufferMembers::_M_in_cur; }
  static auto end() { return &BufferMembers::_M_in_end; }
};

// What a buffer holds that has not been read.
template <class C>
C*& next_of(std::basic_streambuf<C>& buffer) {
  return buffer.*BufferMembers<C>::next();
}
template <class C>
C*& end_of(std::basic_streambuf<C>& buffer) {
  return buffer.*BufferMembers<C>::end();
}

template <class C>
struct StreamMembers : std::basic_iostream<C> {
  static auto width() { return &StreamMembers::_M_width; }
  static auto precision() { return &StreamMembers::_M_precision; }
  static auto flags() { return &StreamMembers::_M_flags; }
  static auto count() { return &StreamMembers::_M_gcount; }
  static auto reader() { return &StreamMembers::_M_num_get; }
  static auto writer() { return &StreamMembers::_M_num_put; }
};

}  // namespace heddle::libstdcxx
