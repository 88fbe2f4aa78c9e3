// Streams: std::basic_ios, istream, ostream, iostream and streambuf, char and wchar_t. The C++
// library instantiates these templates in its shared object alone. What it specialises there is
// written in extraction.cpp; numbers are read and written in number.cpp.
#include <complex>
#include <iomanip>
#include <iostream>

#define INSTANTIATE(C)                                                      \
  template class std::basic_ios<C>;                                         \
  template class std::basic_streambuf<C>;                                   \
  template class std::basic_istream<C>;                                     \
  template class std::basic_ostream<C>;                                     \
  template class std::basic_iostream<C>;                                    \
  template std::streamsize std::__copy_streambufs(std::basic_streambuf<C>*, \
                                                  std::basic_streambuf<C>*)

#define INSTANTIATE_INPUT(C)                                                   \
  template std::basic_istream<C>& std::ws(std::basic_istream<C>&);             \
  template std::basic_istream<C>& std::operator>>(std::basic_istream<C>&, C&); \
  template void std::__istream_extract(std::basic_istream<C>&, C*, std::streamsize)

#define INSTANTIATE_OUTPUT(C)                                                             \
  template std::basic_ostream<C>& std::endl(std::basic_ostream<C>&);                      \
  template std::basic_ostream<C>& std::ends(std::basic_ostream<C>&);                      \
  template std::basic_ostream<C>& std::flush(std::basic_ostream<C>&);                     \
  template std::basic_ostream<C>& std::operator<<(std::basic_ostream<C>&, C);             \
  template std::basic_ostream<C>& std::operator<<(std::basic_ostream<C>&, const C*);      \
  template std::basic_ostream<C>& std::__ostream_insert(std::basic_ostream<C>&, const C*, \
                                                        std::streamsize)

#define INSTANTIATE_MANIPULATOR(C, M)                                              \
  template std::basic_ostream<C>& std::operator<<(std::basic_ostream<C>&, std::M); \
  template std::basic_istream<C>& std::operator>>(std::basic_istream<C>&, std::M)

#define INSTANTIATE_MANIPULATORS(C)           \
  INSTANTIATE_MANIPULATOR(C, _Setfill<C>);    \
  INSTANTIATE_MANIPULATOR(C, _Setiosflags);   \
  INSTANTIATE_MANIPULATOR(C, _Resetiosflags); \
  INSTANTIATE_MANIPULATOR(C, _Setbase);       \
  INSTANTIATE_MANIPULATOR(C, _Setprecision);  \
  INSTANTIATE_MANIPULATOR(C, _Setw)

#define INSTANTIATE_COMPLEX(C, T)                                                            \
  template std::basic_istream<C>& std::operator>>(std::basic_istream<C>&, std::complex<T>&); \
  template std::basic_ostream<C>& std::operator<<(std::basic_ostream<C>&, const std::complex<T>&)

#define INSTANTIATE_ALL(C)        \
  INSTANTIATE(C);                 \
  INSTANTIATE_INPUT(C);           \
  INSTANTIATE_OUTPUT(C);          \
  INSTANTIATE_MANIPULATORS(C);    \
  INSTANTIATE_COMPLEX(C, float);  \
  INSTANTIATE_COMPLEX(C, double); \
  INSTANTIATE_COMPLEX(C, long double)

INSTANTIATE_ALL(char);
INSTANTIATE_ALL(wchar_t);

template std::istream& std::operator>>(std::istream&, unsigned char&);
template std::istream& std::operator>>(std::istream&, signed char&);
template std::ostream& std::operator<<(std::ostream&, unsigned char);
template std::ostream& std::operator<<(std::ostream&, signed char);
template std::ostream& std::operator<<(std::ostream&, const unsigned char*);
template std::ostream& std::operator<<(std::ostream&, const signed char*);
template std::wostream& std::operator<<(std::wostream&, char);
template std::wostream& std::operator<<(std::wostream&, const char*);
