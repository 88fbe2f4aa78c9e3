// File streams, char and wchar_t. The C++ library instantiates these templates in its shared object
// alone.
#include <fstream>

#define INSTANTIATE(C)                   \
  template class std::basic_filebuf<C>;  \
  template class std::basic_ifstream<C>; \
  template class std::basic_ofstream<C>; \
  template class std::basic_fstream<C>

INSTANTIATE(char);
INSTANTIATE(wchar_t);
