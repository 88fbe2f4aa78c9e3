// An exception that leaves a noexcept function.
// EXPECT: bug exception|abort
static void no_way_out() noexcept { throw 1; }

int main() { no_way_out(); }
