// std::hash of strings, and when an unordered container grows. The numbers must be libstdc++.so's
// own, so its functions compute them; here is said what they read and write.
#include <unordered_map>

#include "announce.h"
#include "real.h"

namespace {

using heddle::libstdcxx::reads;
using heddle::libstdcxx::Real;
using Policy = std::__detail::_Prime_rehash_policy;

Real<std::size_t(const void*, std::size_t, std::size_t)> murmur, fnv;
Real<std::size_t(const Policy*, std::size_t)> next_bucket_count;
Real<std::pair<bool, std::size_t>(const Policy*, std::size_t, std::size_t, std::size_t)>
    need_rehash;

HEDDLE_UNSEEN auto* real_murmur() { return murmur.get("_ZSt11_Hash_bytesPKvmm"); }
HEDDLE_UNSEEN auto* real_fnv() { return fnv.get("_ZSt15_Fnv_hash_bytesPKvmm"); }
HEDDLE_UNSEEN auto* real_next_bucket_count() {
  return next_bucket_count.get("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
}
HEDDLE_UNSEEN auto* real_need_rehash() {
  return need_rehash.get("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
}

HEDDLE_BEFORE_MAIN void find_all() {
  real_murmur();
  real_fnv();
  real_next_bucket_count();
  real_need_rehash();
}

}  // namespace

namespace std {

size_t _Hash_bytes(const void* bytes, size_t length, size_t seed) {
  reads(bytes, length);
  return real_murmur()(bytes, length, seed);
}

size_t _Fnv_hash_bytes(const void* bytes, size_t length, size_t seed) {
  reads(bytes, length);
  return real_fnv()(bytes, length, seed);
}

namespace __detail {

// The real function works on a copy: what it changes there is written here.
size_t Policy::_M_next_bkt(size_t wanted) const {
  Policy copy(_M_max_load_factor);
  const size_t count = real_next_bucket_count()(&copy, wanted);
  _M_next_resize = copy._M_next_resize;
  return count;
}

pair<bool, size_t> Policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  const size_t limit = _M_next_resize;
  if (elements + more <= limit) return {false, 0};
  Policy copy(_M_max_load_factor);
  copy._M_next_resize = limit;
  const pair<bool, size_t> answer = real_need_rehash()(&copy, buckets, elements, more);
  _M_next_resize = copy._M_next_resize;
  return answer;
}

}  // namespace __detail
}  // namespace std
