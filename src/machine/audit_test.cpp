// The audit against what gcc and clang make of small functions: ordinary code has no sites, known
// holes of the instrumentation are all seen.
#include "machine/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "machine/compiled_sample_test.h"
#include "machine/text.h"

namespace heddle::machine {
namespace {

// Every access of these is announced, or private.
constexpr const char* kOrdinaryC = R"(
#include <setjmp.h>
struct Node { struct Node* next; long value[4]; char small; double real; };
extern struct Node shared, *list;
extern int table[100], flag;
extern _Thread_local int own;
extern void use(void*), stop(void) __attribute__((noreturn));
extern int ask(int);
extern jmp_buf place;

int members(struct Node* n, int i) { n->value[i & 3] += n->small; return (int)n->real + n->next->small; }
void walk(void) { for (struct Node* n = list; n; n = n->next) n->value[1]++; }
long sum(void) { long s = 0; for (int i = 0; i < 100; i++) s += table[i]; return s; }
void fill(int n) { for (int i = 0; i < n; i++) table[i] = i * n; }
int locals(int n) { int a[8], s = 0; for (int i = 0; i < 8; i++) a[i] = n * i; for (int i = 0; i < 8; i++) s += a[(i * n) & 7]; return s; }
int branches(int n) {
  switch (n) {
    case 0: return table[1]; case 1: return ask(2) + flag; case 2: flag = 3; return 7; case 3: return table[n + 4];
    case 4: return own; case 5: shared.small = 1; return 2; case 6: return ask(n) - table[2]; default: stop();
  }
}
int dynamic(int n) { char* p = __builtin_alloca(n); use(p); return flag; }
int many(int a, int b, int c, int d, int e, int f, int g, int h) { flag = a + b + c + d + e + f + g + h; return ask(h) + flag * g; }
int spills(int* p, int* q, int* r, int* s, int* t, int* u, int* v) {
  for (int i = 0; i < *p; i++) { *q += ask(*r); *s ^= *t; *u = *v + i; ask(*s + *u); }
  return *q + *r + *s + *t;
}
int text(int i) { static const int days[] = {31, 28, 31, 30, 31, 30}; return "jfmamj"[i % 6] + days[i % 6]; }
int back(int n) { if (setjmp(place)) return flag + n; return ask(n); }
void update(struct Node* n) { n->value[0] += 1; n->value[1] |= 2; n->small++; n->real *= 2; }
int recursive(struct Node* n) { return n ? recursive(n->next) + n->small : 0; }
int early(int n) { int x = ask(n); int* p = &x; if (n) use(0); use(p); return n; }
int two(int* p, int* q) { return p[0] + q[1] * p[2] - q[3]; }
)";
constexpr const char* kOrdinaryFunctions[] = {
    "members", "walk", "sum",  "fill",   "locals",    "branches", "dynamic", "many",
    "spills",  "text", "back", "update", "recursive", "early",    "two"};

struct Build {
  const char* compiler;
  const char* flags;
  friend std::ostream& operator<<(std::ostream& out, const Build& b) {
    return out << b.compiler << " " << b.flags;
  }
};

class Ordinary : public testing::TestWithParam<Build> {
 protected:
  void SetUp() override {
    if (!is_installed(GetParam().compiler))
      GTEST_SKIP() << GetParam().compiler << " is not installed";
  }
  void expect_none(const std::string& library, const std::string& name) {
    std::vector<std::uint64_t> addresses;
    for (const Site& site : sites_in(library, name)) addresses.push_back(site.address);
    for (const std::string& text : instruction_texts(library, addresses))
      ADD_FAILURE() << name << ": " << text;
  }
  Folder folder_;
};

TEST_P(Ordinary, CodeHasNoSites) {
  const std::string library = compile(folder_, GetParam().compiler, GetParam().flags, kOrdinaryC);
  const Result<Audit> found = audit(library);
  ASSERT_TRUE(found.ok());
  EXPECT_GT(found->covered, 20u);
  EXPECT_TRUE(found->gaps.empty());
  for (const char* name : kOrdinaryFunctions) expect_none(library, name);
}

INSTANTIATE_TEST_SUITE_P(Builds, Ordinary,
                         testing::Values(Build{"gcc", "-O0"}, Build{"gcc", "-O1"},
                                         Build{"gcc", "-O2"}, Build{"gcc", "-O3"},
                                         Build{"gcc", "-Os"}, Build{"gcc", "-O1 -fno-pic -no-pie"},
                                         Build{"gcc", "-O1 -fno-plt"}, Build{"clang", "-O0"},
                                         Build{"clang", "-O1"}, Build{"clang", "-O2"},
                                         Build{"clang", "-Os"},
                                         Build{"clang", "-O1 -fno-pic -no-pie"}));

// --- holes -----------------------------------------------------------------------------------

struct Hole {
  const char* name;
  const char* compiler;
  const char* flags;
  const char* source;  // of a function `hole`
  friend std::ostream& operator<<(std::ostream& out, const Hole& h) {
    return out << h.name << " " << h.compiler << " " << h.flags;
  }
};

class Holes : public testing::TestWithParam<Hole> {};

TEST_P(Holes, AreSeen) {
  if (!is_installed(GetParam().compiler))
    GTEST_SKIP() << GetParam().compiler << " is not installed";
  const Folder folder;
  const std::string library =
      compile(folder, GetParam().compiler, GetParam().flags, GetParam().source);
  const std::vector<Site> sites = sites_in(library, "hole");
  EXPECT_FALSE(sites.empty());
  for (const Site& site : sites) {
    EXPECT_GE(site.room, site.length);
    EXPECT_LE(site.room, 16);
  }
}

constexpr const char* kSetConstant =
    "extern char a[64]; void hole(void) { __builtin_memset(a, 1, 64); }";
constexpr const char* kCopyConstant =
    "void hole(char* p) { __builtin_memcpy(p, \"what is written out in code, for it is not so "
    "long\", 50); }";
constexpr const char* kReturned =
    "struct S { long a, b, c, d; } extern s; struct S f(void); void hole(void) { s = f(); }";
constexpr const char* kReturnedSmall =
    "struct S { int a, b; } extern s; struct S f(void); void hole(void) { s = f(); }";
constexpr const char* kPassed =
    "struct S { long a, b, c, d; } extern s; void f(struct S); void hole(void) { f(s); }";
constexpr const char* kLongDouble = "extern long double x; void hole(void) { x += 1; }";
constexpr const char* kThreeBytes =
    "struct S { char a, b, c; } extern s; struct S f(void); void hole(void) { s = f(); }";
constexpr const char* kWide =
    "extern float a[64], b[64]; void hole(void) { for (int i = 0; i < 64; i++) a[i] += b[i]; }";
constexpr const char* kSum =
    "extern unsigned a[64]; unsigned hole(void) { unsigned s = 0; for (int i = 0; i < 64; i++) s "
    "+= a[i]; return s; }";
constexpr const char* kAssembly =
    "extern int x; void hole(void) { __asm__ volatile(\"incl %0\" : \"+m\"(x)); }";
constexpr const char* kLocked =
    "extern int x; void hole(void) { __asm__ volatile(\"lock incl %0\" : \"+m\"(x)); }";
constexpr const char* kMarked =
    "extern int x; __attribute__((no_sanitize(\"thread\"))) void hole(void) { x++; }";
constexpr const char* kBare = "extern int *x; void hole(int i) { x[i]++; }";
constexpr const char* kRepeated =
    "extern char* a; void hole(long n) { __asm__ volatile(\"rep stosb\" :: \"D\"(a), \"c\"(n), "
    "\"a\"(0) : \"memory\"); }";
constexpr const char* kSecondOfTwo =  // announced before a call, done after it
    "extern int x; void f(void); void hole(void) { x = 1; f(); __asm__ volatile(\"movl $2, %0\" : "
    "\"=m\"(x)); }";
constexpr const char* kOnePathOnly =  // announced on one of two ways
    "extern int x; void hole(int n) { if (n) x = 1; __asm__ volatile(\"movl $2, %0\" : \"=m\"(x)); "
    "}";
constexpr const char* kHandedOut =  // a local that others know
    "void use(int*); int hole(void) { int x = 1; use(&x); __asm__ volatile(\"incl %0\" : "
    "\"+m\"(x)); return 0; }";
constexpr const char* kHandedOutByStore =
    "extern int* p; void f(void); int hole(void) { int x = 1; p = &x; f(); __asm__ volatile(\"incl "
    "%0\" : \"+m\"(x)); return 0; }";
constexpr const char* kHandedOutElement =
    "void use(int*); int hole(int i) { int x[9]; use(x + 2); __asm__ volatile(\"incl %0\" : "
    "\"+m\"(x[i])); return 0; }";
constexpr const char* kHandedOutInside =  // the address lies in an object that is handed out
    "struct S { int* p; int n; }; void use(struct S*); void f(void);"
    "int hole(void) { int x = 1; struct S s = {&x, 2}; use(&s); __asm__ volatile(\"incl %0\" : "
    "\"+m\"(x)); return 0; }";
constexpr const char* kHandedOutOnce =  // in an earlier round of the loop
    "void use(int*); int f(void); int hole(void) { int x = 1; do { __asm__ volatile(\"incl %0\" : "
    "\"+m\"(x)); use(&x); } while (f()); return 0; }";
constexpr const char* kOtherElement =  // announced is another one
    "extern int a[9]; int g(void); void hole(int i, int j) { a[i] = 1; __asm__ volatile(\"incl "
    "%0\" : \"+m\"(a[j])); }";
constexpr const char* kReadOnly =  // announced is a read, done is a write
    "extern int x, y; void hole(void) { y = x; __asm__ volatile(\"movl $2, %0\" : \"=m\"(x)); }";
constexpr const char* kTooShort =  // announced are four bytes, done are eight
    "extern union { int i; long l; } u; void hole(void) { u.i = 1; __asm__ volatile(\"movq $2, "
    "%0\" : \"=m\"(u.l)); }";
constexpr const char* kChangedPointer =
    "extern int a[9]; void hole(int* p) { do { *p = 1; p++; __asm__ volatile(\"movl $2, %0\" : "
    "\"=m\"(*p)); } while (p[4]); }";
constexpr const char* kReloadedPointer =  // the pointer is read anew meanwhile
    "extern int* volatile p; void hole(void) { *p = 1; __asm__ volatile(\"movl $2, %0\" : "
    "\"=m\"(*p)); }";

constexpr const char* kHandedOutBeforeSecondReturn =
    "#include <setjmp.h>\nextern jmp_buf b; void use(int*);"
    "int hole(void) { int x = 0; if (setjmp(b)) { __asm__ volatile(\"incl %0\" : \"+m\"(x)); "
    "return x; } use(&x); longjmp(b, 1); }";
constexpr const char* kKeptByCallee =  // the callee tells others, its caller does the access
    "extern int* p; __attribute__((noinline)) static void keep(int* q, int n) { if (n) keep(q, n - "
    "1); p = q; } void f(void);"
    "int hole(int n) { int x = 1; keep(&x, n); f(); __asm__ volatile(\"incl %0\" : \"+m\"(x)); "
    "return 0; }";
constexpr const char* kAnsweredByCallee =
    "extern int* p; __attribute__((noinline)) static int* same(int* q, int n) { return n ? q : 0; "
    "} void f(void);"
    "int hole(int n) { int x = 1; p = same(&x, n); f(); __asm__ volatile(\"incl %0\" : \"+m\"(x)); "
    "return 0; }";

INSTANTIATE_TEST_SUITE_P(
    ByOthers, Holes,
    testing::Values(Hole{"second_return", "gcc", "-O1", kHandedOutBeforeSecondReturn},
                    Hole{"second_return", "clang", "-O1", kHandedOutBeforeSecondReturn},
                    Hole{"kept", "gcc", "-O1", kKeptByCallee},
                    Hole{"kept", "clang", "-O2", kKeptByCallee},
                    Hole{"answered", "gcc", "-O1", kAnsweredByCallee},
                    Hole{"answered", "clang", "-O1", kAnsweredByCallee}));

INSTANTIATE_TEST_SUITE_P(
    Known, Holes,
    testing::Values(
        Hole{"set", "gcc", "-O1", kSetConstant}, Hole{"set", "gcc", "-O3", kSetConstant},
        Hole{"copy", "gcc", "-O1", kCopyConstant}, Hole{"copy", "gcc", "-O2", kCopyConstant},
        Hole{"returned", "gcc", "-O0", kReturned}, Hole{"returned", "gcc", "-O2", kReturned},
        Hole{"returned_small", "gcc", "-O1", kReturnedSmall}, Hole{"passed", "gcc", "-O1", kPassed},
        Hole{"passed", "clang", "-O1", kPassed}, Hole{"long_double", "clang", "-O1", kLongDouble},
        Hole{"three_bytes", "clang", "-O1", kThreeBytes},
        Hole{"wide", "clang", "-O3 -mavx2", kWide}, Hole{"sum", "clang", "-O3", kSum}));

INSTANTIATE_TEST_SUITE_P(
    NotInstrumented, Holes,
    testing::Values(Hole{"assembly", "gcc", "-O0", kAssembly},
                    Hole{"assembly", "gcc", "-O2", kAssembly},
                    Hole{"assembly", "clang", "-O2", kAssembly},
                    Hole{"locked", "gcc", "-O2", kLocked}, Hole{"marked", "gcc", "-O1", kMarked},
                    Hole{"marked", "clang", "-O1", kMarked},
                    Hole{"bare", "gcc", "-O2 -fno-sanitize=thread", kBare},
                    Hole{"bare", "clang", "-O2 -fno-sanitize=thread", kBare},
                    Hole{"bare", "gcc", "-O2 -fno-sanitize=thread -fno-pic -no-pie", kBare},
                    Hole{"repeated", "gcc", "-O2", kRepeated}));

INSTANTIATE_TEST_SUITE_P(AfterAll, Holes,
                         testing::Values(Hole{"call_between", "gcc", "-O2", kSecondOfTwo},
                                         Hole{"call_between", "clang", "-O2", kSecondOfTwo},
                                         Hole{"one_path", "gcc", "-O1", kOnePathOnly},
                                         Hole{"one_path", "clang", "-O0", kOnePathOnly},
                                         Hole{"handed_out", "gcc", "-O1", kHandedOut},
                                         Hole{"handed_out", "clang", "-O1", kHandedOut},
                                         Hole{"handed_out", "gcc", "-O0", kHandedOut},
                                         Hole{"by_store", "gcc", "-O1", kHandedOutByStore},
                                         Hole{"by_store", "clang", "-O0", kHandedOutByStore},
                                         Hole{"element", "gcc", "-O1", kHandedOutElement},
                                         Hole{"element", "gcc", "-O0", kHandedOutElement},
                                         Hole{"element", "clang", "-O1", kHandedOutElement},
                                         Hole{"inside", "gcc", "-O1", kHandedOutInside},
                                         Hole{"inside", "gcc", "-O0", kHandedOutInside},
                                         Hole{"inside", "clang", "-O2", kHandedOutInside},
                                         Hole{"once", "gcc", "-O1", kHandedOutOnce},
                                         Hole{"once", "clang", "-O2", kHandedOutOnce},
                                         Hole{"other_element", "gcc", "-O1", kOtherElement},
                                         Hole{"other_element", "gcc", "-O0", kOtherElement},
                                         Hole{"read_only", "gcc", "-O1", kReadOnly},
                                         Hole{"read_only", "clang", "-O1", kReadOnly},
                                         Hole{"too_short", "gcc", "-O1", kTooShort},
                                         Hole{"changed_pointer", "gcc", "-O0", kChangedPointer},
                                         Hole{"changed_pointer", "gcc", "-O1", kChangedPointer},
                                         Hole{"changed_pointer", "clang", "-O1", kChangedPointer},
                                         Hole{"reloaded", "gcc", "-O1", kReloadedPointer}));

// --- more ------------------------------------------------------------------------------------

class AuditOf : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1); }
  Folder folder_;
};

// Without one of its hooks, a function has just that one site more.
TEST_F(AuditOf, SeesThatAHookIsGone) {
  const std::string library =
      compile(folder_, "gcc", "-O1", "int x, y; void f(int* p) { x++; *p = 3; y = 4; }");
  ASSERT_TRUE(sites_in(library, "f").empty());
  const Stretch f = function_in(library, "f");
  std::string bytes = read_file(library);
  int calls = 0;
  for (std::uint64_t at = f.begin; at + 5 <= f.end;
       ++at) {  // a library is loaded as it lies in the file
    if (static_cast<unsigned char>(bytes[at]) != 0xe8) continue;
    std::string without = bytes;
    without.replace(at, 5, "\x0f\x1f\x44\x00\x00", 5);  // nop
    write_file(library, without);
    const std::vector<Site> sites = sites_in(library, "f");
    EXPECT_LE(sites.size(), 1u);
    for (const Site& site : sites) {
      EXPECT_GT(site.address, at);
      EXPECT_TRUE(site.instrumented);
    }
    calls += !sites.empty();
  }
  EXPECT_EQ(calls, 4);  // the read of x, and three writes
}

TEST_F(AuditOf, TellsInstrumentedFunctionsFromOthers) {
  const std::string library =
      compile(folder_, "gcc", "-O1",
              std::string(kMarked) +
                  " int y; void some(void) { y++; __asm__ volatile(\"incl %0\" : \"+m\"(x)); }");
  for (const Site& site : sites_in(library, "hole")) EXPECT_FALSE(site.instrumented);
  ASSERT_EQ(sites_in(library, "some").size(), 1u);
  EXPECT_TRUE(sites_in(library, "some")[0].instrumented);
}

TEST_F(AuditOf, LeavesNoRoomBeyondTargetsOfJumps) {
  const std::string library = compile(folder_, "gcc", "-O1 -fno-sanitize=thread", R"(
    __asm__(".globl hole\n.type hole,@function\nhole: incl (%rdi)\nincl (%rsi)\n1: incl (%rdx)\ndecl %ecx\njnz 1b\n"
            "incl (%rdi)\ncall *%rax\nincl (%rsi)\nret\n.size hole,.-hole\n");)");
  const std::vector<Site> sites = sites_in(library, "hole");
  ASSERT_EQ(sites.size(), 5u);
  EXPECT_EQ(sites[0].room, 4);  // two instructions of two bytes, then a target
  EXPECT_EQ(sites[1].room, 2);
  EXPECT_EQ(sites[2].room, 8);  // up to the call
  EXPECT_EQ(sites[3].room, 2);
  EXPECT_EQ(sites[4].room, 3);  // up to the end
}

TEST_F(AuditOf, NamesWhatItCannotFollow) {
  const std::string library = compile(folder_, "gcc", "-O1 -fno-sanitize=thread", R"(
    __asm__(".globl jumps\n.type jumps,@function\njumps: push %rax\njmp *%rdi\nnop\nincl (%rdi)\nret\n.size jumps,.-jumps\n"
            ".globl data\n.type data,@function\ndata: ret\n.byte 6\n.size data,.-data\n"
            ".globl asks\n.type asks,@function\nasks: syscall\nret\n.size asks,.-asks\n");)");
  const Result<Audit> found = audit(library);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->gaps.size(), 3u);
  EXPECT_EQ(sites_in(library, "jumps").size(), 1u);
}

TEST_F(AuditOf, FollowsExceptions) {
  for (const char* compiler : {"g++", "clang++"}) {
    if (!is_installed(compiler)) continue;
    for (const char* flags : {"-O0", "-O2"}) {
      const std::string library = compile(folder_, compiler, flags, R"(
        struct Guard { int* p; Guard(int* q) : p(q) { ++*p; } ~Guard() { --*p; } };
        extern "C" int ask(int*); int shared[8];
        extern "C" int f(int* p, int n) {
          Guard a(p);
          try { for (int i = 0; i < n; i++) { Guard b(p + i); shared[i & 7] += ask(p); } }
          catch (int e) { p[2] = e; return shared[1]; }
          catch (...) { p[1] = n; }
          return *p;
        })");
      const Result<Audit> found = audit(library);
      ASSERT_TRUE(found.ok());
      EXPECT_GT(found->covered, 3u);
      EXPECT_TRUE(found->gaps.empty());
      EXPECT_TRUE(sites_in(library, "f").empty()) << compiler << flags;
    }
  }
}

TEST_F(AuditOf, IsKept) {
  const std::string library = compile(folder_, "gcc", "-O1", kSetConstant);
  const Result<Audit> plain = audit(library), first = audit_cached(library),
                      again = audit_cached(library);
  ASSERT_TRUE(plain.ok() && first.ok() && again.ok());
  EXPECT_EQ(*plain, *first);
  EXPECT_EQ(*plain, *again);
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "cache/heddle")) {
    ++files;
    const std::string good = read_file(file.path());
    for (std::size_t length : {std::size_t{0}, std::size_t{5}, good.size() / 2, good.size() - 1}) {
      write_file(file.path(), good.substr(0, length));
      const Result<Audit> found = audit_cached(library);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(*found, *plain) << length;
      EXPECT_EQ(read_file(file.path()), good);
    }
    std::string flipped = good;
    flipped[good.size() / 2] ^= 1;
    write_file(file.path(), flipped);
    EXPECT_EQ(*audit_cached(library), *plain);
  }
  EXPECT_EQ(files, 1);
  // Something in the way: no cache, but an answer.
  std::filesystem::remove_all(folder_ / "cache/heddle");
  write_file(folder_ / "cache/heddle", "");
  EXPECT_EQ(*audit_cached(library), *plain);
}

TEST_F(AuditOf, RefusesWhatIsNoProgram) {
  EXPECT_FALSE(audit(folder_ / "missing").ok());
  EXPECT_FALSE(audit("/tmp").ok());
  write_file(folder_ / "text", "#!/bin/sh\n");
  EXPECT_FALSE(audit(folder_ / "text").ok());
  const std::string library = compile(folder_, "gcc", "-O1", kSetConstant);
  EXPECT_FALSE(audit(folder_ / "sample.c.o").ok());
  // Cut off or full of noise: an answer or a refusal, but no crash.
  const std::string good = read_file(library);
  for (std::size_t length = 16; length < good.size(); length += good.size() / 23) {
    write_file(folder_ / "short", good.substr(0, length));
    (void)audit(folder_ / "short");
  }
  std::uint32_t noise = 1;
  for (int round = 0; round < 60; ++round) {
    std::string bad = good;
    for (int n = 0; n < 40; ++n) {
      noise = noise * 1664525 + 1013904223;
      bad[(noise >> 4) % bad.size()] = static_cast<char>(noise >> 24);
    }
    write_file(folder_ / "noise", bad);
    (void)audit(folder_ / "noise");
  }
}

}  // namespace
}  // namespace heddle::machine
