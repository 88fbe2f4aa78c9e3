// A search divided among many workers, in simulated time. The balancer is the real one (dist/balancer.h), and so are the messages; workers
// explore a recorded tree, and the machines between them are a Model.
//
// The balancer is one processor: messages wait for it. What it needs for a report is measured: all reports of a simulation are handed once
// more to a balancer that does nothing else, as one on a machine of its own does (the median of five times), and the simulation is repeated with that.
#pragma once
#include <cstdint>

#include "bench/ddpor_simulator/worker.h"

namespace heddle::simulation {

struct Model {
  Nanoseconds latency = 20'000;            // of a message, from one process to another
  double bytes_per_ns = 1;                 // 1 GB/s
  Nanoseconds call = 1'000;                // to hand a message to the network, or to get one from it
  Nanoseconds service = 0;                 // of a report by the balancer; 0: measured
  Nanoseconds longest_nap = 500'000;       // an idle worker looks for messages at growing intervals (dist/mpi_session.cpp)
};

struct Result {
  Nanoseconds time = 0;
  std::uint64_t runs = 0, units = 0, messages = 0, bytes = 0, most_bytes = 0;
  Nanoseconds service = 0;
  double balancer_busy = 0;                // part of the time
  double workers_busy = 0;                 // likewise, on average
};

Result simulate(const Tree& tree, std::uint32_t workers, const Model& model);

}  // namespace heddle::simulation
