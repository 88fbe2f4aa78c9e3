// bells MODULE, under mpirun: ranks on one machine wake each other.
//
// Rank 0 answers every message with the same one; the others send the next when they have the answer. Whoever waits sleeps for 0.9 s at a time, so that
// only those who are woken come to an end in time. Prints how often a sleep was slept to its end: none should be.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "dist/mpi_module.h"

namespace {

using Message = std::vector<unsigned char>;
constexpr int kRounds = 500;
constexpr long kSleepNs = 900'000'000;
constexpr std::size_t kShort = 40, kLong = 300'000;  // the long ones are more than MPI sends without asking

const heddle::MpiModule* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const auto entry = library ? reinterpret_cast<heddle::MpiModuleEntry>(dlsym(library, heddle::kMpiModuleEntry)) : nullptr;
  return entry ? entry() : nullptr;
}

// The next message and who sent it.
Message await(const heddle::MpiModule& mpi, int* from, int* overslept) {
  using Clock = std::chrono::steady_clock;
  int tag = 0;
  std::size_t size = 0;
  while (!mpi.probe(from, &tag, &size)) {
    const auto begun = Clock::now();
    mpi.sleep(kSleepNs);
    if (Clock::now() - begun >= std::chrono::nanoseconds(kSleepNs)) ++*overslept;
  }
  Message message(size);
  mpi.receive(message.data());
  return message;
}

// False: an answer was not what had been sent.
bool ask(const heddle::MpiModule& mpi, int* overslept) {
  for (int i = 0; i < kRounds; ++i) {
    const Message sent(i % 50 == 0 ? kLong : kShort, static_cast<unsigned char>(i));
    int from = -1;
    mpi.send(0, 1, sent.data(), sent.size());
    if (await(mpi, &from, overslept) != sent) return false;
  }
  return true;
}

void answer(const heddle::MpiModule& mpi, int* overslept) {
  for (int left = kRounds * (mpi.size() - 1); left > 0; --left) {
    int from = -1;
    const Message message = await(mpi, &from, overslept);
    mpi.send(from, 1, message.data(), message.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const heddle::MpiModule* mpi = argc == 2 ? load(argv[1]) : nullptr;
  if (!mpi || !mpi->start()) return 2;
  int overslept = 0;
  bool right = mpi->rings();
  if (mpi->rank() == 0) answer(*mpi, &overslept);
  else right &= ask(*mpi, &overslept);
  std::printf("rank %d: %s, overslept %d\n", mpi->rank(), right ? "right" : "wrong", overslept);
  std::fflush(stdout);
  mpi->finish();
  return right ? 0 : 1;
}
