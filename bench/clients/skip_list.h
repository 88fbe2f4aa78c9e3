// A lock-free skip list (Herlihy and Shavit, "The Art of Multiprocessor Programming", sec. 14.4) of two levels: a key's
// height is a function of the key, so that runs do not depend on chance. The lowest bit of a link marks its node as removed
// on that level. Nodes are not given back before the list ends.
#pragma once
#include <atomic>
#include <climits>
#include <cstdint>

class SkipList {
 public:
  SkipList() {
    for (auto& link : head_.next) link.store(word(&tail_));
  }

  bool add(int key) {
    Node *before[kLevels], *after[kLevels];
    for (;;) {
      if (find(key, before, after)) return false;
      Node* node = new Node(key);
      for (int level = 0; level < node->levels; ++level) node->next[level].store(word(after[level]));
      if (!swing(before[0]->next[0], after[0], node)) {
        delete node;
        continue;
      }
      link_above(node, before, after);
      return true;
    }
  }

  bool remove(int key) {
    Node *before[kLevels], *after[kLevels];
    if (!find(key, before, after)) return false;
    Node* node = after[0];
    for (int level = node->levels - 1; level > 0; --level) {
      Word link = node->next[level].load();
      while (!marked(link)) {
        if (node->next[level].compare_exchange_strong(link, link | 1)) break;
      }
    }
    Word link = node->next[0].load();
    while (!marked(link)) {
      if (node->next[0].compare_exchange_strong(link, link | 1)) {
        find(key, before, after);  // takes it out
        return true;
      }
    }
    return false;
  }

  bool contains(int key) {
    Node* before = &head_;
    Node* at = nullptr;
    for (int level = kLevels - 1; level >= 0; --level) {
      at = node_of(before->next[level].load());
      for (;;) {
        const Word link = at->next[level].load();
        if (marked(link)) {
          at = node_of(link);
        } else if (at->key < key) {
          before = at;
          at = node_of(link);
        } else {
          break;
        }
      }
    }
    return at->key == key;
  }

 private:
  static constexpr int kLevels = 2;
  using Word = std::uintptr_t;

  struct Node {
    explicit Node(int k) : key(k), levels(k % 2 == 0 ? 2 : 1) {}
    const int key;
    const int levels;
    std::atomic<Word> next[kLevels]{};
  };

  static Word word(Node* node) { return reinterpret_cast<Word>(node); }
  static bool marked(Word link) { return (link & 1) != 0; }
  static Node* node_of(Word link) { return reinterpret_cast<Node*>(link & ~Word{1}); }
  static bool swing(std::atomic<Word>& link, Node* from, Node* to) {
    Word expected = word(from);
    return link.compare_exchange_strong(expected, word(to));
  }

  // ENSURES before[l]->key < key <= after[l]->key with nothing marked between them when they were read.
  bool find(int key, Node** before, Node** after) {
    while (!try_find(key, before, after)) {
    }
    return after[0]->key == key;
  }

  bool try_find(int key, Node** before, Node** after) {
    Node* left = &head_;
    for (int level = kLevels - 1; level >= 0; --level) {
      Node* at = node_of(left->next[level].load());
      for (;;) {
        Word link = at->next[level].load();
        while (marked(link)) {
          if (!swing(left->next[level], at, node_of(link))) return false;
          at = node_of(link);
          link = at->next[level].load();
        }
        if (at->key >= key) break;
        left = at;
        at = node_of(link);
      }
      before[level] = left;
      after[level] = at;
    }
    return true;
  }

  void link_above(Node* node, Node** before, Node** after) {
    for (int level = 1; level < node->levels; ++level) {
      for (;;) {
        Word link = node->next[level].load();
        if (marked(link)) return;  // being removed already
        if (node_of(link) != after[level] && !node->next[level].compare_exchange_strong(link, word(after[level]))) continue;
        if (swing(before[level]->next[level], after[level], node)) break;
        find(node->key, before, after);
      }
    }
  }

  Node tail_{INT_MAX - 1};
  Node head_{INT_MIN};
};
