// The check and the withdrawal are each locked, but not together: the account can go below zero.
// EXPECT: bug assertion
// LOCATION: HERE
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;

  int read() {
    std::lock_guard guard(lock);
    return balance;
  }
  void take(int amount) {
    std::lock_guard guard(lock);
    balance -= amount;
    assert(balance >= 0);  // HERE
  }
  void withdraw(int amount) {
    if (read() >= amount) take(amount);
  }
};

int main() {
  Account account;
  std::thread a([&] { account.withdraw(80); });
  std::thread b([&] { account.withdraw(60); });
  a.join();
  b.join();
}
