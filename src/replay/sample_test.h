// Hand-made traces and a program that is a function, for the tests of replay/ and report/.
#pragma once
#include <deque>
#include <functional>

#include "detect/finding.h"
#include "replay/trace_file.h"
#include "target/program.h"

namespace heddle::sample {

inline constexpr Address code(std::uint64_t offset) { return wire::make_address(wire::Region::Module, 0, offset); }
inline constexpr Address global(std::uint64_t offset) { return wire::make_address(wire::Region::Module, 0, 0x4000 + offset); }
inline constexpr Address thread_object(int t) { return wire::make_address(wire::Region::Thread, static_cast<std::uint32_t>(t), 0); }

inline Event event(int thread, Op op, Address object, Address pc, std::initializer_list<int> enabled = {}) {
  Event e;
  e.thread = static_cast<std::uint8_t>(thread);
  e.op = op;
  e.object = object;
  e.pc = pc;
  e.enabled.add(thread);
  for (int t : enabled) e.enabled.add(t);
  e.alternatives.add(0);
  return e;
}

inline Pending pending(int thread, Op op, Address object, Address pc, int holder) {
  Pending p;
  p.thread = static_cast<std::uint8_t>(thread);
  p.op = op;
  p.object = object;
  p.pc = pc;
  p.holder = static_cast<std::uint8_t>(holder);
  return p;
}

// Two threads that take two mutexes in opposite orders: the run that ends in a deadlock.
inline Trace abba_trace() {
  const Address a = global(0), b = global(40);
  Trace trace;
  trace.end = wire::End::Deadlock;
  trace.threads = 3;
  trace.events = {event(0, Op::ThreadCreate, thread_object(1), code(0x100)),
                  event(0, Op::ThreadCreate, thread_object(2), code(0x110), {1}),
                  event(1, Op::MutexLock, a, code(0x200), {0, 2}),
                  event(2, Op::MutexLock, b, code(0x300), {1})};
  trace.pending = {pending(0, Op::ThreadJoin, thread_object(1), code(0x120), wire::kNoThread),
                   pending(1, Op::MutexLock, b, code(0x210), 2), pending(2, Op::MutexLock, a, code(0x310), 1)};
  trace.stacks = {{wire::StackRecord::OfThreadCreation, 1, 1, {code(0x100)}},
                  {wire::StackRecord::OfThreadCreation, 2, 2, {code(0x110)}},
                  {wire::StackRecord::OfPending, 1, 1, {code(0x210), code(0x2f0)}},
                  {wire::StackRecord::OfEvent, 2, 3, {code(0x300), code(0x3f0)}},
                  {wire::StackRecord::OfPending, 2, 2, {code(0x310), code(0x3f0)}},
                  {wire::StackRecord::OfEvent, 1, 2, {code(0x200), code(0x2f0)}}};
  trace.output = "starting\n";
  return trace;
}

inline TraceFile abba_file() {
  TraceFile file;
  file.heddle_version = heddle_version();
  file.algorithm = "dfs";
  file.facts.program = "/home/user/transfer";
  file.facts.arguments = {"--accounts", "2"};
  file.facts.directory = "/home/user";
  file.facts.environment = {{"LANG", "C"}};
  file.facts.options.cpus = 2;
  file.facts.max_steps = 1000;
  file.facts.visible = {{global(80), 4}};
  file.facts.modules = {{"/home/user/transfer", "gnu:0123"}};
  file.facts.threads = {{wire::kNoThread, 0, 0}, {0, 0, 0}, {0, 0, 1}};
  file.trace = abba_trace();
  Finding& finding = file.finding;
  finding.kind = FindingKind::Deadlock;
  finding.message = "2 threads wait for each other";
  finding.signature = "deadlock:m0+210:m0+310";
  finding.step = 4;
  finding.choices = choices_of(file.trace);
  finding.involved = {{1, "waits for a mutex", global(40), 0, {code(0x210), code(0x2f0)}},
                      {2, "holds it", global(40), 0, {code(0x300), code(0x3f0)}},
                      {2, "waits for a mutex", global(0), 0, {code(0x310), code(0x3f0)}},
                      {1, "holds it", global(0), 0, {code(0x200), code(0x2f0)}}};
  auto place = [&](std::uint64_t at, const char* function, int line) {
    file.places.frames[code(at)] = {SourceFrame{function, "/home/user/transfer.cpp", line, "transfer", false}};
  };
  place(0x100, "main", 40), place(0x110, "main", 41), place(0x120, "main", 42);
  place(0x200, "forward", 10), place(0x210, "forward", 11), place(0x2f0, "first_thread", 20);
  place(0x300, "backward", 15), place(0x310, "backward", 16), place(0x3f0, "second_thread", 25);
  file.places.names = {{global(0), "from.mutex"}, {global(40), "to.mutex"}, {thread_object(1), "thread 1"},
                       {thread_object(2), "thread 2"}};
  return file;
}

// A Program that answers with whatever a function makes of the request.
class FunctionProgram : public Program {
 public:
  explicit FunctionProgram(std::function<Trace(const Request&)> answer) : answer_(std::move(answer)) {}
  Status submit(const Request& request) override {
    ++runs;
    waiting_.push_back(answer_(request));
    return Nothing{};
  }
  Result<Trace> collect() override {
    Trace trace = std::move(waiting_.front());
    waiting_.pop_front();
    return trace;
  }
  int in_flight() const override { return static_cast<int>(waiting_.size()); }
  Status make_visible(Address, std::uint64_t) override { return Nothing{}; }

  int runs = 0;

 private:
  std::function<Trace(const Request&)> answer_;
  std::deque<Trace> waiting_;
};

}  // namespace heddle::sample
