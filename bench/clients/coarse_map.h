// A hash map under one mutex that doubles its buckets when they fill up: the coarse-grained map of paper 001.
#pragma once
#include <memory>
#include <mutex>

#include "chains.h"

class CoarseMap {
 public:
  bool add(int key) {
    std::scoped_lock guard(lock_);
    if (bucket(key).has(key)) return false;
    if (count_ == buckets_) grow();
    bucket(key).push(new Link{key, nullptr});
    ++count_;
    return true;
  }

  bool remove(int key) {
    std::scoped_lock guard(lock_);
    Link* link = bucket(key).take(key);
    if (link == nullptr) return false;
    delete link;
    --count_;
    return true;
  }

  bool contains(int key) {
    std::scoped_lock guard(lock_);
    return bucket(key).has(key);
  }

 private:
  Chain& bucket(int key) { return chains_[static_cast<unsigned>(key) % buckets_]; }

  void grow() {
    const std::size_t old_buckets = buckets_;
    std::unique_ptr<Chain[]> old = std::move(chains_);
    buckets_ *= 2;
    chains_ = std::make_unique<Chain[]>(buckets_);
    for (std::size_t i = 0; i < old_buckets; ++i) {
      while (Link* link = old[i].pop()) bucket(link->key).push(link);
    }
  }

  std::mutex lock_;
  std::size_t buckets_ = 2;
  std::size_t count_ = 0;
  std::unique_ptr<Chain[]> chains_ = std::make_unique<Chain[]>(buckets_);
};
