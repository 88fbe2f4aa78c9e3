// std::string and std::wstring: the C++ library instantiates these templates in its shared object
// alone.
#include <istream>
#include <ostream>
#include <string>

#define INSTANTIATE(C)                                                                            \
  template class std::allocator<C>;                                                               \
  template class std::basic_string<C>;                                                            \
  template std::basic_istream<C>& std::operator>>(std::basic_istream<C>&, std::basic_string<C>&); \
  template std::basic_ostream<C>& std::operator<<(std::basic_ostream<C>&,                         \
                                                  const std::basic_string<C>&);                   \
  template std::basic_istream<C>& std::getline(std::basic_istream<C>&, std::basic_string<C>&, C); \
  template std::basic_istream<C>& std::getline(std::basic_istream<C>&, std::basic_string<C>&)

INSTANTIATE(char);
INSTANTIATE(wchar_t);
