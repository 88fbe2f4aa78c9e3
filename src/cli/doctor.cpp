// `heddle doctor`: what heddle needs from this machine, whether it is there, and how to get it.
//
// Each check is one function that answers a Diagnosis. Only what `heddle check` cannot do without makes the exit code 2.
#include <linux/seccomp.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "cli/command.h"
#include "cli/driver_compiler.h"
#include "cli/driver_kit.h"
#include "runtime/layout.h"

namespace heddle {
namespace {

enum class Verdict { Ok, Degraded, Missing };

struct Diagnosis {
  Verdict verdict = Verdict::Ok;
  std::string found;  // what was seen
  std::string remedy;  // what to do about it; empty when all is well
};

Diagnosis ok(std::string found) { return {Verdict::Ok, std::move(found), ""}; }
Diagnosis degraded(std::string found, std::string remedy) { return {Verdict::Degraded, std::move(found), std::move(remedy)}; }
Diagnosis missing(std::string found, std::string remedy) { return {Verdict::Missing, std::move(found), std::move(remedy)}; }

Diagnosis check_kernel() {
  utsname name{};
  uname(&name);
  const std::string found = std::string(name.sysname) + " " + name.release + " " + name.machine;
  if (std::string(name.sysname) != "Linux" || std::string(name.machine) != "x86_64")
    return missing(found, "heddle runs on Linux on x86_64");
  return ok(found);
}

Diagnosis check_compiler(Language language) {
  Result<Compiler> compiler = find_compiler(language);
  if (!compiler) return missing(compiler.error().what, compiler.error().next);
  std::string command;
  for (const std::string& word : compiler->command) command += (command.empty() ? "" : " ") + word;
  return ok(command + (compiler->family == CompilerFamily::Clang ? " (clang)" : " (gcc)"));
}

Diagnosis check_c_compiler() { return check_compiler(Language::C); }
Diagnosis check_cxx_compiler() { return check_compiler(Language::Cxx); }

Diagnosis check_clang() {
  const std::string path = find_in_path("clang");
  if (path.empty()) return degraded("not installed", "only needed for HEDDLE_CC=clang: apt-get install clang");
  return ok(path);
}

Diagnosis check_kit() {
  Result<Kit> kit = find_kit();
  if (!kit) return missing(kit.error().what, kit.error().next);
  return ok(kit->runtime);
}

// Runs `body` in a child, so that what it switches off stays on here. Answers its exit status, or -1.
int status_in_child(int (*body)()) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

Diagnosis check_aslr() {
  const int status = status_in_child([] {
    const int now = personality(0xffffffff);
    return now != -1 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) != -1 ? 0 : 1;
  });
  if (status == 0) return ok("address randomisation can be switched off");
  return degraded("personality(ADDR_NO_RANDOMIZE) is refused",
                  "results do not depend on it, but addresses differ from run to run; in Docker: --security-opt seccomp=unconfined");
}

Diagnosis check_seccomp() {
  const int status = status_in_child([] {
    // A null program with a valid operation answers EFAULT exactly when filters are available.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr) == -1 && errno == EFAULT ? 0 : 1;
  });
  if (status == 0) return ok("system call filters are available");
  return degraded("seccomp filters are refused", "use --executor=fork, or a kernel with CONFIG_SECCOMP_FILTER");
}

Diagnosis check_fsgsbase() {
  constexpr unsigned long kHwcap2Fsgsbase = 1 << 1;
  if (getauxval(AT_HWCAP2) & kHwcap2Fsgsbase) return ok("wrfsbase is usable: fast switches between threads");
  return degraded("the kernel or CPU does not offer wrfsbase", "works, slower: every switch is a system call (Linux 5.9 and later enable it)");
}

// The runtime maps its shadow memory, heap and stacks at fixed addresses: terabytes of address space, little of it ever used.
struct Range {
  std::uint64_t begin, bytes;
};
constexpr auto kRanges = std::to_array<Range>({
    {rt::layout::kShadow, rt::layout::kShadowBytes},
    {rt::layout::kPcShadow, rt::layout::kPcShadowBytes},
    {rt::layout::kState, rt::layout::kStateBytes},
    {rt::layout::kHeap, rt::layout::kHeapEnd - rt::layout::kHeap},
    {rt::layout::kStacks, rt::layout::kStacksEnd - rt::layout::kStacks},
});

// Answers 0, or errno.
int try_to_map(const Range& range) {
  void* wish = reinterpret_cast<void*>(range.begin);
  void* memory = mmap(wish, range.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) return errno;
  munmap(memory, range.bytes);
  return memory == wish ? 0 : EEXIST;
}

Diagnosis check_address_space() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur != RLIM_INFINITY)
    return missing("the address space is limited to " + std::to_string(limit.rlim_cur >> 20) + " MiB", "ulimit -v unlimited");
  for (const Range& range : kRanges)
    if (const int failure = try_to_map(range))
      return missing(std::to_string(range.bytes >> 30) + " GiB cannot be reserved: " + std::strerror(failure), "sysctl vm.overcommit_memory=0");
  return ok("shadow memory, heap and stacks find their places");
}

Diagnosis check_overcommit() {
  std::ifstream file("/proc/sys/vm/overcommit_memory");
  int mode = 0;
  if (file >> mode && mode == 2)
    return missing("vm.overcommit_memory is 2 (strict): large sparse mappings are refused", "sysctl vm.overcommit_memory=0");
  return ok("sparse memory is allowed");
}

Diagnosis check_memfd() {
  const int descriptor = memfd_create("heddle-doctor", MFD_CLOEXEC);
  if (descriptor < 0) return missing(std::string("memfd_create: ") + std::strerror(errno), "Linux 3.17 or later; allow the call in the container's filter");
  const bool grows = ftruncate(descriptor, 1 << 20) == 0;
  close(descriptor);
  return grows ? ok("shared memory segments work") : missing("a memfd cannot grow", "check memory limits (ulimit -f, cgroup)");
}

struct Check {
  const char* name;
  Diagnosis (*run)();
};

constexpr auto kChecks = std::to_array<Check>({
    {"system", check_kernel},
    {"C compiler", check_c_compiler},
    {"C++ compiler", check_cxx_compiler},
    {"clang", check_clang},
    {"runtime library", check_kit},
    {"shared memory", check_memfd},
    {"address space", check_address_space},
    {"overcommit", check_overcommit},
    {"fixed addresses", check_aslr},
    {"rollback guard", check_seccomp},
    {"fast switching", check_fsgsbase},
});

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Ok: return "ok";
    case Verdict::Degraded: return "absent";
    case Verdict::Missing: return "MISSING";
  }
  return "?";
}

}  // namespace

int run_doctor(int argc, char** argv) {
  if (argc > 1) {
    const std::string word = argv[1];
    if (word != "--help" && word != "-h")
      return print_error({"doctor takes no arguments, but got '" + word + "'", "run 'heddle doctor'"});
    std::puts("Usage: heddle doctor\n\nChecks what heddle needs from this machine. Exit code 0: it can run, 2: something is missing.");
    return 0;
  }
  bool able = true;
  for (const Check& check : kChecks) {
    const Diagnosis diagnosis = check.run();
    std::printf("%-8s %-16s %s\n", verdict_text(diagnosis.verdict), check.name, diagnosis.found.c_str());
    if (!diagnosis.remedy.empty()) std::printf("%-25s → %s\n", "", diagnosis.remedy.c_str());
    able = able && diagnosis.verdict != Verdict::Missing;
  }
  std::puts(able ? "heddle can run here." : "heddle cannot run here yet; see MISSING above.");
  return static_cast<int>(able ? ExitCode::Ok : ExitCode::Usage);
}

}  // namespace heddle
