// Writing a temporary file and reading it back: real I/O.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <cassert>
#include <cstdio>
#include <thread>

int main() {
  std::FILE* file = std::tmpfile();
  assert(file);
  std::thread t([=] { std::fputs("heddle", file); });
  t.join();
  std::rewind(file);
  char text[10] = {};
  assert(std::fread(text, 1, 6, file) == 6 && text[0] == 'h');
  std::fclose(file);
}
