// Requests into bytes and bytes into Traces, as wire.h lays them out. The bytes come from a process that may have
// overwritten them, so every length is checked before it is used.
#pragma once
#include <cstdint>
#include <optional>

#include "model/trace.h"
#include "target/program.h"

namespace heddle {

// For requests that have none of their own.
struct Limits {
  std::uint32_t max_steps = 0;
  std::uint32_t timeouts = 0;
};

std::uint64_t encoded_bytes(const Request& request);
// REQUIRES room for encoded_bytes(request) at `to`.
void encode(const Request& request, std::uint64_t id, const Limits& defaults, unsigned char* to);

struct DecodedTrace {
  Trace trace;
  std::uint64_t request_id = 0;
  std::uint64_t bytes = 0;  // to release from the ring
  std::uint64_t output_bytes = 0;
};

// Nothing if the message is not one: a length that does not fit, an unknown operation, a thread number out of range.
std::optional<DecodedTrace> decode(const unsigned char* from, std::uint64_t available);

}  // namespace heddle
