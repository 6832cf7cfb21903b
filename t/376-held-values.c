/* 376-held-values - inputs of a watched run that are too large to be copied: whether the capsule
 * says that they have changed, and which are copied when AOTIGEN_COPY_BYTES says so. On the
 * host. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "../runtime/tensor/tensor.h"
#include "../runtime/watch/watcher.h"
#include "shim.h"

/* The library's hooks for tests. */
void ag_output_report_forget(void);
void ag_capsule_forget(void);

static char dir[512], capsule[600];

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own) {
  *own = malloc(sizeof **own);
  **own = *tensor;
  (*own)->storage = NULL; /* the other handle's */
  return 0;
}

BEFORE_EACH {
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(capsule, sizeof capsule, "%s/c", dir);
  environment("AOTIGEN_CAPSULE", capsule);
}

AFTER_EACH {
  unlink(capsule);
  rmdir(dir);
  environment("AOTIGEN_CAPSULE", NULL);
  environment("AOTIGEN_COPY_BYTES", NULL);
}

enum { FLOATS_SMALL = 20000, FLOATS_LARGE = 1 << 20, PIECE_FLOATS = 1024 };

/* What one run writes to the input when it has begun. */
typedef void writer(fake *input);

/* The report of a run with these inputs, whose output is bad, and the capsule's bytes. */
static char *run_bad(fake **inputs, size_t n, writer *write, char **bytes, size_t *size) {
  fake *out = fake_new("float32", 2, -1);
  void *outputs[] = {out};
  FLOATS(out)[0] = NAN;
  ag_output_report_forget();
  ag_capsule_forget();
  unlink(capsule);
  capture(2);
  ag_watched_run *r =
      ag_watcher_begin("AOTInductorModelContainerRun", NULL, (void **)inputs, n, NULL);
  if (write) write(inputs[0]);
  ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
  char *text = captured(2);
  FILE *f = fopen(capsule, "rb");
  assert_non_null(f);
  *bytes = calloc(1, 16 << 20);
  *size = fread(*bytes, 1, 16 << 20, f);
  fclose(f);
  fake_free(out);
  return text;
}

static bool has(const char *bytes, size_t n, const void *part, size_t size) {
  return memmem(bytes, n, part, size) != NULL;
}

/* Expects this line of the report and this in the capsule. */
static void expect(fake *input, writer *write, const char *line, const char *field) {
  char *bytes, *text;
  size_t n;
  text = run_bad(&input, 1, write, &bytes, &n);
  assert_has(text, line);
  if (!has(bytes, n, field, strlen(field))) fail_msg("no '%s' in the capsule", field);
  free(text);
  free(bytes);
}

static const char unchanged[] = "  held          input 0: unchanged since the run began\n",
                  changed[] = "  held          input 0: changed since the run began: the run had "
                              "other values\n",
                  sampled[] = "  held          input 0: unchanged since the run began in the "
                              "eighth of it that was compared\n";
#define SAYS(values) "\"held\",\"why\":null,\"values\":\"" values "\",\"hash\":\""

static void write_last(fake *f) { FLOATS(f)[f->sizes[0] * f->strides[0] - 1] += 1; }
static void write_zeros(fake *f) { memset(f->data, 0, (size_t)f->sizes[0] * 4); }

TEST(it_is_said_whether_an_input_has_changed) {
  fake *in = fake_new("float32", FLOATS_SMALL, -1);
  for (int i = 0; i < FLOATS_SMALL; i++) FLOATS(in)[i] = (float)i;
  expect(in, NULL, unchanged, SAYS("unchanged"));
  expect(in, write_last, changed, SAYS("changed since the run began"));
  expect(in, write_zeros, changed, SAYS("changed since the run began"));
  fake_free(in);
}

static void write_gap(fake *f) { FLOATS(f)[1] = 5; }

/* Memory between its elements is not the tensor's. */
TEST(gaps_are_no_values) {
  fake *in = fake_new("float32", 2 * FLOATS_SMALL, -1);
  in->sizes[0] = FLOATS_SMALL;
  in->strides[0] = 2;
  expect(in, write_gap, unchanged, SAYS("unchanged"));
  in->sizes[0] = FLOATS_SMALL; /* its last one */
  FLOATS(in)[2 * FLOATS_SMALL - 2] = 1;
  expect(in, NULL, unchanged, SAYS("unchanged"));
  fake_free(in);
}

static int at; /* the element that is written */
static void write_at(fake *f) { FLOATS(f)[at] += 1; }

/* Of a large input one piece in eight is compared, other ones in each run. */
TEST(large_inputs_are_compared_in_turns) {
  fake *in = fake_new("float32", FLOATS_LARGE, -1);
  char *bytes;
  size_t n;
  int seen = 0;
  expect(in, NULL, sampled, SAYS("unchanged as far as it was sampled"));
  expect(in, write_zeros, sampled, SAYS("unchanged as far as it was sampled"));
  for (int turn = 0; turn < 8; turn++) {
    at = FLOATS_LARGE - 3;
    char *text = run_bad(&in, 1, write_at, &bytes, &n);
    seen += strstr(text, changed) != NULL;
    free(text);
    free(bytes);
  }
  assert_int_equal(seen, 1);
  in->sizes[0] = FLOATS_LARGE - PIECE_FLOATS; /* less than is sampled */
  expect(in, write_at, unchanged, SAYS("unchanged"));
  at = 0;
  expect(in, write_at, changed, SAYS("changed since the run began"));
  fake_free(in);
}

/* The report says how many bytes it takes, and so many do. */
TEST(as_many_bytes_are_copied_as_are_asked_for) {
  fake *inputs[] = {fake_new("float32", FLOATS_SMALL, -1), fake_new("float32", 16, -1),
                    fake_new("float32", 2 * FLOATS_SMALL, -1)};
  char *bytes, *text, *advice;
  size_t n;
  at = 7;
  FLOATS(inputs[0])[7] = 12345;
  text = run_bad(inputs, 3, write_at, &bytes, &n);
  assert_has(text, changed);
  assert_has(text, "  held          input 2: unchanged since the run began\n");
  advice = strstr(text, "  try next      the values that the run had: AOTIGEN_COPY_BYTES=");
  assert_non_null(advice);
  advice = strchr(advice, '=') + 1;
  *strchr(advice, '\n') = 0;
  assert_string_equal(advice, "80000");
  environment("AOTIGEN_COPY_BYTES", advice);
  free(bytes);
  free(text);
  FLOATS(inputs[0])[7] = 12345;
  text = run_bad(inputs, 3, write_at, &bytes, &n);
  assert_int_equal(count(text, "input 0: "), 0);
  assert_has(text, "  held          input 1, input 2: unchanged since the run began\n");
  float before = 12345, after = 12346;
  assert_true(has(bytes, n, &before, sizeof before));
  assert_false(has(bytes, n, &after, sizeof after));
  free(bytes);
  free(text);
  environment("AOTIGEN_COPY_BYTES", "all");
  text = run_bad(inputs, 3, write_at, &bytes, &n);
  assert_int_equal(count(text, "held"), 0);
  free(bytes);
  free(text);
  environment("AOTIGEN_COPY_BYTES", "0");
  text = run_bad(inputs, 3, write_at, &bytes, &n);
  assert_has(text, "  held          input 1, input 2: unchanged since the run began\n");
  free(bytes);
  free(text);
  for (int i = 0; i < 3; i++) fake_free(inputs[i]);
}

/* The hash of what the capsule has: of outputs, too. */
TEST(a_capsule_has_hashes) {
  fake *in = fake_new("uint8", 1, -1);
  char *bytes, *text = run_bad(&in, 1, NULL, &bytes, (size_t[]){0});
  const char *first = memmem(bytes, 4000, "\"hash\":\"", 8), *second;
  assert_non_null(first);
  assert_non_null(second = memmem(first + 8, 2000, "\"hash\":\"", 8));
  assert_memory_equal(first + 8, "2218cf6d42ac831d", 16);
  assert_memory_equal(second + 8 + 16, "\"", 1);
  free(text);
  free(bytes);
  fake_free(in);
}
