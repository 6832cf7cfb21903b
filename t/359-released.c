/* 359-released - a buffer that is released before the first launch: what a trap and AOTIGEN_MEMORY
 * say of it, and of one that is released behind a launch, and of one that outlives its run. */
#include "shim.h"

#include "../runtime/base/raw_text.h"
#include "../runtime/state/guard_pages.h"

static const aotigen_buffer rows[] = {{"buf0", 10, AOTIGEN_HANDED_NEVER}};
static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {EXTERN_SITE("aoti_torch_cpu_mm", params, 22, .number = 1)};
static aotigen_model model;
static aotigen_run run;
static aotigen_memory memory;
static fake *tensor;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), WITH(buffers, rows), .guard = AOTIGEN_GUARD_PAGE);
  environment("AOTIGEN_MEMORY", "1");
  tensor = fake_new("float32", 4, -1);
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_int_equal(aotigen_allocate(&run, 0, tensor, &memory), 1);
}

AFTER_EACH {
  fake_free(tensor);
  environment("AOTIGEN_MEMORY", NULL);
}

static void launch(void) {
  const aotigen_value v[] = {handle(tensor)};
  run.launch++;
  assert_null(aotigen_before(&run, 0, v, 1));
  assert_null(aotigen_after(&run, 0, NULL, 0));
}

/* Compares what follows ", allocated in run N before the first launch". */
static void assert_trap_says(const char *end) {
  static const char allocated[] = " before the first launch";
  ag_raw_text said = {0};
  char text[sizeof said.bytes + 1];
  assert_true(ag_guard_pages_explain(&said, memory.data));
  memcpy(text, said.bytes, said.length);
  text[said.length] = 0;
  const char *at = strstr(text, allocated);
  assert_non_null(at);
  assert_string_equal(at + sizeof allocated - 1, end);
}

static void assert_memory_says(const char *end) {
  char *written = captured(2);
  assert_has(written, "  * buf0        16 bytes, allocated at line 10, before the first launch, ");
  assert_has(written, end);
  free(written);
}

TEST(before_the_first_launch) {
  assert_trap_says("");
  aotigen_release(memory.owner);
  launch();
  aotigen_run_end(&run, 0);
  assert_trap_says(", and released before the first launch");
  assert_memory_says(" launch, released before the first launch\n");
}

TEST(behind_a_launch) {
  launch();
  aotigen_release(memory.owner);
  aotigen_run_end(&run, 0);
  assert_trap_says(", and released after launch 1");
  assert_memory_says(" launch, released after launch 1\n");
}

TEST(after_its_run) {
  launch();
  aotigen_run_end(&run, 0);
  aotigen_release(memory.owner);
  assert_trap_says(", and released since");
  assert_memory_says(" launch, not released in its run\n");
}
