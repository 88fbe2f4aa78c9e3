// std::pmr::monotonic_buffer_resource: its virtual functions are inline, but only libstdc++.so has
// the table of them, because it has the destructor. With the destructor here, the table and the
// functions are here.
#include <memory_resource>

std::pmr::monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }
