// Values that events tell (wire::kToldValueBytes): from them follows whether a compare-exchange fails in another order.
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

inline constexpr int kExpectedOperand = 1;  // of a compare-exchange (atomics.h)

inline bool is_told(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// REQUIRES is_told(size), and that the memory can be read.
inline uint64_t value_at(uint64_t address, uint64_t size) {
  switch (size) {
    case 1:
      return *reinterpret_cast<const volatile uint8_t*>(address);
    case 2:
      return *reinterpret_cast<const volatile uint16_t*>(address);
    case 4:
      return *reinterpret_cast<const volatile uint32_t*>(address);
    default:
      return *reinterpret_cast<const volatile uint64_t*>(address);
  }
}

// Of the event that is being performed: what was in memory before, or was expected there.
inline void tell_value(uint64_t value) { R().events[R().steps - 1].argument = value; }

inline uint64_t expected_by(const PendingOp& exchange) { return exchange.operand[kExpectedOperand]; }

// The same when nobody may have touched the memory yet: it need not be there. At the end of a run.
inline uint8_t outcome_at_end(const PendingOp& exchange) {
  uint64_t value = 0;
  if (!is_told(exchange.size)) return wire::kUnknownOutcome;
  struct Part {
    const void* at;
    uint64_t size;
  };
  const Part to = {&value, exchange.size}, from = {reinterpret_cast<const void*>(exchange.address), exchange.size};
  const long got = sys(__NR_process_vm_readv, sys(__NR_getpid), &to, 1, &from, 1, 0);
  if (got != (long)exchange.size) return wire::kUnknownOutcome;
  return value == expected_by(exchange);
}

}  // namespace heddle::rt
