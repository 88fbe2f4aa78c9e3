// Values as bytes. Each type lists its members once, in a function `describe`; the same list writes and reads.
//
// Whole numbers are LEB128, so that small ones cost a byte. A Reader never trusts its input: what is too short, too long or says
// that it holds more than the bytes that are left turns it bad, and everything it reads afterwards is zero.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

using Bytes = std::vector<unsigned char>;

class Writer {
 public:
  Writer() : bytes_(256) {}  // enough for most messages

  template <class T>
  Writer& operator()(const T& value) {
    if constexpr (std::is_enum_v<T>) number(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_integral_v<T>) number(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_floating_point_v<T>) real(value);
    else describe(*this, const_cast<T&>(value));  // a Writer only reads
    return *this;
  }
  template <class T>
  Writer& operator()(const std::vector<T>& values) {
    number(values.size());
    for (const T& v : values) (*this)(v);
    return *this;
  }
  template <class T>
  Writer& operator()(const std::optional<T>& value) {
    number(value.has_value());
    return value ? (*this)(*value) : *this;
  }
  Writer& operator()(const std::string& text) {
    number(text.size());
    make_room(text.size());
    std::copy(text.begin(), text.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ += text.size();
    return *this;
  }
  template <class A, class B>
  Writer& operator()(const std::pair<A, B>& p) { return (*this)(p.first)(p.second); }

  Bytes take() {
    bytes_.resize(std::exchange(used_, 0));
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t kLongestNumber = 10;

  void make_room(std::size_t more) {
    if (bytes_.size() - used_ < more) bytes_.resize(std::max(2 * bytes_.size(), used_ + more));
  }
  void number(std::uint64_t n) {
    make_room(kLongestNumber);
    unsigned char* to = bytes_.data() + used_;
    for (; n >= 0x80; n >>= 7) *to++ = static_cast<unsigned char>(n | 0x80);
    *to++ = static_cast<unsigned char>(n);
    used_ = static_cast<std::size_t>(to - bytes_.data());
  }
  void real(double d) {
    std::uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    number(bits);
  }
  Bytes bytes_;           // larger than what has been written,
  std::size_t used_ = 0;  // which is this
};

class Reader {
 public:
  Reader(const unsigned char* data, std::size_t size) : at_(data), end_(data + size) {}
  explicit Reader(const Bytes& bytes) : Reader(bytes.data(), bytes.size()) {}

  template <class T>
  Reader& operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) value = number() != 0;
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) value = static_cast<T>(number());
    else if constexpr (std::is_floating_point_v<T>) value = real();
    else nested(value);
    return *this;
  }
  template <class T>
  Reader& operator()(std::vector<T>& values) {
    values.clear();
    const std::uint64_t size = count();
    values.reserve(std::min<std::uint64_t>(size, kReserved));  // what is claimed need not be there
    for (std::uint64_t n = size; n > 0 && !bad_; --n) (*this)(values.emplace_back());
    return *this;
  }
  template <class T>
  Reader& operator()(std::optional<T>& value) {
    value.reset();
    return number() != 0 ? (*this)(value.emplace()) : *this;
  }
  Reader& operator()(std::string& text) {
    const std::uint64_t n = count();
    text.assign(reinterpret_cast<const char*>(at_), n);
    at_ += n;
    return *this;
  }
  template <class A, class B>
  Reader& operator()(std::pair<A, B>& p) { return (*this)(p.first)(p.second); }

  bool bad() const { return bad_; }
  bool done() const { return !bad_ && at_ == end_; }

 private:
  static constexpr std::uint64_t kReserved = 64;
  static constexpr int kDeepest = 100'000;  // plans are as deep as runs are long

  std::uint64_t number() {
    std::uint64_t n = 0;
    for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const unsigned char byte = *at_++;
      n |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return n;
    }
    return fail();
  }
  // Of things that take at least a byte each.
  std::uint64_t count() {
    const std::uint64_t n = number();
    return n <= static_cast<std::uint64_t>(end_ - at_) ? n : fail();
  }
  double real() {
    const std::uint64_t bits = number();
    double d;
    std::memcpy(&d, &bits, sizeof d);
    return d;
  }
  template <class T>
  void nested(T& value) {
    if (++depth_ > kDeepest) fail();
    if (!bad_) describe(*this, value);
    --depth_;
  }
  std::uint64_t fail() {
    bad_ = true;
    at_ = end_;
    return 0;
  }

  const unsigned char* at_;
  const unsigned char* end_;
  int depth_ = 0;
  bool bad_ = false;
};

template <class T>
Bytes to_bytes(const T& value) {
  Writer out;
  out(value);
  return out.take();
}

template <class T>
std::optional<T> from_bytes(const Bytes& bytes) {
  Reader in(bytes);
  T value{};
  in(value);
  if (!in.done()) return std::nullopt;
  return value;
}

}  // namespace heddle
