// A hash map with a mutex for every stripe of buckets and one counter of all keys: the concurrent map of paper 001's clients.
#pragma once
#include <atomic>
#include <mutex>

#include "chains.h"

class StripedMap {
 public:
  bool add(int key) {
    std::scoped_lock guard(lock(key));
    if (bucket(key).has(key)) return false;
    bucket(key).push(new Link{key, nullptr});
    count_.fetch_add(1);
    return true;
  }

  bool remove(int key) {
    std::scoped_lock guard(lock(key));
    Link* link = bucket(key).take(key);
    if (link == nullptr) return false;
    delete link;
    count_.fetch_sub(1);
    return true;
  }

  bool contains(int key) {
    std::scoped_lock guard(lock(key));
    return bucket(key).has(key);
  }

 private:
  static constexpr unsigned kBuckets = 8, kStripes = 4;
  Chain& bucket(int key) { return chains_[static_cast<unsigned>(key) % kBuckets]; }
  std::mutex& lock(int key) { return locks_[static_cast<unsigned>(key) % kStripes]; }

  std::mutex locks_[kStripes];
  Chain chains_[kBuckets];
  std::atomic<int> count_{0};
};
