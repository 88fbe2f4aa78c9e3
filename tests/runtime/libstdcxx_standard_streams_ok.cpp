// cout, cerr and clog may be used by two threads at a time.
// EXPECT: verified
// ORACLE: native ThreadSanitizer does not know what the C++ library guards
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>

void work(const char* name) {
  std::cout << name << 1 << std::hex << std::setw(4) << 2.5 << std::endl;
  std::cerr << 'x' << 3 << std::string("text");
  std::clog << std::boolalpha << true << (void*)&std::clog << '\n';
  std::wclog << L"wide" << 4;
}

int main() {
  std::thread a(work, "a"), b(work, "b");
  a.join();
  b.join();
}
