// Paths, locales, error codes and memory resources that threads share in the ways that are allowed.
// EXPECT: verified
#include <cassert>
#include <charconv>
#include <filesystem>
#include <locale>
#include <memory_resource>
#include <mutex>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

const std::filesystem::path shared_path = "a/b/c.txt";
const std::locale shared_locale = std::locale::classic();
std::pmr::monotonic_buffer_resource resource;
std::mutex m;

void work() {
  assert(shared_path.filename() == "c.txt" && shared_path.parent_path() == "a/b");
  int parts = 0;
  for (const auto& part : shared_path) parts += !part.empty();
  assert(parts == 3 && shared_path.compare("a/b/c.txt") == 0);
  std::filesystem::path mine = shared_path;
  mine.replace_extension("o");
  mine /= "d";
  assert(mine == "a/b/c.o/d" && mine.lexically_relative("a/b") == "c.o/d");
  const std::error_code error = std::make_error_code(std::errc::io_error);
  assert(error.default_error_condition() == std::errc::io_error);
  std::ostringstream out;
  out.imbue(shared_locale);
  out << 1.5;
  assert(out.str() == "1.5" && shared_locale.name() == "C");
  char text[20];
  const auto end = std::to_chars(text, text + 20, 0.25).ptr;
  double number = 0;
  assert(std::from_chars(text, end, number).ptr == end && number == 0.25);
  std::lock_guard guard(m);
  *static_cast<int*>(resource.allocate(4, 4)) = 1;
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
