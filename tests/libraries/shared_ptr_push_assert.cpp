// A list to which two threads push with a load and a store of a shared_ptr: one push may be lost.
// EXPECT: bug assertion
#include <cassert>
#include <memory>
#include <thread>
struct Node {
  std::shared_ptr<Node> next;
};
static std::shared_ptr<Node> head;
static void push() {
  auto node = std::make_shared<Node>();
  node->next = std::atomic_load(&head);
  std::atomic_store(&head, node);
}
int main() {
  std::thread t(push);
  push();
  t.join();
  assert(head && head->next);
}
