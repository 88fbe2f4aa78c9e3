// How many ways there are through a bounded buffer: orders of critical sections, with whom a signal wakes. Counted on the buffer alone, without operations,
// traces or anything else that a search knows of.
//
// A thread that has the lock finds room (an item) and takes it, wakes somebody on the other side, and leaves; or finds none and waits, and competes for the lock
// again when it is woken.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace heddle::generated {

enum class Wakes { Any, Longest };  // of the waiters: any of them, or the one that has waited longest

class CriticalSections {
 public:
  CriticalSections(int slots, int producers, int consumers, int items, Wakes wakes)
      : slots_(slots), producers_(producers), wakes_(wakes) {
    start_.left.assign(static_cast<std::size_t>(producers + consumers), items);
  }

  std::uint64_t count() { return count_from(start_); }

 private:
  struct State {
    int used = 0;
    std::vector<int> left;               // for each thread, items to go
    std::vector<int> waiting[2];         // producers, consumers; in the order in which they came, if that matters
    auto operator<=>(const State&) const = default;
  };

  bool is_waiting(const State& s, int t) const {
    for (const auto& queue : s.waiting)
      for (int w : queue)
        if (w == t) return true;
    return false;
  }

  std::uint64_t count_from(const State& state) {
    if (const auto known = known_.find(state); known != known_.end()) return known->second;
    std::uint64_t ways = 0;
    bool over = true;
    for (int t = 0; t < static_cast<int>(state.left.size()); ++t) {
      if (state.left[static_cast<std::size_t>(t)] == 0 || is_waiting(state, t)) continue;
      over = false;
      ways += count_with(state, t);
    }
    return known_[state] = over ? 1 : ways;
  }

  // t has the lock.
  std::uint64_t count_with(State s, int t) {
    const bool puts = t < producers_;
    if (s.used == (puts ? slots_ : 0)) {
      std::vector<int>& queue = s.waiting[puts ? 0 : 1];
      const auto behind = [&](int w) { return wakes_ == Wakes::Longest || w < t; };
      auto at = queue.begin();
      while (at != queue.end() && behind(*at)) ++at;
      queue.insert(at, t);
      return count_from(s);
    }
    s.used += puts ? 1 : -1;
    --s.left[static_cast<std::size_t>(t)];
    const std::vector<int> others = s.waiting[puts ? 1 : 0];
    if (others.empty()) return count_from(s);
    std::uint64_t ways = 0;
    for (std::size_t i = 0; i < (wakes_ == Wakes::Any ? others.size() : 1); ++i) {
      State then = s;
      std::vector<int>& queue = then.waiting[puts ? 1 : 0];
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
      ways += count_from(then);
    }
    return ways;
  }

  const int slots_, producers_;
  const Wakes wakes_;
  State start_;
  std::map<State, std::uint64_t> known_;
};

inline std::uint64_t critical_sections(int slots, int producers, int consumers, int items, Wakes wakes = Wakes::Any) {
  return CriticalSections(slots, producers, consumers, items, wakes).count();
}

}  // namespace heddle::generated
