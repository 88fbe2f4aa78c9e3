// Two transfers in opposite directions, each locking its own source account first.
// EXPECT: bug deadlock
// LOCATION: SECOND
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

static void transfer(Account& from, Account& to, int amount) {
  std::lock_guard a(from.lock);
  std::lock_guard b(to.lock);  // SECOND
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account x, y;
  std::thread a([&] { transfer(x, y, 30); });
  std::thread b([&] { transfer(y, x, 50); });
  a.join();
  b.join();
}
