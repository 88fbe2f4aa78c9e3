// C++17: reading lines and growing strings take different copies of what the C++ library keeps in its shared object.
// EXPECT: verified
// CFLAGS: -std=c++17
// STDIN: one line
#include <cassert>
#include <iostream>
#include <string>
#include <thread>

int main() {
  std::string line, word;
  std::getline(std::cin, line);
  std::thread t([&line, &word] {
    for (char c : line) word.push_back(c);
  });
  t.join();
  assert(word == line);
}
