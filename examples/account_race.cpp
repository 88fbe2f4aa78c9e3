// A bank account that is locked on every path but one.
//
//   ./heddle check examples/account_race.cpp
//
// deposit() takes the lock, interest() forgot to. Most runs print the right balance. Heddle shows the two accesses that are not
// ordered, and the schedule in which they meet.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ += amount;
  }

  void interest() {
    balance_ += balance_ / 10;  // bug: not under the lock
  }

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

int main() {
  Account account(100);
  std::thread customer([&] { account.deposit(50); });
  std::thread bank([&] { account.interest(); });
  customer.join();
  bank.join();
  std::printf("balance: %d\n", account.balance());
  assert(account.balance() >= 160);
}
