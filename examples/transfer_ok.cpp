// The transfers of transfer_deadlock.cpp, done right: clean in every interleaving.
//
//   ./heddle check examples/transfer_ok.cpp
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock both(from.mutex, to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice, bob;
  std::thread there([&] { transfer(alice, bob, 10); });
  std::thread back([&] { transfer(bob, alice, 20); });
  there.join();
  back.join();
  assert(alice.balance == 110 && bob.balance == 90);
}
