// The virtual functions of a monotonic buffer lie in libstdc++.so.
// EXPECT: bug data-race
#include <memory_resource>
#include <thread>

char room[200];
std::pmr::monotonic_buffer_resource resource(room, sizeof room);

int main() {
  std::thread a([] { (void)resource.allocate(8); });
  std::thread b([] { (void)resource.allocate(8); });
  a.join();
  b.join();
}
