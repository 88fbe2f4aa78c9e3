// Accesses in C that the compiler leaves without a hook (cases.h, repair_test.py).
#include "cases.h"

#include <stddef.h>
#include <stdint.h>
#include <strings.h>

static volatile int zero;  // never written: what is computed from it is not known to the compiler

// ---- copies and comparisons that the compiler expands

CASE(memset_64, char set64[64];, memset(set64, 1, 64), memset(set64, 2, 64))
CASE(memset_7, char set7[8];, memset(set7, 1, 7), set7[6] = 2)
CASE(memset_33, char set33[40];, memset(set33, 1, 33), set33[32] = 2)
CASE(memset_200, char set200[200];, memset(set200, 0, 200), set200[199] = 2)
CASE(memcpy_24, char to24[24]; char from24[24];, memcpy(to24, from24, 24), from24[23] = 2)
CASE(memcpy_100, char to100[100]; char from100[100];, memcpy(to100, from100, 100), to100[99] = 2)
CASE(memcpy_3, char to3[4]; char from3[4];, memcpy(to3, from3, 3), to3[2] = 2)
CASE(memmove_16, char move16[32];, memmove(move16 + 8, move16, 16), move16[23] = 2)
CASE(bzero_48, char zero48[48];, bzero(zero48, 48), zero48[40] = 2)
CASE(strcpy_literal, char text12[16];, strcpy(text12, "eleven char"), text12[10] = 2)
CASE(stpcpy_literal, char text8[16]; char* end8;, end8 = stpcpy(text8, "seven 7"), text8[7] = 2)
CASE(memcmp_8, char left8[8]; char right8[8]; int equal8;, equal8 = memcmp(left8, right8, 8) == 0, right8[7] = 1)
CASE(memcmp_16, char left16[16]; char right16[16]; int equal16;, equal16 = memcmp(left16, right16, 16) == 0, left16[15] = 1)
CASE(memset_variable, char any64[64]; NOINLINE static void clear(char* p, size_t n) { memset(p, 0, n); },
     clear(any64, sizeof any64 - (size_t)zero), any64[60] = 1)
CASE(memcpy_variable, char to64[64]; char from64[64]; NOINLINE static void copy(char* p, const char* q, size_t n) { memcpy(p, q, n); },
     copy(to64, from64, sizeof to64 - (size_t)zero), from64[60] = 1)

// ---- structs that are handed over by value

struct s3 { unsigned char r, g, b; };
struct s5 { char c[5]; };
struct s6 { short s[3]; };
struct s7 { char c[7]; };
struct s8 { int a, b; };
struct s15 { char c[15]; };
struct s16 { long a, b; };
struct s20 { int i[5]; };
struct s40 { long l[5]; };
struct sf { float x, y; };
struct sd { double x, y; };
struct sl { long double x; };
#define BY_VALUE(type)                                                                                       \
  struct type global_##type, other_##type;                                                            \
  NOINLINE static struct type make_##type(void) { struct type s; memset(&s, zero + 1, sizeof s); return s; } \
  NOINLINE static int take_##type(struct type s) { return ((volatile char*)&s)[0]; }                         \
  CASE(return_##type, , global_##type = make_##type(), ((char*)&global_##type)[sizeof(struct type) / 2] = 3) \
  CASE(argument_##type, volatile int taken_##type;, taken_##type = take_##type(global_##type), ((char*)&global_##type)[1] = 3)                        \
  CASE(assign_##type, , global_##type = other_##type, ((char*)&other_##type)[1] = 3)
BY_VALUE(s3)
BY_VALUE(s5)
BY_VALUE(s6)
BY_VALUE(s7)
BY_VALUE(s8)
BY_VALUE(s15)
BY_VALUE(s16)
BY_VALUE(s20)
BY_VALUE(s40)
BY_VALUE(sf)
BY_VALUE(sd)
BY_VALUE(sl)

// ---- wide types

CASE(long_double, long double total;, total += 1.5L, total += 2.5L)
CASE(long_double_load, long double wide_in; volatile double narrow;, narrow = (double)wide_in, wide_in = 2.5L)
CASE(complex_double, _Complex double z;, z += 1.0, z = 2.0)
CASE(complex_long_double, _Complex long double zl;, zl += 1.0L, zl = 2.0L)
CASE(int128, __int128 huge;, huge += 1, huge = 2)
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef int v16 __attribute__((vector_size(64)));
CASE(vector_16, v4 vec16;, vec16 += 1, vec16[3] = 2)
CASE(vector_32, v8 vec32;, vec32 += 1, vec32[7] = 2)
CASE(vector_64, v16 vec64;, vec64 += 1, vec64[15] = 2)

// ---- loops that are vectorised

CASE(loop_store, int store[64];, for (int i = 0; i < 64; i++) store[i] = i, store[17] = 1)
CASE(loop_sum, int summed[64]; int sum;, int s = 0; for (int i = 0; i < 64; i++) s += summed[i]; sum = s, summed[17] = 1)
CASE(loop_copy, int copied[64]; int copy_of[64];, for (int i = 0; i < 64; i++) copy_of[i] = copied[i] + 1, copied[60] = 1)
CASE(loop_float, float fx[64]; float fy[64];, for (int i = 0; i < 64; i++) fy[i] += 2 * fx[i], fy[33] = 1)
CASE(loop_bytes, unsigned char bytes[96];, for (int i = 0; i < 96; i++) bytes[i] ^= 0x20, bytes[95] = 1)
CASE(loop_masked, int cond[64]; int masked[64];, for (int i = 0; i < 64; i++) if (cond[i] >= 0) masked[i] = i, masked[63] = 1)
CASE(loop_gather, int table[64]; int numbers[64]; int gathered;,
     int s = 0; for (int i = 0; i < 64; i++) s += table[numbers[i]]; gathered = s, table[0] = 1)
CASE(loop_scatter, int place[64]; int where[64];, for (int i = 0; i < 64; i++) place[where[i]] = 5, place[0] = 1)
CASE(loop_strided, struct { int a; int b; int c; } strided[32];, for (int i = 0; i < 32; i++) strided[i].b = 5, strided[20].b = 1)

// ---- compare-exchange

CASE(cas_expected_read, int cas_value; int cas_expected;,
     __atomic_compare_exchange_n(&cas_value, &cas_expected, 1, 0, 5, 5), cas_expected = 7)
CASE(cas_expected_write, int cas_value2; int cas_expected2 = 3; volatile int cas_seen;,
     __atomic_compare_exchange_n(&cas_value2, &cas_expected2, 1, 0, 5, 5), cas_seen = cas_expected2)

static const struct test_case cases[] = {
  ENTRY(memset_64) ENTRY(memset_7) ENTRY(memset_33) ENTRY(memset_200) ENTRY(memcpy_24) ENTRY(memcpy_100) ENTRY(memcpy_3)
  ENTRY(memmove_16) ENTRY(bzero_48) ENTRY(strcpy_literal) ENTRY(stpcpy_literal) ENTRY(memcmp_8) ENTRY(memcmp_16)
  ENTRY(memset_variable) ENTRY(memcpy_variable)
#define BY_VALUE_ENTRY(type) ENTRY(return_##type) ENTRY(argument_##type) ENTRY(assign_##type)
  BY_VALUE_ENTRY(s3) BY_VALUE_ENTRY(s5) BY_VALUE_ENTRY(s6) BY_VALUE_ENTRY(s7) BY_VALUE_ENTRY(s8) BY_VALUE_ENTRY(s15)
  BY_VALUE_ENTRY(s16) BY_VALUE_ENTRY(s20) BY_VALUE_ENTRY(s40) BY_VALUE_ENTRY(sf) BY_VALUE_ENTRY(sd) BY_VALUE_ENTRY(sl)
  ENTRY(long_double) ENTRY(long_double_load) ENTRY(complex_double) ENTRY(complex_long_double) ENTRY(int128) ENTRY(vector_16)
  ENTRY(vector_32) ENTRY(vector_64) ENTRY(loop_store) ENTRY(loop_sum) ENTRY(loop_copy) ENTRY(loop_float) ENTRY(loop_bytes)
  ENTRY(loop_masked) ENTRY(loop_gather) ENTRY(loop_scatter) ENTRY(loop_strided) ENTRY(cas_expected_read) ENTRY(cas_expected_write)
};

int main(int argc, char** argv) { return run_case(cases, sizeof cases / sizeof *cases, argc, argv); }
