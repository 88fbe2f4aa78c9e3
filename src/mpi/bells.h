// How ranks on one machine wake each other. MPI itself has nothing to sleep on: whoever waits for a message has to ask for it again and again.
//
// Every rank has a bell in memory that the ranks of its machine share. Whoever has sent it something rings; whoever has nothing to do sleeps until it
// hears that, or for a while if there are others who cannot be heard. A bell says that there may be something, never what.
//
//   sender     send, count up, wake if the other sleeps
//   receiver   listen (remember the count), look for messages, and if there is none: sleep for as long as the count is the same
//
// So nothing that was sent before the receiver sleeps is slept through.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

class Bells {
 public:
  void hang(MPI_Comm local);  // REQUIRES all ranks of `local` do. Where they cannot be had, nobody is heard
  void take_down();           // REQUIRES all ranks do

  bool are_everybodys() const { return everybodys_; }  // whoever may send to us rings
  void ring(int rank);                                 // does nothing if it is on another machine
  void listen();
  void sleep(long ns);                                 // REQUIRES ns < 1 s

 private:
  struct Bell {
    std::uint32_t rung, sleeping;
    std::uint32_t unused[14];  // a cache line
  };

  void forget();
  static Bell* bell_of(MPI_Win window, int place);

  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Bell*> bells_;  // by rank; null: on another machine
  Bell* own_ = nullptr;
  std::uint32_t heard_ = 0;
  bool everybodys_ = false;
};
