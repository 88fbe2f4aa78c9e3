// .eh_frame and the tables of landing pads that it leads to.
//
// Layout: the "Linux Standard Base" chapter on exception frames, and what gcc and clang write for
// the C++ personality (.gcc_except_table).
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "machine/image.h"

namespace heddle::machine {
namespace {

enum : std::uint8_t {
  kAbsolute = 0x00,
  kUleb = 0x01,
  kData2 = 0x02,
  kData4 = 0x03,
  kData8 = 0x04,
  kSleb = 0x09,
  kSigned2 = 0x0a,
  kSigned4 = 0x0b,
  kSigned8 = 0x0c,
  kPcRelative = 0x10,
  kIndirect = 0x80,
  kOmitted = 0xff,
};
constexpr std::uint8_t kArgumentsSize = 0x2e;  // DW_CFA_GNU_args_size

// Reads forward from an address of the image. What lies outside reads as zero, and `failed`.
class Cursor {
 public:
  Cursor(const Image& image, std::uint64_t at) : image_(image), at_(at) {}

  std::uint64_t at() const { return at_; }
  bool failed() const { return failed_; }
  void go_to(std::uint64_t address) { at_ = address; }

  template <class T>
  T fixed() {
    const std::optional<T> value = image_.read<T>(at_);
    failed_ = failed_ || !value;
    at_ += sizeof(T);
    return value.value_or(T{});
  }

  std::uint64_t uleb() { return leb().first; }

  std::int64_t sleb() {
    auto [value, bits] = leb();
    if (bits < 64 && (value >> (bits - 1) & 1)) value |= ~0ULL << bits;
    return static_cast<std::int64_t>(value);
  }

  std::uint64_t encoded(std::uint8_t encoding) {
    if (encoding == kOmitted) return 0;
    const std::uint64_t place = at_, raw = plain(encoding & 0x0f);
    if (raw == 0) return 0;
    return (encoding & 0x70) == kPcRelative ? place + raw : raw;
  }

  std::uint64_t plain(std::uint8_t format) {
    switch (format) {
      case kAbsolute:
      case kData8:
      case kSigned8:
        return fixed<std::uint64_t>();
      case kUleb:
        return uleb();
      case kSleb:
        return static_cast<std::uint64_t>(sleb());
      case kData2:
        return fixed<std::uint16_t>();
      case kSigned2:
        return static_cast<std::uint64_t>(fixed<std::int16_t>());
      case kData4:
        return fixed<std::uint32_t>();
      case kSigned4:
        return static_cast<std::uint64_t>(fixed<std::int32_t>());
      default:
        failed_ = true;
        return 0;
    }
  }

 private:
  std::pair<std::uint64_t, int> leb() {
    std::uint64_t value = 0;
    int bits = 0;
    for (;;) {
      const auto byte = fixed<std::uint8_t>();
      if (bits < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << bits;
      bits += 7;
      if (!(byte & 0x80) || failed_) return {value, bits};
    }
  }

  const Image& image_;
  std::uint64_t at_;
  bool failed_ = false;
};

// What the entries of one compilation have in common.
struct Common {
  std::uint8_t address_encoding = kAbsolute, table_encoding = kOmitted;
  bool augmented = false;
};

class FrameReader {
 public:
  FrameReader(const Image& image, Range section) : image_(image), section_(section) {}

  std::vector<Frame> run() {
    for (std::uint64_t at = section_.begin; at + 8 <= section_.end;) {
      Cursor cursor(image_, at);
      const auto length = cursor.fixed<std::uint32_t>();
      if (length == 0xffffffff || cursor.failed()) break;  // a damaged file may claim to go on for ever
      if (length == 0) {
        at += 4;
        continue;
      }
      const std::uint64_t id_place = cursor.at(), end = id_place + length;
      if (const auto id = cursor.fixed<std::uint32_t>(); id != 0)
        read_entry(cursor, id_place - id, end);
      at = end;
    }
    std::sort(frames_.begin(), frames_.end(),
              [](const Frame& a, const Frame& b) { return a.range.begin < b.range.begin; });
    return std::move(frames_);
  }

 private:
  const Common& common_at(std::uint64_t address) {
    auto [found, fresh] = commons_.try_emplace(address);
    if (fresh) found->second = read_common(address);
    return found->second;
  }

  Common read_common(std::uint64_t address) {
    Common common;
    Cursor cursor(image_, address + 8);
    const auto version = cursor.fixed<std::uint8_t>();
    std::string augmentation;
    while (const char c = cursor.fixed<char>()) augmentation += c;
    if (version == 4) cursor.fixed<std::uint16_t>();
    cursor.uleb();
    cursor.sleb();
    version == 1 ? cursor.fixed<std::uint8_t>() : cursor.uleb();
    if (!augmentation.starts_with("z")) return common;
    common.augmented = true;
    cursor.uleb();
    for (char c : augmentation.substr(1)) {
      if (c == 'R')
        common.address_encoding = cursor.fixed<std::uint8_t>();
      else if (c == 'L')
        common.table_encoding = cursor.fixed<std::uint8_t>();
      else if (c == 'P')
        cursor.plain(cursor.fixed<std::uint8_t>() & 0x0f);
    }
    return common;
  }

  void read_entry(Cursor& cursor, std::uint64_t common_place, std::uint64_t end) {
    const Common& common = common_at(common_place);
    Frame frame;
    frame.range.begin = cursor.encoded(common.address_encoding);
    frame.range.end = frame.range.begin + cursor.plain(common.address_encoding & 0x0f);
    if (cursor.failed() || frame.range.end <= frame.range.begin) return;
    if (common.augmented) {
      const std::uint64_t size = cursor.uleb(), begin = cursor.at();
      if (common.table_encoding != kOmitted)
        if (const std::uint64_t table = cursor.encoded(common.table_encoding))
          read_pads(table, frame);
      cursor.go_to(begin + size);
    }
    // Any such byte will do, operand or not: it only costs knowledge.
    while (cursor.at() < end && !cursor.failed())
      if (cursor.fixed<std::uint8_t>() == kArgumentsSize) frame.pushes_arguments = true;
    frames_.push_back(std::move(frame));
  }

  void read_pads(std::uint64_t table, Frame& frame) {
    Cursor cursor(image_, table);
    std::uint64_t base = frame.range.begin;
    if (const auto encoding = cursor.fixed<std::uint8_t>(); encoding != kOmitted)
      base = cursor.encoded(encoding);
    if (cursor.fixed<std::uint8_t>() != kOmitted) cursor.uleb();  // the table of types
    const std::uint8_t encoding = cursor.fixed<std::uint8_t>() & 0x0f;
    const std::uint64_t size = cursor.uleb(), end = cursor.at() + size;
    while (cursor.at() < end && !cursor.failed()) {
      const std::uint64_t begin = cursor.plain(encoding), length = cursor.plain(encoding);
      const std::uint64_t pad = cursor.plain(encoding);
      cursor.uleb();
      if (pad == 0 || cursor.failed()) continue;
      const std::uint64_t from = frame.range.begin + begin;
      frame.pads.push_back({{from, from + length}, base + pad});
    }
  }

  const Image& image_;
  Range section_;
  std::unordered_map<std::uint64_t, Common> commons_;
  std::vector<Frame> frames_;
};

}  // namespace

std::vector<Frame> read_frames(const Image& image, Range eh_frame) {
  return FrameReader(image, eh_frame).run();
}

}  // namespace heddle::machine
