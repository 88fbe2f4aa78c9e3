#include "mpi/bells.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <new>
#include <numeric>

namespace {

// The numbers that the ranks of `local` have among all.
std::vector<int> ranks_of(MPI_Comm local) {
  int count = 0;
  MPI_Comm_size(local, &count);
  std::vector<int> places(static_cast<std::size_t>(count)), ranks(places.size());
  std::iota(places.begin(), places.end(), 0);
  MPI_Group here, all;
  MPI_Comm_group(local, &here);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_translate_ranks(here, count, places.data(), all, ranks.data());
  MPI_Group_free(&here);
  MPI_Group_free(&all);
  return ranks;
}

}  // namespace

Bells::Bell* Bells::bell_of(MPI_Win window, int place) {
  MPI_Aint bytes = 0;
  int unit = 0;
  void* memory = nullptr;
  return MPI_Win_shared_query(window, place, &bytes, &unit, &memory) == MPI_SUCCESS ? static_cast<Bell*>(memory) : nullptr;
}

void Bells::hang(MPI_Comm local) {
  MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN);
  void* memory = nullptr;
  int hangs = MPI_Win_allocate_shared(sizeof(Bell), 1, MPI_INFO_NULL, local, &memory, &window_) == MPI_SUCCESS ? 1 : 0;
  if (hangs) own_ = new (memory) Bell{};
  MPI_Allreduce(MPI_IN_PLACE, &hangs, 1, MPI_INT, MPI_MIN, local);  // and nobody rings a bell before it hangs
  if (!hangs) return forget();
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bells_.resize(static_cast<std::size_t>(size));
  const std::vector<int> here = ranks_of(local);
  for (std::size_t i = 0; i < here.size(); ++i) bells_[static_cast<std::size_t>(here[i])] = bell_of(window_, static_cast<int>(i));
  // Rank 0 hears from all, and everyone else from rank 0.
  everybodys_ = rank == 0 ? here.size() == bells_.size() : bells_[0] != nullptr;
}

void Bells::forget() {
  own_ = nullptr;
  bells_.clear();
  everybodys_ = false;
}

void Bells::take_down() {
  const bool hung = own_ != nullptr;
  forget();
  if (hung) MPI_Win_free(&window_);
}

void Bells::ring(int rank) {
  Bell* bell = bells_.empty() ? nullptr : bells_[static_cast<std::size_t>(rank)];
  if (bell == nullptr) return;
  __atomic_add_fetch(&bell->rung, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&bell->sleeping, __ATOMIC_SEQ_CST) != 0) syscall(SYS_futex, &bell->rung, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Bells::listen() {
  if (own_ != nullptr) heard_ = __atomic_load_n(&own_->rung, __ATOMIC_SEQ_CST);
}

void Bells::sleep(long ns) {
  const timespec time{0, ns};
  if (own_ == nullptr) {
    nanosleep(&time, nullptr);
    return;
  }
  __atomic_store_n(&own_->sleeping, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &own_->rung, FUTEX_WAIT, heard_, &time, nullptr, 0);
  __atomic_store_n(&own_->sleeping, 0, __ATOMIC_SEQ_CST);
}
