// std::regex in two threads: the library's table of characters, which its first users would fill without synchronisation, is full before main.
// EXPECT: verified
// The header alone takes a compiler ten seconds at O2.
// ONLY: O0
// ORACLE: native ThreadSanitizer reports the library's table (gcc's bug 77704)
#include <cassert>
#include <regex>
#include <string>
#include <thread>

static void parse(const std::string& line, const std::string& key) {
  const std::regex assignment("([a-z]+)=([0-9]+)");
  std::smatch parts;
  assert(std::regex_match(line, parts, assignment));
  assert(parts[1] == key);
}

int main() {
  std::thread t(parse, "abc=12", "abc");
  parse("x=5", "x");
  t.join();
}
