// Accesses that libstdc++.so makes, told before it makes them: by the functions that instrumented
// code calls.
#pragma once
#include <cstddef>

extern "C" {
void __tsan_read_range(void* address, long size);
void __tsan_write_range(void* address, long size);
}

namespace heddle::libstdcxx {

inline void reads(const void* bytes, std::size_t size) {
  if (size) __tsan_read_range(const_cast<void*>(bytes), static_cast<long>(size));
}

inline void writes(void* bytes, std::size_t size) {
  if (size) __tsan_write_range(bytes, static_cast<long>(size));
}

template <class T>
void reads(const T& object) {
  reads(&object, sizeof object);
}

template <class T>
void writes(T& object) {
  writes(&object, sizeof object);
}

}  // namespace heddle::libstdcxx
