// Containers and strings of each thread's own.
// EXPECT: verified
#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static void work() {
  std::vector<std::string> words = {"loom", "heddle", "shuttle", "a word too long for the small buffer"};
  std::sort(words.begin(), words.end());
  std::map<std::string, int> lengths;
  std::unordered_map<int, std::string> back;
  for (auto& word : words) {
    lengths[word] = static_cast<int>(word.size());
    back[lengths[word]] = word;
  }
  assert(lengths.at("heddle") == 6 && back.at(4) == "loom");
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
