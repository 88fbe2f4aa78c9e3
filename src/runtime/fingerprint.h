// The arithmetic of fingerprints. A state is a set of facts "this place holds this value"; each fact has a print of 128 bits, and
// the state's print is their sum. Sums can be taken apart again, so a change costs two additions however large the state is, and
// the order in which changes came leaves no trace.
//
// Two different sets of facts have the same sum with the probability of two random numbers of 128 bits: --state=verify is
// for whoever wants to know. Constants are those of well-known mixers (murmur3, splitmix64); they only have to be odd and irregular.
#pragma once
#include <stdint.h>

#include "wire/wire.h"

namespace heddle::rt {

struct Print {
  uint64_t low, high;
  void add(const Print& p) {
    low += p.low;
    high += p.high;
  }
  void subtract(const Print& p) {
    low -= p.low;
    high -= p.high;
  }
};

// A bijection of 64 bits in which every bit of the argument reaches every bit of the result.
inline uint64_t scramble(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

inline uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

// The print of one fact: `place` holds `value`. The two halves see place and value combined in different ways, so that facts which
// agree in one of them do not agree in the other.
inline Print print_of(uint64_t place, uint64_t value) {
  uint64_t at = scramble(place ^ 0x9e3779b97f4a7c15ULL);
  return {scramble(value + at), scramble(rotate(value, 32) ^ at * 0xd6e8feb86659fd93ULL ^ 0xa0761d6478bd642fULL)};
}

// The print of a fact that takes several words to tell. Each word changes each half in an invertible way.
class LongFact {
 public:
  explicit LongFact(uint64_t place) : a_(scramble(place + 0xe7037ed1a0b428dbULL)), b_(scramble(place ^ 0x8ebc6af09c88c6e3ULL)) {}
  void word(uint64_t w) {
    a_ = (a_ ^ w) * 0x9fb21c651e98df25ULL;
    a_ ^= a_ >> 32;
    b_ = (rotate(b_, 27) + w) * 0xd6e8feb86659fd93ULL;
    b_ ^= b_ >> 29;
  }
  Print print() const { return {scramble(a_), scramble(b_ + rotate(a_, 32))}; }

 private:
  uint64_t a_, b_;
};

inline wire::Fingerprint fingerprint_of(const Print& p) {
  wire::Fingerprint f{scramble(p.low), scramble(p.high)};
  if (f.is_none()) f.low = 1;  // zero means none
  return f;
}

}  // namespace heddle::rt
