// An exception that leaves main.
// EXPECT: bug exception|abort
// MESSAGE: runtime_error|nobody
#include <stdexcept>

int main() { throw std::runtime_error("nobody catches this"); }
