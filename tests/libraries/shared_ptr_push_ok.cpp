// A list to which two threads push with compare-exchange of a shared_ptr.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>
struct Node {
  int value;
  std::shared_ptr<Node> next;
};
static std::shared_ptr<Node> head;
static void push(int value) {
  auto node = std::make_shared<Node>();
  node->value = value;
  node->next = std::atomic_load(&head);
  while (!std::atomic_compare_exchange_weak(&head, &node->next, node)) {
  }
}
int main() {
  std::thread t(push, 1);
  push(2);
  t.join();
  int count = 0;
  for (auto node = head; node; node = node->next) ++count;
  assert(count == 2);
}
