// The transfers of transfer_deadlock.cpp, done right: everybody takes the lock of the lower account number first. Clean in every
// interleaving.
//
//   ./heddle check examples/transfer_ok.cpp
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  explicit Account(int n) : number(n) {}
  const int number;
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  Account& low = from.number < to.number ? from : to;
  Account& high = &low == &from ? to : from;
  std::lock_guard<std::mutex> first(low.mutex);
  std::lock_guard<std::mutex> second(high.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice(1), bob(2);
  std::thread there([&] { transfer(alice, bob, 10); });
  std::thread back([&] { transfer(bob, alice, 20); });
  there.join();
  back.join();
  assert(alice.balance == 110 && bob.balance == 90);
}
