#include "target/trace_codec.h"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

// Reads arrays off a message; once one does not fit, nothing does.
class Reader {
 public:
  Reader(const unsigned char* at, std::uint64_t left) : at_(at), left_(left) {}

  template <class T>
  bool read(T* to, std::uint64_t count) {
    if (count > left_ / sizeof(T)) return false;
    const std::uint64_t bytes = count * sizeof(T);
    if (bytes != 0) std::memcpy(static_cast<void*>(to), at_, bytes);
    at_ += bytes;
    left_ -= bytes;
    return true;
  }

  template <class T>
  bool read(std::vector<T>& to, std::uint64_t count) {
    if (count > left_ / sizeof(T)) return false;
    static_assert(alignof(T) <= 8, "messages and what is in them are aligned to 8 bytes");
    const T* from = reinterpret_cast<const T*>(at_);
    to.assign(from, from + count);  // not resized and filled: that would clear it first
    at_ += count * sizeof(T);
    left_ -= count * sizeof(T);
    return true;
  }

  std::uint64_t left() const { return left_; }

 private:
  const unsigned char* at_;
  std::uint64_t left_;
};

bool valid(const Event& e) { return e.thread < wire::kMaxThreads && e.op < Op::kCount; }
bool valid(const Pending& p) { return p.thread < wire::kMaxThreads && p.op < Op::kCount; }
bool valid(const wire::Report& r) { return r.kind <= wire::ReportKind::OrderMatters && r.text_length <= sizeof r.text; }

template <class T>
bool all_valid(const std::vector<T>& items) {
  return std::all_of(items.begin(), items.end(), [](const T& item) { return valid(item); });
}

bool read_stacks(Reader reader, std::vector<Stack>& stacks) {
  wire::StackRecord record;
  while (reader.left() >= sizeof record) {
    if (!reader.read(&record, 1) || record.owner > wire::StackRecord::OfThreadCreation) return false;
    Stack& stack = stacks.emplace_back(Stack{record.owner, record.thread, record.owner_index, {}, record.size});
    if (!reader.read(stack.frames, record.depth)) return false;
  }
  return true;
}

template <class T>
unsigned char* append(unsigned char* to, const std::vector<T>& items) {
  const std::size_t bytes = items.size() * sizeof(T);
  if (bytes != 0) std::memcpy(to, items.data(), bytes);
  return to + wire::round_up_8(bytes);
}

}  // namespace

std::uint64_t encoded_bytes(const Request& request) {
  return sizeof(wire::RequestHeader) + wire::round_up_8(request.prefix.size() * sizeof(Choice)) +
         request.sleep.size() * sizeof(wire::SleepEntry);
}

void encode(const Request& request, std::uint64_t id, const Limits& defaults, unsigned char* to) {
  wire::RequestHeader header;
  header.bytes = static_cast<std::uint32_t>(encoded_bytes(request));
  header.prefix_length = static_cast<std::uint32_t>(request.prefix.size());
  header.sleep_length = static_cast<std::uint32_t>(request.sleep.size());
  header.policy = request.policy;
  header.flags = static_cast<std::uint8_t>((request.detail ? wire::kDetail : 0) | (request.keep_output ? wire::kKeepOutput : 0) |
                                           (request.capture != Capture::None ? wire::kCapture : 0) |
                                           (request.capture == Capture::UntilVisited ? wire::kStopAtVisited : 0));
  header.depth = request.depth;
  header.id = id;
  header.seed = request.seed;
  header.horizon = request.horizon;
  header.max_steps = request.max_steps != 0 ? request.max_steps : defaults.max_steps;
  header.timeouts = request.timeouts != 0 ? request.timeouts : defaults.timeouts;
  header.watch = request.watch;
  header.watch_size = request.watch_size;
  header.capture_from = request.capture_from;
  header.next_shares = request.next_shares;
  std::memcpy(to, &header, sizeof header);
  append(append(to + sizeof header, request.prefix), request.sleep);
}

std::optional<DecodedTrace> decode(const unsigned char* from, std::uint64_t available) {
  wire::TraceHeader header;
  if (available < sizeof header) return std::nullopt;
  std::memcpy(&header, from, sizeof header);
  if (header.bytes < sizeof header || header.bytes % 8 != 0 || header.bytes > available) return std::nullopt;
  if (header.end >= wire::End::kCount || header.threads > wire::kMaxThreads) return std::nullopt;

  DecodedTrace decoded;
  decoded.request_id = header.request_id;
  decoded.bytes = header.bytes;
  decoded.output_bytes = header.output_bytes;
  Trace& trace = decoded.trace;
  trace.end = header.end;
  trace.threads = header.threads;
  trace.unjoined = header.unjoined;
  trace.exit_status = header.exit_status;
  trace.races_dropped = header.races_dropped;
  Reader body(from + sizeof header, header.bytes - sizeof header);
  const bool complete = body.read(trace.events, header.events) && body.read(trace.pending, header.pendings) &&
                        body.read(trace.reports, header.reports) && header.stack_bytes <= body.left();
  if (!complete || !all_valid(trace.events) || !all_valid(trace.pending) || !all_valid(trace.reports)) return std::nullopt;
  const unsigned char* stacks = from + (header.bytes - body.left());
  if (header.stack_bytes != 0 && !read_stacks(Reader(stacks, header.stack_bytes), trace.stacks)) return std::nullopt;
  Reader states(stacks + header.stack_bytes, body.left() - header.stack_bytes);
  if (!states.read(trace.states, header.states)) return std::nullopt;
  trace.visited_full = header.table_full != 0;
  trace.weak_orders = header.weak_orders != 0;
  trace.accessed = header.used & wire::kAccessed;
  trace.shared = header.used & wire::kShared;
  trace.timeouts = {header.timeouts, header.most_timeouts, header.timeouts_spent != 0};
  trace.states_void = header.states_void != 0;
  return decoded;
}

}  // namespace heddle
