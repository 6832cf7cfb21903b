/* 357-op-allocations - AOTIGEN_MEMORY: an operator that keeps as much of each run is named, once;
 * one that returns what it made, fills a cache, or keeps the last few runs' is not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../runtime/memory/op_allocations.h"
#include "shim.h"

enum { RUNS = 40, BYTES = 64 };

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {
    {"run_impl", "lab::keeps", "", "", params, 11, 1, AOTIGEN_PROXY, 0, .number = 1},
    {"run_impl", "aoti_torch_cpu_mm", "", "", params, 22, 1, AOTIGEN_EXTERN, 0, .number = 2}};
static aotigen_model model;
static uint32_t site;
static fake *out;
static void *made[RUNS];
static int nfreed;

static int set_up(void **state) {
  (void)state;
  model = (aotigen_model){.abi = AOTIGEN_ABI,
                          .nan_asserts = 1,
                          .kernels = "",
                          .source = "model.cpp",
                          .device = "cpu",
                          .sites = sites,
                          .nsites = 2};
  environment("AOTIGEN_MEMORY", "1");
  out = fake_new("float32", 4, -1);
  site = 0;
  return 0;
}

static void release(void *at) {
  nfreed++;
  free(at);
}

static void drop(int i) {
  void (*deleter)(void *) = NULL;
  if (!made[i]) return;
  aotigen_operator_freed(made[i], &deleter);
  assert_ptr_equal(deleter, release);
  deleter(made[i]);
  made[i] = NULL;
}

static int tear_down(void **state) {
  (void)state;
  for (int i = 0; i < RUNS; i++) drop(i);
  fake_free(out);
  environment("AOTIGEN_MEMORY", NULL);
  return 0;
}

/* In its call the operator makes two tensors, of which it frees one. */
static void run_once(int i, size_t bytes, void (*in_call)(int)) {
  const aotigen_value v[] = {handle(out)};
  aotigen_run run;
  void *scratch = malloc(bytes);
  void (*deleter)(void *) = NULL;
  aotigen_run_begin(&run, &model, "run_impl", 0, NULL);
  run.launch++;
  assert_null(aotigen_before(&run, site, v, 1));
  made[i] = calloc(1, bytes);
  const int noted = aotigen_operator_allocated(made[i], bytes, release);
  assert_int_equal(noted, aotigen_operator_allocated(scratch, bytes, release));
  aotigen_operator_freed(scratch, &deleter);
  if (!noted) free(made[i]), made[i] = NULL;
  if (in_call) in_call(i);
  assert_null(aotigen_after(&run, site, NULL, 0));
  aotigen_run_end(&run, 0);
  free(scratch);
}

static char *said_of(size_t more_bytes, void (*in_call)(int), void (*after)(int)) {
  capture(2);
  for (int i = 0; i < RUNS; i++) {
    run_once(i, BYTES + more_bytes * (size_t)i, in_call);
    if (after) after(i);
  }
  return captured(2);
}

static void keeping_is_named(void **state) {
  (void)state;
  char *err = said_of(0, NULL, NULL);
  assert_has(err, ", launch 1: lab::keeps\n");
  assert_has(err,
             "  kept          64 bytes of tensors (1) that it made and did not return, of each of "
             "the last 16 runs\n");
  assert_int_equal(count(err, "aotigen: memory grows in run "), 1);
  free(err);
}

static void silent(size_t more_bytes, void (*in_call)(int), void (*after)(int)) {
  char *err = said_of(more_bytes, in_call, after);
  assert_string_equal(err, "");
  free(err);
}

static void drop_older(int i) {
  if (i >= 14) drop(i - 14); /* 15 are left in the next run */
}

static void *drop_in_thread(void *i) {
  drop(*(int *)i);
  return NULL;
}

static void drop_elsewhere(int i) {
  pthread_t other;
  if (i % 3 != 2) return;
  for (int k = i - 2; k <= i; k++) {
    pthread_create(&other, NULL, drop_in_thread, &k);
    pthread_join(other, NULL);
  }
}

/* The host keeps the model's outputs. */
static void *outputs[RUNS];
static void return_it(int i) {
  outputs[i] = out->data;
  out->data = (char *)made[i] + 16;
}

static void the_last_few_are_not(void **state) {
  (void)state;
  silent(0, NULL, drop_older);
}

static void freed_by_another_thread(void **state) {
  (void)state;
  silent(0, NULL, drop_elsewhere);
}

static void other_sizes_are_not(void **state) {
  (void)state;
  silent(16, NULL, NULL);
}

static void results_are_not(void **state) {
  (void)state;
  void *own = out->data;
  silent(0, return_it, NULL);
  out->data = own;
}

static void torch_operators_are_not(void **state) {
  (void)state;
  site = 1;
  silent(0, NULL, NULL);
  assert_null(made[0]);
}

/* Another torch's allocator is left alone. */
static void another_allocator(void **state) {
  static const void *const table[8] = {NULL};
  (void)state;
  assert_int_equal(aotigen_counts_allocations(table, table), 0);
  assert_int_equal(aotigen_counts_allocations(&stdout, table), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {TEST(keeping_is_named),        TEST(the_last_few_are_not),
                                     TEST(freed_by_another_thread), TEST(other_sizes_are_not),
                                     TEST(results_are_not),         TEST(torch_operators_are_not),
                                     TEST(another_allocator)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
