// ddpor_simulator --tree FILE [--latency-us L] WORKERS…: how fast so many workers would be on a recorded search.
//
// First a line about the tree: runs, seconds, runs that were interrupted (tree.h). Then a line for each number of workers: workers speed-up
// units messages bytes largest-message balancer-busy workers-busy time-s service-us.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

#include "bench/ddpor_simulator/simulation.h"

namespace {

using namespace heddle::simulation;

void print(const Tree& tree, std::uint32_t workers, const Result& r) {
  fmt::print("{} {:.4f} {} {} {} {} {:.4f} {:.4f} {:.6f} {:.2f}\n", workers, static_cast<double>(tree.total_ns()) / static_cast<double>(r.time),
             r.units, r.messages, r.bytes, r.most_bytes, r.balancer_busy, r.workers_busy, static_cast<double>(r.time) * 1e-9,
             static_cast<double>(r.service) * 1e-3);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Replays a recorded search over many workers");
  std::string file;
  double latency_us = 20, service_us = 0;
  std::vector<std::uint32_t> workers;
  app.add_option("--tree", file, "a recording (heddle check --record-tree)")->required();
  app.add_option("--latency-us", latency_us, "of a message");
  app.add_option("--service-us", service_us, "what the balancer needs for a report; 0: measured");
  app.add_option("workers", workers, "how many")->required();
  CLI11_PARSE(app, argc, argv);
  const heddle::Result<Tree> tree = Tree::load(file);
  if (!tree) {
    fmt::print(stderr, "{}; {}\n", tree.error().what, tree.error().next);
    return 2;
  }
  fmt::print("tree {} {:.6f} {}\n", tree->size(), static_cast<double>(tree->total_ns()) * 1e-9, tree->interrupted());
  Model model;
  model.latency = static_cast<Nanoseconds>(latency_us * 1000);
  model.service = static_cast<Nanoseconds>(service_us * 1000);
  for (const std::uint32_t n : workers) print(*tree, n, simulate(*tree, n, model));
}
