/* 363-usage - AOTIGEN_MEMORY: what counts until when, of memory whose release is seen and of memory
 * that is handed over. */

#include "../runtime/memory/usage.h"
#include "shim.h"

enum { BYTES = 1000 };

static const aotigen_buffer rows[] = {
    {.name = "buf0", .line = 10, .handed_over = AOTIGEN_HANDED_ALWAYS},
    {.name = "buf1", .line = 11, .handed_over = AOTIGEN_HANDED_COPIED},
    {.name = "buf2", .line = 12}};
static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_add_0", params, 22, .flags = 0, .number = 1)};
static aotigen_model model;
static aotigen_run run;
static char memory[4 * BYTES];

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), WITH(buffers, rows), .nan_asserts = 1);
  environment("AOTIGEN_MEMORY", "1");
  aotigen_run_begin(&run, &model, 0, NULL);
}

AFTER_EACH { environment("AOTIGEN_MEMORY", NULL); }

static char *end(void) {
  capture(2);
  aotigen_run_end(&run, 0);
  return captured(2);
}

/* A loop of which each iteration gets the memory of the one before the last. */
TEST(what_a_loop_replaces_does_not_count) {
  for (int i = 0; i < 100000; i++) {
    run.launch++;
    ag_usage_allocated(&run, 0, memory + (i % 2 ? BYTES : 0), BYTES, false);
  }
  as_expected(end());
}

/* Torch's memory is free again at once, and the next allocation may get it. */
TEST(an_output_in_memory_of_ours_outlives_that_of_torch) {
  run.launch = 1;
  ag_usage_allocated(&run, 1, memory, BYTES, true);
  ag_usage_allocated(&run, 2, memory, BYTES, true);
  as_expected(end());
}

TEST(a_part_of_the_memory_is_enough) {
  run.launch = 1;
  ag_usage_allocated(&run, 0, memory, BYTES, false);
  ag_usage_allocated(&run, 0, memory + BYTES, BYTES, false);
  ag_usage_allocated(&run, 0, memory + 2 * BYTES, BYTES, false);
  run.launch = 2;
  ag_usage_allocated(&run, 2, memory + 2 * BYTES - 1, 2, false);
  run.launch = 3;
  ag_usage_allocated(&run, 0, memory + BYTES, BYTES, false);
  ag_usage_allocated(&run, 0, memory + 2 * BYTES, BYTES, false);
  as_expected(end());
}
