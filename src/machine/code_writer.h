// Writes the few instructions that a trampoline is made of.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace heddle::machine {

// Registers by their number in the encoding.
inline constexpr int kRax = 0, kRsp = 4, kRsi = 6, kRdi = 7;

// base + scale * index + displacement, or an address where there is neither base nor index.
struct EffectiveAddress {
  std::optional<int> base, index;
  int scale = 1;
  std::int64_t displacement = 0;
  bool thread_local_base = false;  // relative to the segment fs
};

class CodeWriter {
 public:
  explicit CodeWriter(std::uint64_t address) : begin_(address) {}

  std::uint64_t here() const { return begin_ + bytes_.size(); }
  std::uint64_t begin() const { return begin_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  // False: some distance did not fit into 32 bits. What was written since is of no use.
  bool fits() const { return fits_; }

  // Back to how it was: for code that turned out not to fit.
  void truncate(std::uint64_t to) {
    bytes_.resize(to - begin_);
    fits_ = true;
  }

  void raw(const void* from, std::size_t count) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + count);
  }
  void bytes(std::initializer_list<std::uint8_t> list) { bytes_.insert(bytes_.end(), list); }
  void word(std::uint64_t value) { raw(&value, sizeof value); }
  void align(std::size_t to) {
    while (here() % to != 0) bytes_.push_back(0xcc);
  }

  // `rest`: bytes of the instruction that follow the distance.
  void distance(std::uint64_t to, int rest = 0) {
    const std::int64_t d = static_cast<std::int64_t>(to - (here() + 4 + static_cast<std::uint64_t>(rest)));
    number32(d);
  }
  void patch_distance(std::uint64_t at, std::uint64_t to) {
    const auto d = static_cast<std::int32_t>(to - (at + 4));
    std::memcpy(&bytes_[at - begin_], &d, sizeof d);
  }

  void jump(std::uint64_t to) {
    bytes({0xe9});
    distance(to);
  }
  void push(int reg) { bytes({static_cast<std::uint8_t>(0x50 + reg)}); }
  void pop(int reg) { bytes({static_cast<std::uint8_t>(0x58 + reg)}); }
  void skip_red_zone() { bytes({0x48, 0x8d, 0x64, 0x24, 0x80}); }                      // lea -128(%rsp), %rsp
  void unskip_red_zone() { bytes({0x48, 0x8d, 0xa4, 0x24, 0x80, 0x00, 0x00, 0x00}); }  // lea 128(%rsp), %rsp
  void call_through(std::uint64_t slot) {
    bytes({0xff, 0x15});
    distance(slot);
  }
  void load_address(int reg, std::uint64_t of) {
    bytes({0x48, 0x8d, static_cast<std::uint8_t>(0x05 | reg << 3)});
    distance(of);
  }
  void constant(int reg, std::uint64_t value) {
    bytes({0x48, static_cast<std::uint8_t>(0xb8 + reg)});
    word(value);
  }
  // lea of `a` into `reg`, one of the first eight. Leaves the flags alone.
  void load_effective_address(int reg, const EffectiveAddress& a) {
    if (!a.base && !a.index) {
      constant(reg, static_cast<std::uint64_t>(a.displacement));
      return;
    }
    const int base = a.base.value_or(5), index = a.index.value_or(kRsp);
    int shift = 0;
    while (1 << shift < a.scale) ++shift;
    bytes({static_cast<std::uint8_t>(0x48 | (index & 8) >> 2 | (base & 8) >> 3), 0x8d});
    bytes({static_cast<std::uint8_t>((a.base ? 0x80 : 0x00) | reg << 3 | 4), static_cast<std::uint8_t>(shift << 6 | (index & 7) << 3 | (base & 7))});
    number32(a.displacement);
  }
  void add_thread_pointer(int reg, int scratch) {
    bytes({0x64, 0x48, 0x8b, static_cast<std::uint8_t>(0x04 | scratch << 3), 0x25, 0, 0, 0, 0});              // mov %fs:0, scratch
    bytes({0x48, 0x8d, static_cast<std::uint8_t>(0x04 | reg << 3), static_cast<std::uint8_t>(scratch << 3 | reg)});  // lea (reg, scratch), reg
  }

 private:
  void number32(std::int64_t value) {
    const auto n = static_cast<std::int32_t>(value);
    if (n != value) fits_ = false;
    raw(&n, sizeof n);
  }

  std::uint64_t begin_;
  std::vector<std::uint8_t> bytes_;
  bool fits_ = true;
};

}  // namespace heddle::machine
