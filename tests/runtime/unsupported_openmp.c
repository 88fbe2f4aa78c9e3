// OpenMP's threads work together by atomics inside its library, which nobody sees: refused where the first one would be started.
// EXPECT: unsupported
// MESSAGE: (?s)\bOpenMP\b.*unsupported_openmp\.c:\d+
// CFLAGS: -fopenmp
// ONLY: gcc
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 4; i++) sum += i;
  return sum != 6;
}
