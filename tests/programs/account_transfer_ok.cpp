// Transfers in both directions that lock the account with the lower address first.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance;
};

static void transfer(Account& from, Account& to, int amount) {
  Account& first = &from < &to ? from : to;
  Account& second = &from < &to ? to : from;
  std::scoped_lock a(first.lock);
  std::scoped_lock b(second.lock);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account accounts[2];
  accounts[0].balance = accounts[1].balance = 100;
  std::thread a([&] { transfer(accounts[0], accounts[1], 30); });
  std::thread b([&] { transfer(accounts[1], accounts[0], 50); });
  a.join();
  b.join();
  assert(accounts[0].balance == 120 && accounts[1].balance == 80);
}
