// Many independent seeds from one.
#pragma once
#include <cstdint>

namespace heddle {

// Steele, Lea, Flood: Fast splittable pseudorandom number generators (OOPSLA 2014), the generator SplitMix64.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += kGamma);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  void skip(std::uint64_t numbers) { state_ += numbers * kGamma; }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

}  // namespace heddle
