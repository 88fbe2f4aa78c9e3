// Two transfers in opposite directions, each taking both locks in its own order.
//
//   ./heddle check examples/transfer_deadlock.cpp
//
// Heddle reports the cycle: who holds which lock, who waits for which, and where each was taken. The cure is one order for
// everybody; examples/transfer_ok.cpp has it.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice, bob;
  std::thread there([&] { transfer(alice, bob, 10); });
  std::thread back([&] { transfer(bob, alice, 20); });
  there.join();
  back.join();
}
