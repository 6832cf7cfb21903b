/* 360-poisoned - what a buffer holds that is guarded, and what is said where torch has no memory.
 */
#include <dlfcn.h>

#include "shim.h"

static const aotigen_param params[] = {
    {.name = "buf0", .dtype = "float16", .role = AOTIGEN_IN, .kind = AOTIGEN_TENSOR},
    {.name = "buf1", .dtype = "float16", .role = AOTIGEN_OUT, .kind = AOTIGEN_TENSOR}};
static const aotigen_param given_params[] = {
    {.name = "arg0_1", .dtype = "float16", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    {.name = "buf0", .dtype = "float16", .role = AOTIGEN_OUT, .kind = AOTIGEN_TENSOR}};
static const aotigen_param filler_params[] = {
    {.name = "buf0", .dtype = "float16", .role = AOTIGEN_UNKNOWN, .kind = AOTIGEN_VIEW},
    {.name = "buf1", .dtype = "float16", .role = AOTIGEN_UNKNOWN, .kind = AOTIGEN_TENSOR}};
static const aotigen_site sites[] = {CPU_SITE("cpp_fused_cat_0", params, 22),
                                     CPU_SITE("cpp_fused_add_1", given_params, 24),
                                     PROXY_SITE("my::fill", filler_params, 26)};
static const aotigen_input inputs[] = {{.name = "arg0_1", .ndim = -1}};
static const aotigen_buffer rows[] = {{"buf0", 10, AOTIGEN_HANDED_NEVER}};
static aotigen_model model;
static uint8_t nan_asserts;
static aotigen_run run;
static aotigen_memory memory;
static fake *tensor;

int32_t aoti_torch_new_tensor_handle(fake *tensor_, fake **shared);
int32_t aoti_torch_new_tensor_handle(fake *tensor_, fake **shared) {
  (void)tensor_;
  *shared = fake_new("float16", 1, -1);
  return 0;
}

/* Allocates a buffer of three float16. */
static int allocate(unsigned guard) {
  model = MODEL(WITH(sites, sites), WITH(inputs, inputs), WITH(buffers, rows),
                .device = fake_device(), .guard = guard, .nan_asserts = nan_asserts);
  tensor = fake_new("float16", 3, -1);
  memset(tensor->data, 0, 6);
  aotigen_run_begin(&run, &model, 0, NULL);
  return aotigen_allocate(&run, 0, tensor, &memory);
}

static void release(void) {
  aotigen_release(memory.owner);
  aotigen_run_end(&run, 0);
  fake_free(tensor);
}

/* Its length is no multiple of the pattern's words. */
TEST(the_last_element_is_filled) {
  static const uint16_t pattern[3] = {0x7ff5, 0x7ff5, 0x7ff5};
  assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
  assert_memory_equal(memory.data, pattern, sizeof pattern);
  release();
}

/* Only the buffer is filled when it is released; the zone behind it is compared later. */
TEST(the_zone_stays) {
  assert_int_equal(allocate(AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_POISON), 1);
  const uint16_t *data = memory.data;
  assert_int_equal(data[2], 0x7ff5);
  assert_int_equal(data[3], 0x7ffd);
  aotigen_release(memory.owner);
  const bool on_host = !strcmp(model.device, "cpu"); /* a device fills whole words */
  for (int i = 0; i < (on_host ? 3 : 2); i++) assert_int_not_equal(data[i], 0x7ff5);
  assert_int_equal(data[3], 0x7ffd);
  aotigen_run_end(&run, 0);
  fake_free(tensor);
}

/* A launch may itself write, through another tensor, a part of the buffer that it reads. */
TEST(a_part_is_written) {
  for (int part = 0; part < 2; part++) {
    capture(2);
    assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
    fake *other = fake_new("float16", 2, -1);
    void *own = other->data;
    if (part) other->data = (uint16_t *)memory.data + 1;
    const aotigen_value v[] = {handle(tensor), handle(other)};
    tensor->data = memory.data;
    run.launch++;
    assert_null(aotigen_before(&run, 0, v, 2));
    assert_null(aotigen_after(&run, 0, NULL, 0));
    other->data = own;
    fake_free(other);
    release();
    char *said = captured(2);
    if (part)
      assert_string_equal(said, "");
    else
      assert_has(said, "unwritten memory read in run ");
    free(said);
  }
}

static void launch(uint32_t site, fake *first, fake *second) {
  const aotigen_value v[] = {handle(first), handle(second)};
  run.launch++;
  assert_null(aotigen_before(&run, site, v, 2));
  assert_null(aotigen_after(&run, site, NULL, 0));
}

/* A launch passes on what an input holds: the pattern, as of an earlier run, or another NaN. */
TEST(the_pattern_is_given) {
  nan_asserts = 1;
  for (int pattern = 0; pattern < 2; pattern++) {
    capture(2);
    assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
    fake *arg = fake_new("float16", 3, -1), *out = fake_new("float16", 3, -1);
    const void *handles[] = {arg};
    for (int i = 0; i < 3; i++) ((uint16_t *)arg->data)[i] = pattern ? 0x7ff5 : 0x7e00;
    aotigen_check_inputs(&run, handles);
    assert_null(aotigen_inputs_owned(&run));
    tensor->data = memory.data;
    launch(1, arg, tensor);
    launch(0, tensor, out);
    fake_free(arg);
    fake_free(out);
    release();
    char *said = captured(2);
    assert_has(said, "NaN arrived in run ");
    if (pattern)
      assert_lacks(said, "unwritten memory");
    else
      assert_has(said, "unwritten memory read in run ");
    free(said);
  }
  nan_asserts = 0;
}

/* Two operators are given a part of a buffer each, and leave out what nobody reads: neither is said
 * to have read it. */
TEST(parts_are_filled) {
  nan_asserts = 1;
  capture(2);
  assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
  fake *part = fake_new("float16", 1, -1), *x = fake_new("float16", 1, -1);
  void *own = part->data;
  for (int i = 0; i < 2; i++) {
    part->data = (uint16_t *)memory.data + i;
    launch(2, part, x);
  }
  part->data = own;
  fake_free(part);
  fake_free(x);
  release();
  assert_equal_freed(captured(2), "");
  nan_asserts = 0;
}

/* A launch stores beside a buffer that it is not given: the launch that is given it is not accused.
 */
TEST(beside_another_buffer) {
  capture(2);
  assert_int_equal(allocate(AOTIGEN_GUARD_CANARY), 1);
  fake *other = fake_new("float16", 3, -1), *out = fake_new("float16", 3, -1);
  launch(1, other, out);
  ((uint16_t *)memory.data)[-1] = 1;
  launch(1, other, out);
  tensor->data = memory.data;
  launch(0, tensor, out);
  fake_free(other);
  fake_free(out);
  release();
  char *said = captured(2);
  assert_has(said, "memory overwritten in run ");
  assert_has(said, "launch 2: cpp_fused_add_1");
  if (strcmp(model.device, "cpu")) { /* a device compares behind launches alone */
    assert_has(said, ", by one of launches 1 to 3\n");
  } else {
    assert_has(said, ", by one of launches 1 to 2\n");
    assert_lacks(said, "launch 3");
  }
  free(said);
}

/* Unwritten elements are reported for the launch that reads them. A launch between them that is not
 * instrumented may have written them. */
TEST(left_unwritten) {
  nan_asserts = 1;
  for (int way = 0; way < 3; way++) {
    capture(2);
    assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
    fake *arg = fake_new("float16", 3, -1), *out = fake_new("float16", 3, -1);
    tensor->data = memory.data;
    const aotigen_value v[] = {handle(arg), handle(tensor)};
    run.launch++;
    assert_null(aotigen_before(&run, 1, v, 2));
    for (int i = 0; i < (way == 1 ? 3 : 2); i++) ((uint16_t *)memory.data)[i] = 0x3c00;
    assert_null(aotigen_after(&run, 1, NULL, 0));
    if (way == 2) run.unseen = ++run.launch;
    launch(0, tensor, out);
    fake_free(arg);
    fake_free(out);
    release();
    char *said = captured(2);
    if (way) {
      assert_lacks(said, "unwritten memory");
    } else {
      assert_has(said, "unwritten memory read in run ");
      assert_has(said, ", launch 2: cpp_fused_cat_0\n");
      assert_has(said, "1 of 3 elements were not written since it was allocated\n");
      assert_has(said, "launch 1 (cpp_fused_add_1), the last launch that should have written it\n");
    }
    free(said);
  }
  nan_asserts = 0;
}

/* Each model says so once. */
/* A kernel leaves the last element out, an operator that no output shows computes in place, and a
 * kernel reads all of it. */
TEST(changed_in_place) {
  nan_asserts = 1;
  capture(2);
  assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
  fake *given = fake_new("float16", 3, -1), *other = fake_new("float16", 3, -1);
  memset(given->data, 0, 6);
  memset(other->data, 0, 6);
  tensor->data = memory.data;
  const aotigen_value v[] = {handle(given), handle(tensor)};
  run.launch++;
  assert_null(aotigen_before(&run, 1, v, 2));
  memset(memory.data, 0, 4);
  assert_null(aotigen_after(&run, 1, NULL, 0));
  launch(2, tensor, other);
  launch(0, tensor, other);
  release();
  fake_free(given);
  fake_free(other);
  char *said = captured(2);
  nan_asserts = 0;
  assert_has(said, "unwritten memory read in run ");
  assert_has(said, ", launch 3: cpp_fused_cat_0\n");
  assert_has(said, "1 of 3 elements were not written since it was allocated\n");
  assert_has(said, "launch 1 (cpp_fused_add_1), the last launch that should have written it\n");
  assert_has(said, "launch 2 (my::fill) may have changed it since, in place\n");
  free(said);
}

TEST(without_memory) {
  fake_has_no_memory = true;
  for (int i = 0; i < 2; i++) {
    capture(2);
    assert_int_equal(allocate(AOTIGEN_GUARD_CANARY), 0);
    aotigen_run_end(&run, 0);
    fake_free(tensor);
    char *said = captured(2);
    assert_has(said, " of model.cpp: the memory of 'buf0', and perhaps of others, is not "
                     "guarded: there is no memory for it; guard less, as by --guard=page:NAME\n");
    free(said);
  }
  fake_has_no_memory = false;
}

/* The driver refuses to fill what was released; here the fake one. */
TEST(unfilled) {
  void (*fake_fail)(const char *, int, int);
  *(void **)&fake_fail = dlsym(RTLD_DEFAULT, "fake_fail");
  if (!fake_fail) return;
  nan_asserts = 1;
  capture(2);
  assert_int_equal(allocate(AOTIGEN_GUARD_POISON), 1);
  fake *in = fake_new("float16", 3, -1), *out = fake_new("float16", 3, -1);
  fake_fail("cuMemsetD32Async", 1, 801);
  aotigen_release(memory.owner);
  launch(1, in, out);
  fake_fail("cuMemsetD32Async", 0, 0);
  aotigen_run_end(&run, 0);
  fake_free(in);
  fake_free(out);
  fake_free(tensor);
  nan_asserts = 0;
  char *said = captured(2);
  assert_has(said,
             " of model.cpp: released memory could not be filled, and a read of it goes unseen: ");
  free(said);
}
