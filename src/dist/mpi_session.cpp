#include "dist/mpi_session.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dist/link.h"

extern char** environ;

namespace heddle {
namespace {

constexpr std::size_t kMostUnsent = 8u << 20;  // under way from here; then a sender waits
constexpr long kShortestNapNs = 20'000, kLongestNapNs = 500'000;
// Where all who send wake us. What MPI has of a message by then is its own affair, so the first naps are short.
constexpr long kFirstSleepNs = 200'000, kLongestSleepNs = 20'000'000;
// Rank 0 among busy workers: every look takes a processor away from one of them, and most of what they say can wait.
constexpr long kLongNapNs = 500'000, kLongestLongNapNs = 1'000'000;

// Open MPI; MPICH, Intel MPI and Slurm's PMI; PMIx.
struct Launcher {
  const char* rank;
  const char* size;
};
constexpr auto kLaunchers = std::to_array<Launcher>({
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"PMIX_RANK", ""},
});
constexpr auto kLauncherPrefixes = std::to_array<std::string_view>(
    {"OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDI_", "HYDRA_", "MPIR_", "MPI_LOCAL"});

std::string module_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string here(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  here.erase(std::min(here.size(), here.rfind('/')));
  const std::string built = here + "/" + kMpiModuleFile, installed = here + "/../lib/heddle/" + kMpiModuleFile;
  return access(built.c_str(), R_OK) == 0 ? built : installed;
}

Error no_module(const std::string& why) {
  return {"started by mpirun, but " + why, "install libopenmpi-dev (or libmpich-dev) and build heddle again; or use -j N on one machine"};
}

void nap(long ns) {
  const timespec time{0, ns};
  nanosleep(&time, nullptr);
}

}  // namespace

std::optional<Launched> launched_by_mpi() {
  for (const Launcher& launcher : kLaunchers) {
    const char* rank = std::getenv(launcher.rank);
    if (rank == nullptr) continue;
    const char* size = std::getenv(launcher.size);
    return Launched{std::atoi(rank), size != nullptr ? std::atoi(size) : 0};
  }
  return std::nullopt;
}

Result<std::unique_ptr<MpiSession>> MpiSession::join(const Launched& launched) {
  const std::string path = module_path();
  if (access(path.c_str(), R_OK) != 0) return no_module("this heddle was built without MPI");
  // Global: MPI libraries load parts of their own, which look for the library's symbols.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return no_module(fmt::format("its MPI part cannot be loaded: {}", dlerror()));
  const auto entry = reinterpret_cast<MpiModuleEntry>(dlsym(library, kMpiModuleEntry));
  const MpiModule* module = entry != nullptr ? entry() : nullptr;
  if (module == nullptr || module->version != kMpiModuleVersion) return no_module(fmt::format("{} belongs to another heddle", path));
  if (!module->start()) return Error{"MPI does not start; its message is above", "try mpirun with a simple program"};
  std::unique_ptr<MpiSession> session(new MpiSession(module));
  if (session->size() == 1 && launched.size > 1) {
    return Error{fmt::format("the mpirun that started {} ranks is not the one of {}, which this heddle was built with", launched.size, module->library),
                 "use that one's mpirun, or build heddle with the MPI of this one"};
  }
  return session;
}

bool MpiSession::send(int rank, int tag, const Bytes& message) {
  HEDDLE_CHECK(message.size() <= kMostMessageBytes, "a message that is too long");
  // Rank 0 never waits, and so whoever waits for it waits in vain for nobody. It owes each of the others a unit at most.
  while (this->rank() != 0 && module_->unsent() > kMostUnsent) nap(kShortestNapNs);
  return module_->send(rank, tag, message.data(), message.size());
}

std::optional<MpiSession::Envelope> MpiSession::receive(int wait_ms, Naps naps) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds(wait_ms);
  const auto [shortest, longest] = module_->rings()        ? std::pair{kFirstSleepNs, kLongestSleepNs}
                                   : naps == Naps::Short ? std::pair{kShortestNapNs, kLongestNapNs}
                                                         : std::pair{kLongNapNs, kLongestLongNapNs};
  for (long ns = shortest;; ns = std::min(2 * ns, longest)) {
    Envelope envelope;
    std::size_t size = 0;
    if (module_->probe(&envelope.rank, &envelope.tag, &size)) {
      envelope.message.resize(size);
      module_->receive(envelope.message.data());
      return envelope;
    }
    if (Clock::now() >= deadline) return std::nullopt;
    module_->sleep(ns);
  }
}

std::vector<std::string> environment_without_launcher() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    auto begins = [&](std::string_view prefix) { return variable.substr(0, prefix.size()) == prefix; };
    if (std::none_of(kLauncherPrefixes.begin(), kLauncherPrefixes.end(), begins)) variables.emplace_back(variable);
  }
  return variables;
}

void replace_environment(const std::vector<std::string>& variables) {
  clearenv();
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals != std::string::npos && equals > 0) setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
}

}  // namespace heddle
