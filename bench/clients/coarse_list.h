// A sorted list of integers under one readers-writer lock: the coarse-grained set of paper 001.
#pragma once
#include <mutex>
#include <shared_mutex>

class CoarseList {
 public:
  ~CoarseList() {
    while (first_ != nullptr) delete take(&first_);
  }

  bool add(int key) {
    std::unique_lock guard(lock_);
    Node** at = place_of(key);
    if (holds(*at, key)) return false;
    insert(at, key);
    return true;
  }

  bool remove(int key) {
    std::unique_lock guard(lock_);
    Node** at = place_of(key);
    if (!holds(*at, key)) return false;
    delete take(at);
    return true;
  }

  bool contains(int key) {
    std::shared_lock guard(lock_);
    return holds(*place_of(key), key);
  }

  // Wrong on purpose: what was seen under the shared lock need not hold any more under the exclusive one. Free of data races.
  bool add_wrong(int key) {
    if (contains(key)) return false;
    std::unique_lock guard(lock_);
    insert(place_of(key), key);
    return true;
  }

  bool remove_wrong(int key) {
    if (!contains(key)) return false;
    std::unique_lock guard(lock_);
    Node** at = place_of(key);
    if (holds(*at, key)) delete take(at);
    return true;
  }

 private:
  struct Node {
    int key;
    Node* next;
  };

  Node** place_of(int key) {
    Node** at = &first_;
    while (*at != nullptr && (*at)->key < key) at = &(*at)->next;
    return at;
  }
  static bool holds(const Node* node, int key) { return node != nullptr && node->key == key; }
  static void insert(Node** at, int key) { *at = new Node{key, *at}; }
  static Node* take(Node** at) {
    Node* node = *at;
    *at = node->next;
    return node;
  }

  std::shared_mutex lock_;
  Node* first_ = nullptr;
};
