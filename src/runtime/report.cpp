// What the runtime tells the explorer: reports, call stacks, and our own failures.
#include "runtime/runtime.h"
#include "runtime/turns.h"

namespace heddle::rt {

wire::Report* add_report(wire::ReportKind kind, uint64_t pc, const char* text) {
  Runtime& r = R();
  if (r.report_count >= kMaxReports) return nullptr;
  if (pc && r.current && !r.in_runtime && !instrumented(pc)) pc = place_in_program(reinterpret_cast<uint64_t>(__builtin_frame_address(0)), pc);
  wire::Report& out = r.reports[r.report_count];
  heddle_rt_memset(&out, 0, sizeof out);
  out.kind = kind;
  out.thread = r.current ? r.current->slot : 0;
  out.other_thread = wire::kNoThread;
  out.step = r.steps;
  out.pc = name_of(pc);
  Text(out.text, sizeof out.text) << text;
  out.text_length = (uint16_t)length_of(out.text);
  if (r.detail && r.current) add_stack(wire::StackRecord::OfReport, *r.current, r.report_count, pc);
  ++r.report_count;
  return &out;
}

wire::Report* report(wire::ReportKind kind, uint64_t pc, const char* text) {
  wire::Report* out = add_report(kind, pc, text);
  if (HEDDLE_UNLIKELY(R().real_threads) && out && R().current) show_finding(*R().current, raw_address(out->pc));
  return out;
}

void stop_with(wire::ReportKind kind, uint64_t pc, const char* text) {
  if (heddle_mode == Mode::PreMain) fatal(text);
  if (R().report_count == kMaxReports) --R().report_count;  // what ends the run must be told
  report(kind, pc, text);
  end_run(wire::End::Stopped);
}

namespace {

[[noreturn]] void leave(uint32_t how, const char* text) {
  wire::Segment& s = *R().segment;
  Text(s.startup_error, sizeof s.startup_error) << text;
  __atomic_store_n(&s.target_ready, how, __ATOMIC_RELEASE);
  sys(__NR_futex, &s.target_ready, 1 /* FUTEX_WAKE, shared */, 1);
  for (;;) sys(__NR_exit_group, 71);
}

}  // namespace

void unsupported(const char* call, uint64_t pc, const char* why) {
  char text[256];
  Text t(text, sizeof text);
  t << call;
  if (why) t << " " << why;
  if (heddle_mode == Mode::PreMain) {
    char line[320];
    Text(line, sizeof line) << "the program calls " << text << ", which heddle does not model";
    read_modules();
    wire::Address* frames = R().segment->startup_frames;
    *frames = name_of(pc);
    callers_before_main(reinterpret_cast<uint64_t>(__builtin_frame_address(0)), frames + 1, wire::kMaxStartupFrames - 1);
    leave(3, line);
  }
  R().report_count = 0;
  R().stack_bytes = 0;
  add_report(wire::ReportKind::Unsupported, pc, text);
  end_run(wire::End::Unsupported);
}

void needs_fork(const char* call) {
  R().report_count = 0;
  R().stack_bytes = 0;
  add_report(wire::ReportKind::NeedsFork, 0, call);
  end_run(wire::End::NeedsFork);
}

void fatal(const char* text) { leave(2, text); }
void input_changed(const char* text) { leave(4, text); }
void wrong_fingerprint(const char* text) { leave(5, text); }

int shadow_stack(const Thread& t, uint64_t pc, uint64_t* out, int capacity) {
  int n = 0;
  if (pc && n < capacity) out[n++] = pc;
  const ThreadStore& s = store_of(t);
  for (uint32_t i = t.frames < kMaxFrames ? t.frames : kMaxFrames; i > 0 && n < capacity; --i)
    if (s.frames[i - 1].pc) out[n++] = s.frames[i - 1].pc;
  return n;
}

void add_stack(wire::StackRecord::Owner owner, const Thread& t, uint32_t index, uint64_t pc, uint32_t size) {
  Runtime& r = R();
  uint64_t frames[64];
  int depth = owner == wire::StackRecord::OfThreadCreation ? 0 : shadow_stack(t, pc, frames, 64);
  if (owner == wire::StackRecord::OfThreadCreation) {
    depth = (int)store_of(t).create_depth;
    heddle_rt_memcpy(frames, store_of(t).create_frames, sizeof(uint64_t) * depth);
  }
  uint32_t bytes = (uint32_t)(sizeof(wire::StackRecord) + sizeof(wire::Address) * depth);
  if (r.stack_bytes + bytes > kMaxStackBytes) return;
  auto* record = reinterpret_cast<wire::StackRecord*>(r.stack_records + r.stack_bytes);
  record->owner = owner;
  record->thread = t.slot;
  record->depth = (uint16_t)depth;
  record->owner_index = index;
  record->size = size;
  record->pad = 0;
  auto* at = reinterpret_cast<wire::Address*>(record + 1);
  for (int i = 0; i < depth; ++i) at[i] = name_of(frames[i]);
  r.stack_bytes += bytes;
}

}  // namespace heddle::rt
