// filtered.cpp - the cost of a site that the filter leaves out: its two lines in a loop, less the
// empty loop; with AOTIGEN_EVERY, of a run that is left out.
// Prints "filtered NANOSECONDS unchecked NANOSECONDS".
#define AOTIGEN_ON
#include "shared/wrapper/aotigen.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

static aotigen_model aotigen_model_;
static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

__attribute__((noinline)) static void with_site(aotigen::run &aotigen_run_, const void *handle,
                                                int n) {
  for (int i = 0; i < n; i++) {
    AOTIGEN_BEFORE(0, handle, handle, i);
    __asm__ volatile("" ::: "memory");
    AOTIGEN_AFTER(0);
  }
}

__attribute__((noinline)) static void without_site(int n) {
  for (int i = 0; i < n; i++) __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void run_once() {
  AOTIGEN_RUN(nullptr);
  AOTIGEN_BEFORE_OUTPUTS();
  AOTIGEN_RUN_END();
}

// Nanoseconds; a run in so many is checked, which costs more.
static double unchecked_run() {
  const int n = 1000000;
  double best = 1e9;
  for (int pass = 0; pass < 5; pass++) {
    double t0 = seconds();
    for (int i = 0; i < n; i++) run_once();
    double each = (seconds() - t0) / n * 1e9;
    if (each < best) best = each;
  }
  return best;
}

int main() {
  setenv("AOTIGEN_EVERY", "10000000", 1);
  static const aotigen_param params[3] = {};
  static aotigen_site site = {"run_impl", "kernel", "", "", params, 1, 3, AOTIGEN_CPU, 0};
  aotigen_model_.abi = AOTIGEN_ABI;
  aotigen_model_.nan_asserts = 1;
  aotigen_model_.guard_buffers = "";
  aotigen_model_.kernels = "nothing_of_that_name";
  aotigen_model_.source = "bench";
  aotigen_model_.device = "cpu";
  aotigen_model_.sites = &site;
  aotigen_model_.nsites = 1;
  const double unchecked = unchecked_run();
  aotigen::run run(&aotigen_model_, 0, nullptr);
  if (run.wanted[0]) return 1;
  const int n = 100000000;
  double best = 1e9;
  for (int pass = 0; pass < 5; pass++) {
    double t0 = seconds();
    with_site(run, &site, n);
    double t1 = seconds();
    without_site(n);
    double t2 = seconds();
    double each = ((t1 - t0) - (t2 - t1)) / n * 1e9;
    if (each < best) best = each;
  }
  std::printf("filtered %.2f unchecked %.0f\n", best, unchecked);
}
