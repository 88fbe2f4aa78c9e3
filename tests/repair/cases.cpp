// Accesses in C++ that the compiler leaves without a hook (cases.h, repair_test.py).
#include "cases.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

using Clock = std::chrono::steady_clock;

NOINLINE static Clock::time_point some_time() { return Clock::time_point(std::chrono::nanoseconds(5)); }
NOINLINE static std::pair<int, int> some_pair() { return {1, 2}; }
NOINLINE static std::tuple<long, long, long> some_tuple() { return {1, 2, 3}; }
NOINLINE static std::optional<int> some_optional() { return 5; }
NOINLINE static std::complex<double> some_complex() { return {1, 2}; }
NOINLINE static std::array<char, 11> some_array() { return {1, 2, 3}; }
NOINLINE static std::string_view some_view() { return "view"; }
NOINLINE static std::variant<int, double> some_variant() { return 2.5; }
struct Point { double x = 1, y = 2, z = 3; };
NOINLINE static Point some_point() { return {}; }

CASE(time_point, Clock::time_point started;, started = some_time(), started = some_time())
CASE(pair, std::pair<int CASE_COMMA int> couple;, couple = some_pair(), couple.second = 3)
CASE(tuple, std::tuple<long CASE_COMMA long CASE_COMMA long> triple;, triple = some_tuple(), std::get<1>(triple) = 3)
CASE(optional, std::optional<int> maybe;, maybe = some_optional(), maybe.reset())
CASE(complex, std::complex<double> number;, number = some_complex(), number = 2)
CASE(array, std::array<char CASE_COMMA 11> letters;, letters = some_array(), letters[10] = 3)
CASE(array_fill, std::array<int CASE_COMMA 16> filled;, filled.fill(3), filled[15] = 1)
CASE(array_equal, std::array<char CASE_COMMA 16> one_array; std::array<char CASE_COMMA 16> other_array; bool same;,
     same = one_array == other_array, other_array[15] = 1)
CASE(fill_n, char filled_n[40];, std::fill_n(filled_n, 40, 'x'), filled_n[39] = 1)
CASE(copy_n, int copied_from[12]; int copied_to[12];, std::copy_n(copied_from, 12, copied_to), copied_from[11] = 1)
CASE(swap_structs, Point near_point; Point far_point;, std::swap(near_point, far_point), far_point.z = 2)
CASE(view, std::string_view view;, view = some_view(), view = "other")
CASE(variant, std::variant<int CASE_COMMA double> either;, either = some_variant(), either = 7)
CASE(point, Point point;, point = some_point(), point.y = 7)
CASE(lambda_copy, Point captured; double seen;, auto f = [p = captured] { return p.y; }; seen = f(), captured.y = 7)
CASE(throw_copy, Point thrown;, try { throw thrown; } catch (const Point&) {}, thrown.y = 7)
CASE(construct, alignas(Point) unsigned char room[sizeof(Point)];, new (room) Point(), room[17] = 7)
CASE(cas_struct, struct Two { int a CASE_COMMA b; }; std::atomic<Two> two; Two expected_two;,
     two.compare_exchange_strong(expected_two, Two{1 CASE_COMMA 2}), expected_two.b = 5)

static const test_case cases[] = {
  ENTRY(time_point) ENTRY(pair) ENTRY(tuple) ENTRY(optional) ENTRY(complex) ENTRY(array) ENTRY(array_fill) ENTRY(array_equal)
  ENTRY(fill_n) ENTRY(copy_n) ENTRY(swap_structs) ENTRY(view) ENTRY(variant) ENTRY(point) ENTRY(lambda_copy) ENTRY(throw_copy)
  ENTRY(construct) ENTRY(cas_struct)
};

int main(int argc, char** argv) { return run_case(cases, sizeof cases / sizeof *cases, argc, argv); }
