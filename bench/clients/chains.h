// Unsorted chains of keys: the buckets of both hash maps. No synchronisation of their own.
#pragma once
#include <cstddef>

struct Link {
  int key;
  Link* next;
};

class Chain {
 public:
  ~Chain() {
    while (Link* link = pop()) delete link;
  }

  bool has(int key) const {
    for (const Link* l = first_; l != nullptr; l = l->next) {
      if (l->key == key) return true;
    }
    return false;
  }
  void push(Link* link) {
    link->next = first_;
    first_ = link;
  }
  Link* pop() {
    Link* link = first_;
    if (link != nullptr) first_ = link->next;
    return link;
  }
  // The link of `key`, taken out; null if there is none.
  Link* take(int key) {
    for (Link** at = &first_; *at != nullptr; at = &(*at)->next) {
      if ((*at)->key != key) continue;
      Link* link = *at;
      *at = link->next;
      return link;
    }
    return nullptr;
  }

 private:
  Link* first_ = nullptr;
};
