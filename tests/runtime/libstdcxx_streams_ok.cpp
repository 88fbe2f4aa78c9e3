// Threads that have a stream each, in a locale that is not the classic one, share nothing that they could race on; and what
// they take out of their streams is what the standard says.
// EXPECT: verified
// ONLY: fork
#include <cassert>
#include <cstring>
#include <iomanip>
#include <locale>
#include <sstream>
#include <string>
#include <thread>

void work() {
  std::istringstream in("  12 1f word next line\nab\n\nx,y,z");
  int decimal = 0, hexadecimal = 0;
  std::string word, line;
  char two[3];
  in >> decimal >> std::hex >> hexadecimal >> word;
  assert(decimal == 12 && hexadecimal == 31 && word == "word");
  std::getline(in, line);
  assert(line == " next line");
  in.getline(two, 3);
  assert(!std::strcmp(two, "ab") && in.gcount() == 3);
  std::getline(in, line);
  assert(line.empty() && in.good());
  in.ignore(100, ',');
  assert(in.gcount() == 2);
  in.width(3);
  in >> two;
  assert(!std::strcmp(two, "y,"));
  in >> word;
  assert(word == "z" && in.eof() && !in.fail());

  std::ostringstream out;
  out << std::setw(4) << std::setfill('0') << 42 << ' ' << 1.5 << ' ' << std::boolalpha << true << std::endl;
  assert(out.str() == "0042 1.5 true\n" && out.width() == 0);
}

int main() {
  std::locale::global(std::locale("C.UTF-8"));
  std::thread a(work), b(work);
  a.join();
  b.join();
}
