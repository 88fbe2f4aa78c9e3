// Variables that others use, in functions that are left by an exception or a jump, or that have room of a size known late.
// EXPECT: verified
#include <alloca.h>
#include <csetjmp>
#include <stdexcept>
#include <thread>

static std::jmp_buf back;

[[gnu::noinline]] static void throws() {
  int local = 0;
  std::thread([&local] { local = 1; }).join();
  throw std::runtime_error("");
}

[[gnu::noinline]] static void jumps() { std::longjmp(back, 1); }
[[gnu::noinline]] static void returns() {
  std::thread([] {}).join();
}

int main(int count, char**) {
  int outer = 0;
  try {
    throws();
  } catch (const std::exception&) {
  }
  std::thread([&outer] { outer = 1; }).join();
  if (setjmp(back) == 0) jumps();
  std::thread([&outer] { outer = 2; }).join();
  auto* room = static_cast<int*>(alloca(sizeof(int) * 10 * static_cast<unsigned>(count)));
  std::thread t([room] { room[0] = room[9] = 3; });
  returns();
  t.join();
  return outer != 2 || room[9] != 3;
}
