#include "target/segment.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t round_up_page(std::uint64_t n) { return (n + kPage - 1) & ~(kPage - 1); }

std::uint64_t trace_ring_bytes(std::uint64_t max_steps) {
  return round_up_page(std::max(Segment::kTraceBytes, 2 * (max_steps * (sizeof(wire::Event) + sizeof(wire::Fingerprint)) + (1 << 20))));
}

}  // namespace

Result<Segment> Segment::create(const wire::Options& options, std::uint64_t max_steps, std::uint64_t visited_bytes) {
  Segment s;
  const std::uint64_t header_bytes = round_up_page(sizeof(wire::Segment));
  const std::uint64_t trace_bytes = trace_ring_bytes(max_steps);
  const std::uint64_t before_table = header_bytes + kRequestBytes + trace_bytes;
  s.bytes_ = before_table + VisitedStore::region_bytes(visited_bytes);
  s.fd_ = UniqueFd(memfd_create("heddle-wire", MFD_CLOEXEC));
  if (!s.fd_ || ftruncate(s.fd_.get(), static_cast<off_t>(s.bytes_)) != 0) {
    return Error{fmt::format("cannot create shared memory: {}", std::strerror(errno)), "run `heddle doctor`"};
  }
  void* at = mmap(nullptr, s.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s.fd_.get(), 0);
  if (at == MAP_FAILED)
    return Error{fmt::format("cannot map shared memory: {}", std::strerror(errno)), "run `heddle doctor`"};
  // Not constructed: the file's bytes are zero, which is what every member begins with that prepare() does not set, and
  // writing them would touch twenty pages.
  s.header_ = static_cast<wire::Segment*>(at);
  auto* base = static_cast<unsigned char*>(at);
  s.requests_ = {&s.header_->requests, base + header_bytes, kRequestBytes};
  s.traces_ = {&s.header_->traces, base + header_bytes + kRequestBytes, trace_bytes};
  s.visited_ = VisitedStore(&s.header_->visited, base + before_table, before_table, visited_bytes);
  s.prepare(options);
  return s;
}

void Segment::place_ring(wire::Ring& ring, const wire::RingView& view) {
  ring = wire::Ring{};
  ring.offset = static_cast<std::uint64_t>(view.data - reinterpret_cast<unsigned char*>(header_));
  ring.bytes = view.bytes;
}

void Segment::prepare(const wire::Options& options) {
  header_->magic = wire::kMagic;
  header_->version = wire::kVersion;
  header_->bytes_of_segment_header = sizeof(wire::Segment);
  header_->bytes = bytes_;
  header_->options = options;
  header_->target_ready = 0;
  header_->target_version = 0;
  header_->target_pid = 0;
  header_->run_pid = 0;
  std::memset(header_->startup_error, 0, sizeof header_->startup_error);
  std::memset(header_->startup_frames, 0, sizeof header_->startup_frames);
  header_->heartbeat = 0;
  header_->stop = 0;
  header_->module_count = 0;
  header_->modules_judged = 0;
  header_->patch_state = 0;
  header_->patch_bytes = 0;
  header_->patch_entry = 0;
  std::fill(std::begin(header_->patch_rooms), std::end(header_->patch_rooms), wire::PatchRoom{});
  ++header_->launches;
  visited_.show();
  place_ring(header_->requests, requests_);
  place_ring(header_->traces, traces_);
}

Segment::Segment(Segment&& other) noexcept
    : fd_(std::move(other.fd_)),
      header_(std::exchange(other.header_, nullptr)),
      bytes_(other.bytes_),
      requests_(other.requests_),
      traces_(other.traces_),
      visited_(other.visited_) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(header_, other.header_);
  std::swap(bytes_, other.bytes_);
  std::swap(requests_, other.requests_);
  std::swap(traces_, other.traces_);
  std::swap(visited_, other.visited_);
  return *this;
}

Segment::~Segment() {
  if (header_ != nullptr) munmap(header_, bytes_);
}

}  // namespace heddle
