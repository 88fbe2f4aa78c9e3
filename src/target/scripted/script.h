// A concurrent program as data: threads are lists of instructions over shared objects and local registers.
//
// The algorithms are tested on scripts: a run takes microseconds and every operation kind is at hand. The builder calls
// below are also what a failing generated program is printed as, ready to paste into a test.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::scripted {

enum class Code : std::uint8_t {
  // Visible: each is one operation of wire/operations.def.
  Load, Store, AtomicLoad, AtomicStore, AtomicAdd, Cas,
  Lock, TryLock, TimedLock, Unlock,
  ReadLock, WriteLock, TryReadLock, TryWriteLock, RwUnlock,
  CondWait, CondResume /* never written: follows CondWait */, Signal, Broadcast,
  SemWait, SemTryWait, SemTimedWait, SemPost, SemValue,
  BarrierWait, BarrierResume /* follows BarrierWait of all but the last to arrive */,
  OnceBegin, OnceEnd,
  FutexWait, FutexResume, FutexWake,
  Create, Join, TryJoin, AwaitChange, AwaitAny, Choose, Exit,
  // Local: part of the transition before.
  Set, Add, Multiply, Modulo, Jump, JumpIf, Assert,
};

enum class Test : std::uint8_t { Equal, NotEqual, Less };

inline constexpr int kRegisters = 4;
inline constexpr int kMostAwaited = 8;
inline constexpr std::uint8_t kNoRegister = 0xff;

// What an instruction means is in machine.cpp; unused fields are 0.
struct Instruction {
  Code code{};
  std::uint8_t reg = 0;              // receives what is read, or what an attempt came to
  std::uint8_t index = kNoRegister;  // added to `object`
  Test test{};
  std::int32_t object = 0;
  std::int32_t value = 0;
  std::int32_t other = 0;            // CondWait: the mutex. Cas: the expected value. Assert: its number
  std::uint8_t from = kNoRegister;   // the value comes from this register, plus `value`
  bool timed = false;                // CondWait, FutexWait: may time out
};

// Builder calls return the thread, to be chained.
class ThreadScript {
 public:
  using Self = ThreadScript&;
  Self load(int x, int reg) { return add({.code = Code::Load, .reg = u8(reg), .object = x}); }
  Self store(int x, int value) { return add({.code = Code::Store, .object = x, .value = value}); }
  Self store_from(int x, int reg, int plus = 0) { return add({.code = Code::Store, .object = x, .value = plus, .from = u8(reg)}); }
  Self atomic_load(int x, int reg) { return add({.code = Code::AtomicLoad, .reg = u8(reg), .object = x}); }
  Self atomic_store(int x, int value) { return add({.code = Code::AtomicStore, .object = x, .value = value}); }
  Self atomic_add(int x, int value, int reg) { return add({.code = Code::AtomicAdd, .reg = u8(reg), .object = x, .value = value}); }
  Self cas(int x, int expected, int desired, int reg) {
    return add({.code = Code::Cas, .reg = u8(reg), .object = x, .value = desired, .other = expected});
  }
  Self lock(int m) { return add({.code = Code::Lock, .object = m}); }
  Self try_lock(int m, int reg) { return add({.code = Code::TryLock, .reg = u8(reg), .object = m}); }
  Self timed_lock(int m, int reg) { return add({.code = Code::TimedLock, .reg = u8(reg), .object = m}); }
  Self unlock(int m) { return add({.code = Code::Unlock, .object = m}); }
  Self read_lock(int l) { return add({.code = Code::ReadLock, .object = l}); }
  Self write_lock(int l) { return add({.code = Code::WriteLock, .object = l}); }
  Self try_read_lock(int l, int reg) { return add({.code = Code::TryReadLock, .reg = u8(reg), .object = l}); }
  Self try_write_lock(int l, int reg) { return add({.code = Code::TryWriteLock, .reg = u8(reg), .object = l}); }
  Self rw_unlock(int l) { return add({.code = Code::RwUnlock, .object = l}); }
  Self wait(int c, int m, int reg = 0) { return add({.code = Code::CondWait, .reg = u8(reg), .object = c, .other = m}); }
  Self timed_wait(int c, int m, int reg) {
    return add({.code = Code::CondWait, .reg = u8(reg), .object = c, .other = m, .timed = true});
  }
  Self signal(int c) { return add({.code = Code::Signal, .object = c}); }
  Self broadcast(int c) { return add({.code = Code::Broadcast, .object = c}); }
  Self sem_wait(int s) { return add({.code = Code::SemWait, .object = s}); }
  Self sem_try_wait(int s, int reg) { return add({.code = Code::SemTryWait, .reg = u8(reg), .object = s}); }
  Self sem_timed_wait(int s, int reg) { return add({.code = Code::SemTimedWait, .reg = u8(reg), .object = s}); }
  Self sem_post(int s) { return add({.code = Code::SemPost, .object = s}); }
  Self sem_value(int s, int reg) { return add({.code = Code::SemValue, .reg = u8(reg), .object = s}); }
  Self barrier_wait(int b, int reg = 0) { return add({.code = Code::BarrierWait, .reg = u8(reg), .object = b}); }
  Self once_begin(int o, int reg) { return add({.code = Code::OnceBegin, .reg = u8(reg), .object = o}); }
  Self once_end(int o) { return add({.code = Code::OnceEnd, .object = o}); }
  Self futex_wait(int x, int expected, int reg, bool timed = false) {
    return add({.code = Code::FutexWait, .reg = u8(reg), .object = x, .other = expected, .timed = timed});
  }
  Self futex_wake(int x, int how_many) { return add({.code = Code::FutexWake, .object = x, .value = how_many}); }
  Self create(int thread) { return add({.code = Code::Create, .object = thread}); }
  Self join(int thread) { return add({.code = Code::Join, .object = thread}); }
  Self try_join(int thread, int reg) { return add({.code = Code::TryJoin, .reg = u8(reg), .object = thread}); }
  Self choose(int n, int reg) { return add({.code = Code::Choose, .reg = u8(reg), .value = n}); }
  Self exit() { return add({.code = Code::Exit}); }
  // Spins until x == value: what the runtime makes of `while (x.load() != value);`.
  Self await(int x, int value, int reg) {
    const int top = here();
    atomic_load(x, reg).jump_if(reg, Test::Equal, value, top + 4);
    return add({.code = Code::AwaitChange, .object = x}).jump(top);
  }
  // REQUIRES that the instruction before reads x.
  Self await_change(int x) { return add({.code = Code::AwaitChange, .object = x}); }

  // The same for a loop that reads several variables, each with a bit in `variables`: any change may end it, and the trace does not say which.
  // REQUIRES that they are among the first kMostAwaited.
  Self await_any(int variables) { return add({.code = Code::AwaitAny, .value = variables}); }
  // Spins until x == value or y == other: what the runtime makes of `while (x.load() != value && y.load() != other);`.
  Self await_either(int x, int value, int y, int other, int reg) {
    const int top = here();
    atomic_load(x, reg).jump_if(reg, Test::Equal, value, top + 6).atomic_load(y, reg).jump_if(reg, Test::Equal, other, top + 6);
    return await_any(1 << x | 1 << y).jump(top);
  }

  Self set(int reg, int value) { return add({.code = Code::Set, .reg = u8(reg), .value = value}); }
  Self add_to(int reg, int value) { return add({.code = Code::Add, .reg = u8(reg), .value = value}); }
  Self multiply(int reg, int value) { return add({.code = Code::Multiply, .reg = u8(reg), .value = value}); }
  Self modulo(int reg, int value) { return add({.code = Code::Modulo, .reg = u8(reg), .value = value}); }
  Self jump(int target) { return add({.code = Code::Jump, .object = target}); }
  Self jump_if(int reg, Test test, int value, int target) {
    return add({.code = Code::JumpIf, .reg = u8(reg), .test = test, .object = target, .value = value});
  }
  Self check(int reg, Test test, int value, int number = 0) {
    return add({.code = Code::Assert, .reg = u8(reg), .test = test, .value = value, .other = number});
  }
  // The object of the instruction before is taken `reg` further on: table[h].
  Self indexed(int reg) {
    code.back().index = u8(reg);
    return *this;
  }

  int here() const { return static_cast<int>(code.size()); }
  Self add(Instruction i) {
    code.push_back(i);
    return *this;
  }

  std::vector<Instruction> code;

 private:
  static std::uint8_t u8(int i) { return static_cast<std::uint8_t>(i); }
};

// Objects are numbered from 0 in each class. A thread that nobody creates is there from the start.
struct Script {
  std::vector<ThreadScript> threads;
  std::vector<int> variables;   // initial values
  int mutexes = 0;
  int rwlocks = 0;
  int conditions = 0;
  std::vector<int> semaphores;  // initial counts
  std::vector<int> barriers;    // how many must arrive
  int onces = 0;
  bool spurious_wakeups = false;

  ThreadScript& thread() { return threads.emplace_back(); }
};

// The program as C++ that builds it again.
std::string as_cpp(const Script& script);

}  // namespace heddle::scripted
