/* 357-op-allocations - AOTIGEN_MEMORY: an operator that keeps as much of each run is named, once,
 * and a result that stays, with who may keep it; an output of the model, a cache that fills up, and
 * what is kept of the last few runs are not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../runtime/memory/op_allocations.h"
#include "../runtime/state/given_to.h"
#include "shim.h"

enum { RUNS = 40, BYTES = 64 };

static const aotigen_expected expected = {.ndim = -1};
static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
#define RESULT(n)                                                                                  \
  {                                                                                                \
    .name = n, .role = AOTIGEN_OUT,                                                                \
    .flags = AOTIGEN_LATE | AOTIGEN_MADE_BY_LIBRARY | AOTIGEN_ENDS_IN_RUN, .dtype = "float32",     \
    .expected = &expected                                                                          \
  }
static const aotigen_param results[] = {RESULT("buf1")};
static const aotigen_param pair[] = {RESULT("buf7"), RESULT("buf8")};
static const aotigen_param given[] = {FLOAT32("buf1", AOTIGEN_IN)};
static const aotigen_param views[] = {FLOAT32("buf1", AOTIGEN_IN),
                                      {.name = "buf2",
                                       .role = AOTIGEN_OUT,
                                       .flags = AOTIGEN_LATE,
                                       .dtype = "float32",
                                       .expected = &expected}};
enum { KEEPS, TORCHS, RETURNS, READS, READS_TOO, VIEWS, TORCHS_BY_PROXY, PAIR, NSITES };
static const aotigen_site sites[] = {
    PROXY_SITE("lab::keeps", params, 11, .flags = AOTIGEN_OF_LIBRARY, .number = 1),
    EXTERN_SITE("aoti_torch_cpu_mm", params, 22, .number = 2),
    PROXY_SITE("lab::returns", results, 33, .flags = AOTIGEN_OF_LIBRARY, .number = 3),
    PROXY_SITE("lab::reads", given, 44, .flags = AOTIGEN_OF_LIBRARY, .number = 4),
    PROXY_SITE("lab::reads_too", given, 55, .flags = AOTIGEN_OF_LIBRARY, .number = 5),
    EXTERN_SITE("aoti_torch_cpu_view", views, 66, .number = 6),
    PROXY_SITE("aten::keeps", params, 77, .number = 7),
    PROXY_SITE("lab::pair", pair, 88, .flags = AOTIGEN_OF_LIBRARY, .number = 8)};
static aotigen_model model;
static uint32_t site;
static fake *out;
static void *made[RUNS];
static int nfreed;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 1);
  environment("AOTIGEN_MEMORY", "1");
  out = fake_new("float32", 4, -1);
  site = KEEPS;
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

AFTER_EACH {
  for (int i = 0; i < RUNS; i++) drop(i);
  fake_free(out);
  environment("AOTIGEN_MEMORY", NULL);
}

static void begin_call(aotigen_run *run, uint32_t of, const aotigen_value *v, uint32_t n) {
  aotigen_run_begin(run, &model, 0, NULL);
  run->launch++;
  assert_null(aotigen_before(run, of, v, n));
}

static void end_call(aotigen_run *run, uint32_t of, const aotigen_value *v, uint32_t n) {
  assert_null(aotigen_after(run, of, v, n));
  aotigen_run_end(run, 0);
}

/* Within its call the operator makes two tensors, and frees one of them. */
static void run_once(int i, size_t bytes, void (*in_call)(int)) {
  const aotigen_value v[] = {handle(out)};
  aotigen_run run;
  void *scratch = malloc(bytes);
  void (*deleter)(void *) = NULL;
  begin_call(&run, site, v, 1);
  made[i] = calloc(1, bytes);
  const int noted = aotigen_operator_allocated(made[i], bytes, release);
  assert_int_equal(noted, aotigen_operator_allocated(scratch, bytes, release));
  aotigen_operator_freed(scratch, &deleter);
  if (!noted) free(made[i]), made[i] = NULL;
  if (in_call) in_call(i);
  end_call(&run, site, NULL, 0);
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

TEST(keeping_is_named) { as_expected(said_of(0, NULL, NULL)); }

static void silent(size_t more_bytes, void (*in_call)(int), void (*after)(int)) {
  assert_equal_freed(said_of(more_bytes, in_call, after), "");
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

TEST(the_last_few_are_not) { silent(0, NULL, drop_older); }

TEST(freed_by_another_thread) { silent(0, NULL, drop_elsewhere); }

TEST(other_sizes_are_not) { silent(16, NULL, NULL); }

TEST(results_are_not) {
  void *own = out->data;
  silent(0, return_it, NULL);
  out->data = own;
}

TEST(torch_operators_are_not) {
  site = TORCHS;
  silent(0, NULL, NULL);
  assert_null(made[0]);
  site = TORCHS_BY_PROXY;
  silent(0, NULL, NULL);
  assert_null(made[0]);
}

/* A run whose operator returns what it made, and may keep it; `after` are the launches behind. */
static void run_returning(int i, void (*after)(aotigen_run *)) {
  const aotigen_value nothing_yet[] = {nothing()};
  void *own = out->data;
  aotigen_run run;
  begin_call(&run, RETURNS, nothing_yet, 1);
  made[i] = calloc(1, BYTES);
  const int noted = aotigen_operator_allocated(made[i], BYTES, release);
  out->data = made[i];
  const aotigen_value v[] = {handle(out)};
  assert_null(aotigen_after(&run, RETURNS, v, 1));
  if (after) after(&run);
  out->data = own;
  aotigen_run_end(&run, 0);
  if (!noted) free(made[i]), made[i] = NULL;
}

static void launch_reads(aotigen_run *run) {
  const aotigen_value v[] = {handle(out)};
  for (uint32_t s = READS; s <= READS_TOO; s++) {
    run->launch++;
    assert_null(aotigen_before(run, s, v, 1));
    assert_null(aotigen_after(run, s, NULL, 0));
  }
}

static void launch_view(aotigen_run *run) {
  const aotigen_value v[] = {handle(out), nothing()}, view[] = {handle(out)};
  run->launch++;
  assert_null(aotigen_before(run, VIEWS, v, 2));
  assert_null(aotigen_after(run, VIEWS, view, 1));
}

static char *said_of_returning(void (*after)(aotigen_run *), void (*drops)(int)) {
  capture(2);
  for (int i = 0; i < RUNS; i++) {
    run_returning(i, after);
    if (drops) drops(i);
  }
  return captured(2);
}

TEST(a_result_that_stays) { as_expected(said_of_returning(NULL, NULL)); }

/* Any of them may keep it. */
TEST(a_result_that_others_get) {
  begin_log();
  char *err = said_of_returning(launch_reads, NULL), *log = end_log();
  assert_has(log, "{\"event\":\"growth\",");
  assert_has(log, ",\"of\":\"buf1\",\"bytes\":1024,\"kernels\":\"launch 1: lab::returns, launch 2: "
                  "lab::reads, launch 3: lab::reads_too\"}\n");
  assert_has(err, "  made by       launch 1 of its run: lab::returns\n"
                  "  given to      launch 2 of its run: lab::reads\n"
                  "  given to      launch 3 of its run: lab::reads_too\n"
                  "  cure          look for what one of these operators keeps: ");
  assert_int_equal(count(err, "aotigen:"), 1);
  free(err);
  free(log);
}

/* The model may return that. */
TEST(a_result_with_a_view) { assert_equal_freed(said_of_returning(launch_view, NULL), ""); }

/* Each has its own name and bytes. */
TEST(two_results_that_stay) {
  static void *firsts[RUNS];
  const aotigen_value nothing_yet[] = {nothing(), nothing()};
  fake *both[] = {fake_new("float32", 4, -1), fake_new("float32", 4, -1)};
  void *own[] = {both[0]->data, both[1]->data};
  const aotigen_value v[] = {handle(both[0]), handle(both[1])};
  capture(2);
  for (int i = 0; i < 16; i++) {
    aotigen_run run;
    begin_call(&run, PAIR, nothing_yet, 2);
    both[0]->data = firsts[i] = calloc(1, BYTES);
    both[1]->data = made[i] = calloc(1, 2 * BYTES);
    aotigen_operator_allocated(firsts[i], BYTES, release);
    aotigen_operator_allocated(made[i], 2 * BYTES, release);
    end_call(&run, PAIR, v, 2);
  }
  as_expected(captured(2));
  for (int i = 0; i < 16; i++) {
    void (*deleter)(void *) = NULL;
    aotigen_operator_freed(firsts[i], &deleter);
    deleter(firsts[i]);
  }
  for (int i = 0; i < 2; i++) both[i]->data = own[i], fake_free(both[i]);
}

TEST(results_of_the_last_few) {
  assert_equal_freed(said_of_returning(launch_reads, drop_older), "");
}

/* Allocations beyond the table's room are reported, once. */
TEST(too_many) {
  enum { ROOM = 1 << 16 };
  static char at[ROOM + 2];
  const aotigen_value v[] = {handle(out)};
  aotigen_run run;
  int noted = 0;
  capture(2);
  begin_call(&run, KEEPS, v, 1);
  for (size_t i = 0; i < sizeof at; i++) noted += aotigen_operator_allocated(&at[i], 1, release);
  for (size_t i = sizeof at; i-- > 0;) aotigen_operator_freed(&at[i], &(void (*)(void *)){NULL});
  end_call(&run, KEEPS, NULL, 0);
  char *err = captured(2);
  assert_int_equal(noted, ROOM);
  assert_string_equal(err, "aotigen: warning: AOTIGEN_MEMORY: operators hold 65536 tensors: what "
                           "they allocate from now on is not counted\n");
  free(err);
}

/* One for each operator, the last launch of it; of torch's own one that is alone. */
TEST(those_that_were_given_it) {
#define LIBRARYS(name)                                                                             \
  { .kernel = name, .form = AOTIGEN_PROXY, .flags = AOTIGEN_OF_LIBRARY }
  static const aotigen_site many[] = {{.kernel = "torch", .form = AOTIGEN_PROXY},
                                      LIBRARYS("a"),
                                      LIBRARYS("b"),
                                      LIBRARYS("c"),
                                      LIBRARYS("d"),
                                      LIBRARYS("e")};
  static const uint32_t order[] = {0, 1, 0, 2, 1, 3, 4, 4, 5, 5};
  ag_given_to g = {.n = 0};
  model.sites = many;
  aotigen_run run = {.model = &model};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    run.launch = i + 1;
    run.site = order[i];
    ag_given_to_note(&g, &run);
    if (!i) assert_int_equal(g.n, 1);
    assert_int_equal(ag_given_to_has_suspect(&g, &model), i > 0);
    assert_int_equal(g.more, order[i] == 5);
  }
  assert_int_equal(g.n, 4);
  assert_int_equal(g.at[0].site, 1);
  assert_int_equal(g.at[0].launch, 5);
  assert_int_equal(g.at[3].site, 4);
  assert_int_equal(g.at[3].launch, 8);
}

/* Another torch's allocator is left alone. */
TEST(another_allocator) {
  static const void *const table[8] = {NULL};
  assert_int_equal(aotigen_counts_allocations(table, table), 0);
  assert_int_equal(aotigen_counts_allocations(&stdout, table), 0);
}
