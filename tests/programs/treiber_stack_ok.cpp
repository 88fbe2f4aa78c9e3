// Two pushes onto a lock-free stack. A failed exchange means that the other one succeeded.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};
static std::atomic<Node*> top{nullptr};

static void push(Node* node) {
  node->next = top.load(std::memory_order_relaxed);
  while (!top.compare_exchange_strong(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int main() {
  Node one{1, nullptr}, two{2, nullptr};
  std::thread a([&] { push(&one); });
  std::thread b([&] { push(&two); });
  a.join();
  b.join();
  int sum = 0;
  for (Node* node = top.load(); node; node = node->next) sum += node->value;
  assert(sum == 3);
}
