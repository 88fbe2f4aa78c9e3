// Popping and freeing from a lock-free stack without reclamation: one thread reads the next pointer of a node that
// the other has freed.
// EXPECT: bug use-after-free|data-race|double-free
#include <atomic>
#include <thread>

struct Node {
  int value;
  Node* next;
};
static std::atomic<Node*> top{nullptr};

static void pop() {
  Node* node = top.load();
  if (node && top.compare_exchange_strong(node, node->next)) delete node;
}

int main() {
  top = new Node{1, new Node{2, nullptr}};
  std::thread a(pop), b(pop);
  a.join();
  b.join();
}
