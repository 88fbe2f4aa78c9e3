// refuse NAME[,NAME…] COMMAND [ARGUMENT…]: runs a command on a kernel that refuses these system calls with EPERM, as the filters of
// containers do.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
  const char* name;
  unsigned number;
} kCalls[] = {
    {"personality", SYS_personality}, {"seccomp", SYS_seccomp},         {"memfd_create", SYS_memfd_create},
    {"ptrace", SYS_ptrace},           {"userfaultfd", SYS_userfaultfd}, {"perf_event_open", SYS_perf_event_open},
    {"clone3", SYS_clone3},           {"rseq", SYS_rseq},               {"arch_prctl", SYS_arch_prctl},
};
enum { kCount = sizeof kCalls / sizeof kCalls[0] };

static int is_wanted(const char* list, const char* name) {
  size_t length = strlen(name);
  for (const char* at = list; (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  struct sock_filter program[2 * kCount + 2];
  unsigned short n = 0;
  program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < kCount; i++) {
    if (!is_wanted(argv[1], kCalls[i].name)) continue;
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCalls[i].number, 0, 1);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {n, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return perror("refuse"), 2;
  execvp(argv[2], argv + 2);
  return perror(argv[2]), 2;
}
