// A sorted list with a lock in every node, walked without locks and validated after locking, `contains` wait-free
// (Heller et al., "A Lazy Concurrent List-Based Set Algorithm", 2005): the fine-grained set of paper 001.
//
// Nodes are not given back before the list ends: whoever walks may still stand on a removed one.
#pragma once
#include <atomic>
#include <climits>
#include <mutex>

class OptimisticList {
 public:
  bool add(int key) { return add(key, true); }
  bool remove(int key) { return remove(key, true); }

  bool contains(int key) {
    const Node* node = &head_;
    while (node->key < key) node = node->next.load();
    return node->key == key && !node->marked.load();
  }

  // Wrong on purpose: without validation a node is linked to, or taken out of, what is no longer in the list.
  bool add_wrong(int key) { return add(key, false); }
  bool remove_wrong(int key) { return remove(key, false); }

 private:
  struct Node {
    explicit Node(int k, Node* n = nullptr) : key(k), next(n) {}
    const int key;
    std::atomic<Node*> next;
    std::atomic<bool> marked{false};
    std::mutex lock;
  };
  struct Window {
    Node* before;
    Node* at;
  };

  Window walk(int key) {
    Node* before = &head_;
    Node* at = before->next.load();
    while (at->key < key) {
      before = at;
      at = at->next.load();
    }
    return {before, at};
  }
  static bool valid(const Window& w) {
    return !w.before->marked.load() && !w.at->marked.load() && w.before->next.load() == w.at;
  }

  bool add(int key, bool validate) {
    for (;;) {
      const Window w = walk(key);
      std::scoped_lock before(w.before->lock);
      std::scoped_lock at(w.at->lock);
      if (validate && !valid(w)) continue;
      if (w.at->key == key) return false;
      w.before->next.store(new Node(key, w.at));
      return true;
    }
  }

  bool remove(int key, bool validate) {
    for (;;) {
      const Window w = walk(key);
      std::scoped_lock before(w.before->lock);
      std::scoped_lock at(w.at->lock);
      if (validate && !valid(w)) continue;
      if (w.at->key != key) return false;
      w.at->marked.store(true);
      w.before->next.store(w.at->next.load());
      return true;
    }
  }

  Node tail_{INT_MAX};
  Node head_{INT_MIN, &tail_};
};
