// A bounded client of one data structure, given by its arguments:
//
//   client CALLS ADMITTED
//     CALLS      one word a thread, separated by '/': calls separated by ',' as a3 (add 3), r3 (remove 3), c3 (contains 3);
//                a '!' behind a call takes the variant that is wrong on purpose
//     ADMITTED   which combinations of answers some sequential execution gives: a bit for each, as hexadecimal digits, lowest
//                first. The number of a combination is made of answer_bits() bits for every call, thread by thread, lowest first.
//
// The structure is chosen at compile time: -DSTRUCTURE=CoarseList -DHEADER='"coarse_list.h"', and -DQUEUE=1 if it is a queue.
// Arguments are read before main, which is where every execution begins.
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include HEADER

namespace {

constexpr int kMaxThreads = 3, kMaxCalls = 5;

struct Call {
  char method;
  int key;
  bool wrong;
  int answer;
};
struct ClientThread {
  Call calls[kMaxCalls];
  int count;
};

ClientThread client[kMaxThreads];
int thread_count;
const char* admitted;

[[noreturn]] void usage() {
  std::fputs("usage: client CALLS ADMITTED; see the head of client.cpp\n", stderr);
  std::_Exit(2);
}

const char* read_call(const char* at, ClientThread& thread) {
  if (thread.count == kMaxCalls || std::strchr("arc", *at) == nullptr || at[1] < '0' || at[1] > '9') usage();
  Call& call = thread.calls[thread.count++];
  call = {at[0], at[1] - '0', at[2] == '!', 0};
  return at + (call.wrong ? 3 : 2);
}

__attribute__((constructor)) void read_arguments(int argc, char** argv) {
  if (argc != 3) usage();
  admitted = argv[2];
  for (const char* at = argv[1]; *at != '\0';) {
    if (*at == '/') {
      if (++thread_count == kMaxThreads) usage();
      ++at;
    } else {
      at = read_call(*at == ',' ? at + 1 : at, client[thread_count]);
    }
  }
  ++thread_count;
}

template <class S>
int wrong_variant(S& structure, const Call& call) {
  if constexpr (requires { structure.add_wrong(0); }) {
    return call.method == 'a' ? structure.add_wrong(call.key) : structure.remove_wrong(call.key);
  } else {
    usage();
  }
}

int perform(STRUCTURE& structure, const Call& call) {
  if (call.wrong && call.method != 'c') return wrong_variant(structure, call);
  switch (call.method) {
    case 'a': return structure.add(call.key);
    case 'r': return structure.remove(call.key);
    default: return structure.contains(call.key);
  }
}

void run(STRUCTURE& structure, ClientThread& thread) {
  for (int i = 0; i < thread.count; ++i) thread.calls[i].answer = perform(structure, thread.calls[i]);
}

// A set says yes or no; a queue says nothing to an addition, else one of three values or that it is empty.
int answer_bits(const Call& call) {
  if (!QUEUE) return 1;
  return call.method == 'a' ? 0 : 2;
}

bool is_admitted() {
  std::uint64_t number = 0;
  int shift = 0;
  for (int t = 0; t < thread_count; ++t) {
    for (int i = 0; i < client[t].count; shift += answer_bits(client[t].calls[i]), ++i)
      number |= static_cast<std::uint64_t>(client[t].calls[i].answer) << shift;
  }
  const char digit = admitted[number / 4];
  const int bits = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  return (bits >> (number % 4) & 1) != 0;
}

}  // namespace

int main() {
  STRUCTURE structure;
  std::thread threads[kMaxThreads];
  for (int t = 0; t < thread_count; ++t) threads[t] = std::thread(run, std::ref(structure), std::ref(client[t]));
  for (int t = 0; t < thread_count; ++t) threads[t].join();
  assert(is_admitted());
}
