// String streams, char and wchar_t. The C++ library instantiates these templates in its shared
// object alone.
#include <sstream>

#define INSTANTIATE(C)                        \
  template class std::basic_stringbuf<C>;     \
  template class std::basic_istringstream<C>; \
  template class std::basic_ostringstream<C>; \
  template class std::basic_stringstream<C>

INSTANTIATE(char);
INSTANTIATE(wchar_t);
