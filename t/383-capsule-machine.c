/* 383-capsule-machine - what a capsule says of the torch and the GPU of its run. */
#include <math.h>

#include "watched.h"

static uint64_t version;
uint64_t aoti_torch_abi_version(void);
uint64_t aoti_torch_abi_version(void) { return version; }

static void assert_said(const char *text) {
  char *bytes;
  FLOATS(out)[0] = NAN;
  free(run_once(1, 1));
  const size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, text));
  free(bytes);
}

TEST(the_torch) {
  version = (uint64_t)2 << 56 | (uint64_t)11 << 48 | (uint64_t)3 << 40 | 7;
  assert_said("\"torch\":\"2.11.3\",");
}

TEST(a_torch_that_does_not_tell) {
  version = 0;
  assert_said("\"torch\":null,");
}

TEST(the_gpu) {
  const bool is_cpu = !strcmp(fake_device(), "cpu");
  if (!is_cpu) in->device_index = out->device_index = 3;
  assert_said(is_cpu ? "\"gpu\":null," : "\"gpu\":\"fake device 3\",");
}
