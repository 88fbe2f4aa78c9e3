// The lock-free queue of Michael and Scott (PODC 1996). Nodes are not given back before the queue ends: no ABA.
//
// As a client of the set's methods: add(v) appends v, remove takes the oldest and answers it (0: empty), contains looks at it.
#pragma once
#include <atomic>

class LinkedQueue {
 public:
  int add(int value) {
    Node* node = new Node{value};
    for (;;) {
      Node* last = tail_.load();
      Node* next = last->next.load();
      if (last != tail_.load()) continue;
      if (next != nullptr) {
        tail_.compare_exchange_strong(last, next);
      } else if (last->next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(last, node);
        return 0;
      }
    }
  }

  int remove(int) {
    for (;;) {
      Node* first = head_.load();
      Node* last = tail_.load();
      Node* next = first->next.load();
      if (first != head_.load()) continue;
      if (next == nullptr) return 0;
      if (first == last) {
        tail_.compare_exchange_strong(last, next);
      } else if (head_.compare_exchange_strong(first, next)) {
        return next->value;
      }
    }
  }

  int contains(int) {
    for (;;) {
      Node* first = head_.load();
      Node* next = first->next.load();
      if (first == head_.load()) return next == nullptr ? 0 : next->value;
    }
  }

 private:
  struct Node {
    const int value;
    std::atomic<Node*> next{nullptr};
  };
  Node dummy_{0};
  std::atomic<Node*> head_{&dummy_};
  std::atomic<Node*> tail_{&dummy_};
};
