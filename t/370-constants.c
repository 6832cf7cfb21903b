/* 370-constants - the weights and buffers of a watched model: which ones a capsule has, with which
 * values, and what is said of those that it lacks. Torch's own tables are shown end to end. */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../runtime/watch/container_api.h"
#include "../runtime/watch/watcher.h"
#include "shim.h"

/* The library's hooks for tests. */
void ag_output_report_forget(void);
void ag_capsule_forget(void);
void ag_container_api_give(const ag_container_api *api);

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own) {
  *own = malloc(sizeof **own);
  **own = *tensor;
  (*own)->storage = NULL;
  return 0;
}

/* ---- a container ---------------------------------------------------------------------------- */

enum { WEIGHT, BUFFER, CACHE, TABLE, FOLDED, CONSTANTS };
static const char *const names[] = {"w_1", "count", "kv", "table", "folded"}, *const fqns[] = {
                                                                                  "w.1", "count",
                                                                                  "kv", "table",
                                                                                  ""};
static const int32_t types[] = {1, 2, 2, 2, 4};
static fake *active[CONSTANTS], *inactive[CONSTANTS], *in, *out;
static ag_constant_node nodes[CONSTANTS];
static int freed;

/* C++'s operator delete. */
void cxx_delete(void *memory) __asm__("_ZdlPv");
void cxx_delete(void *memory) { freed += memory >= (void *)nodes; }

static int32_t get_count(void *c, size_t *n) {
  (void)c;
  *n = CONSTANTS;
  return 0;
}

static int32_t get_name(void *c, size_t i, const char **name) {
  (void)c;
  *name = names[i];
  return 0;
}

static int32_t get_fqn(void *c, size_t i, const char **fqn) {
  (void)c;
  *fqn = fqns[i];
  return 0;
}

static int32_t get_folded(void *c, size_t i, bool *folded) {
  (void)c;
  *folded = i == FOLDED;
  return 0;
}

static int32_t get_type(void *c, size_t i, int32_t *type) {
  (void)c;
  *type = types[i];
  return 0;
}

static void set_node(int i, const char *text, void *handle) {
  nodes[i] = (ag_constant_node){.length = strlen(text), .handle = handle};
  nodes[i].text = nodes[i].small;
  strcpy(nodes[i].small, text);
}

static int32_t extract(void *c, void *to, bool of_inactive) {
  ag_constant_map *map = to;
  (void)c;
  for (int i = 0; i < FOLDED; i++) {
    set_node(i, fqns[i], of_inactive ? inactive[i] : active[i]);
    nodes[i].next = map->first;
    map->first = &nodes[i];
  }
  return 0;
}

static int32_t extract_entries(void *c, const ag_constant_entry **to, size_t *n, bool of_inactive) {
  static ag_constant_entry entries[CONSTANTS];
  (void)c;
  for (int i = 0; i < FOLDED; i++)
    entries[i] = (ag_constant_entry){fqns[i], of_inactive ? inactive[i] : active[i]};
  *to = entries;
  *n = FOLDED;
  return 0;
}

static ag_container_api api;
static char capsule[600], dir[512];
static int containers[16], *container = containers;

BEFORE_EACH {
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(capsule, sizeof capsule, "%s/c", dir);
  environment("AOTIGEN_CAPSULE", capsule);
  api = (ag_container_api){get_count, get_name, get_fqn,         get_folded,
                           get_type,  extract,  extract_entries, true};
  ag_container_api_give(&api);
  ag_output_report_forget();
  ag_capsule_forget();
  in = fake_new("float32", 2, -1);
  out = fake_new("float32", 2, -1);
  for (int i = 0; i < CONSTANTS; i++) {
    fake **both[] = {&active[i], &inactive[i]};
    for (int k = 0; k < 2; k++)
      *both[k] = i == CACHE ? fake_new("float32", 128, 129, -1) : fake_new("float32", 3, -1);
  }
}

AFTER_EACH {
  ag_constants_forget(container);
  unlink(capsule);
  rmdir(dir);
  const char *const set[] = {"AOTIGEN_CAPSULE", "AOTIGEN_KEEP_BYTES"};
  for (int i = 0; i < 2; i++) environment(set[i], NULL);
  fake_free(in);
  fake_free(out);
  for (int i = 0; i < CONSTANTS; i++) {
    fake_free(active[i]);
    fake_free(inactive[i]);
  }
}

static bool is_on_host(void) { return !strcmp(fake_device(), "cpu"); }

/* A run that writes `count` to the buffer. What is reported of it is the caller's. */
static size_t copied;
static char *run_once(float count, float output) {
  void *inputs[] = {in}, *outputs[] = {out};
  capture(2);
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", container, inputs, 1, NULL);
  assert_non_null(r);
  copied = r->buffers.count;
  FLOATS(active[BUFFER])[1] = count;
  FLOATS(out)[0] = output;
  ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
  return captured(2);
}

static char *bytes;
static size_t size;
static void read_capsule(void) {
  FILE *f = fopen(capsule, "rb");
  struct stat st;
  assert_non_null(f);
  assert_int_equal(fstat(fileno(f), &st), 0);
  size = (size_t)st.st_size;
  free(bytes);
  bytes = calloc(1, size + 1);
  assert_int_equal(fread(bytes, 1, size, f), size);
  fclose(f);
  unlink(capsule);
}

static bool has(const void *part, size_t n) {
  for (size_t i = 0; i + n <= size; i++)
    if (!memcmp(bytes + i, part, n)) return true;
  return false;
}

static bool has_text(const char *text) { return has(text, strlen(text)); }
static bool has_float(float x) { return has(&x, sizeof x); }

/* ---- buffers -------------------------------------------------------------------------------- */

TEST(a_buffer_is_as_it_was_before_the_run) {
  FLOATS(active[BUFFER])[1] = 12345;
  char *text = run_once(67890, NAN);
  assert_has(text, "  constants     buffers that the model writes to: 1\n");
  free(text);
  read_capsule();
  assert_true(has_float(12345));
  assert_false(has_float(67890));
  assert_true(has_text("\"constants\":[{\"name\":\"count\",\"is\":\"buffer\",\"dtype\":\"float32\","
                       "\"sizes\":[3],\"strides\":[1],"));
  assert_false(has_text("\"name\":\"table\""));
  assert_false(has_text("\"name\":\"w.1\""));
}

TEST(a_buffer_is_copied_once_the_model_wrote_to_it) {
  for (int i = 0; i < 9; i++) {
    assert_equal_freed(run_once((float)(1000 + i), 0), "");
    assert_int_equal(copied, i & (i + 1) ? 1 : 2); /* all of them in runs 1, 2, 4, 8 */
  }
  assert_int_equal(copied, 1);
  free(run_once(2000, NAN));
  read_capsule();
  assert_true(has_float(1008));
  assert_false(has_float(2000));
}

TEST(a_buffer_that_is_never_written_costs_nothing) {
  size_t least = CONSTANTS;
  for (int i = 0; i < 9; i++) {
    assert_equal_freed(run_once(0, 0), "");
    if (copied < least) least = copied;
  }
  assert_int_equal(least, 0);
  free(run_once(0, NAN));
  read_capsule();
  if (is_on_host()) assert_true(has_text("\"constants\":[]"));
}

TEST(a_large_buffer_is_named) {
  free(run_once(0, 0));
  FLOATS(active[CACHE])[77] = 5;
  char *text = run_once(0, NAN);
  assert_has(text,
             "  without       1 of 1 buffers that the model writes to (66048 bytes): it is too "
             "large to be copied before each run: replay has the package's\n");
  free(text);
  read_capsule();
  assert_true(
      has_text("\"name\":\"kv\",\"is\":\"buffer\",\"dtype\":\"float32\",\"sizes\":[128,129],"
               "\"strides\":[129,1],"));
  assert_true(has_text("\"kept\":\"not kept\",\"why\":\"it is too large"));
}

/* ---- updates -------------------------------------------------------------------------------- */

static void update(ag_constants_update u, fake **handles) {
  ag_constants_begin_update(container, u.swaps);
  if (u.swaps) {
    memcpy(nodes, active, sizeof active);
    memcpy(active, inactive, sizeof active);
    memcpy(inactive, nodes, sizeof active);
  }
  if (handles) FLOATS(handles[WEIGHT])[2] = 777;
  u.done = true;
  ag_constants_end_update(container, &u);
}

static void update_by_map(bool of_inactive) {
  ag_constant_node node = {.length = 3, .text = node.small, .small = "w_1"};
  ag_constant_map map = {.first = &node};
  update((ag_constants_update){.map = &map, .inactive = of_inactive},
         of_inactive ? inactive : active);
}

TEST(an_updated_weight_is_in_the_capsule) {
  free(run_once(0, 0));
  update_by_map(false);
  char *text = run_once(0, NAN);
  assert_has(text, "  constants     updated weights: 1\n");
  free(text);
  read_capsule();
  assert_true(has_text("{\"name\":\"w.1\",\"is\":\"weight\""));
  assert_true(has_float(777));
  update((ag_constants_update){.entries = &(ag_constant_entry){"table", NULL}, .n = 1}, NULL);
  ag_output_report_forget();
  ag_capsule_forget();
  free(run_once(0, NAN));
  read_capsule();
  assert_true(has_text("{\"name\":\"w.1\",\"is\":\"weight\""));
  assert_true(has_text("{\"name\":\"table\",\"is\":"));
}

TEST(a_buffer_stays_known_when_a_weight_is_updated) {
  for (int i = 0; i < 3; i++) free(run_once((float)(1000 + i), 0));
  update_by_map(false);
  free(run_once(2000, 0));
  assert_int_equal(copied, 2); /* the 4th run */
  free(run_once(3000, NAN));
  read_capsule();
  assert_true(has_float(2000));
  assert_true(has_text("{\"name\":\"count\",\"is\":\"buffer\""));
  assert_false(has_text("\"name\":\"table\""));
}

TEST(weights_beyond_what_is_kept_are_named) {
  update_by_map(false);
  environment("AOTIGEN_KEEP_BYTES", "8");
  assert_has_freed(run_once(0, NAN), "  without       1 of 1 updated weights (12 bytes): it is "
                                     "beyond AOTIGEN_KEEP_BYTES");
  read_capsule();
  assert_false(has_float(777));
}

static bool has_weight_after(float output) {
  ag_output_report_forget();
  ag_capsule_forget();
  free(run_once(0, output));
  read_capsule();
  return has_text("\"name\":\"w.1\"");
}

/* What is not in use is no weight of the run, until it is swapped in. */
TEST(swapped_weights_are_those_in_use) {
  free(run_once(0, 0));
  update_by_map(true);
  assert_false(has_weight_after(NAN));
  assert_false(has_float(777));
  update((ag_constants_update){.swaps = true}, NULL);
  assert_true(has_weight_after(NAN));
  assert_true(has_float(777));
  update((ag_constants_update){.swaps = true}, NULL);
  assert_false(has_weight_after(NAN));
  update_by_map(false);
  assert_true(has_weight_after(NAN));
}

/* As a std::string that begins with its address: each weight may have been updated. */
TEST(an_unknown_map_may_have_each_weight) {
  ag_constant_node node = {.length = (size_t)(uintptr_t)&node, .text = node.small, .small = "w_1"};
  ag_constant_map map = {.first = &node};
  update((ag_constants_update){.map = &map}, NULL);
  free(run_once(0, NAN));
  read_capsule();
  assert_true(has_text("\"name\":\"w.1\""));
  assert_true(has_text("\"name\":\"table\""));
  assert_false(has_text("\"name\":\"folded\""));
}

TEST(nothing_is_read_during_an_update) {
  free(run_once(0, 0));
  ag_constants_begin_update(container, false);
  free(run_once(0, NAN));
  ag_constants_end_update(container, &(ag_constants_update){.done = false});
  read_capsule();
  assert_true(has_text("\"constants\":null,\"constants_why\":\"they were being updated\""));
}

/* ---- versions of torch ---------------------------------------------------------------------- */

TEST(constants_come_without_maps_too) {
  api.reads_maps = false;
  FLOATS(active[BUFFER])[1] = 12345;
  free(run_once(67890, NAN));
  read_capsule();
  assert_true(has_float(12345));
}

TEST(a_torch_that_tells_none_is_said) {
  api.type = NULL;
  free(run_once(0, NAN));
  read_capsule();
  assert_true(has_text("\"constants\":null,\"constants_why\":\"this torch does not tell them\""));
}

TEST(maps_are_freed) {
  freed = 0;
  free(run_once(0, 0));
  assert_int_equal(freed, FOLDED);
}

/* The memory of one that was deleted may be another's. */
TEST(a_container_is_forgotten) {
  update_by_map(false);
  ag_constants_forget(container);
  free(run_once(0, NAN));
  read_capsule();
  assert_false(has_text("\"name\":\"w.1\""));
}

/* ---- many constants ------------------------------------------------------------------------- */

enum { MANY = 60000 };
static char many_names[MANY][16];

static int32_t get_many(void *c, size_t *n) {
  (void)c;
  *n = MANY;
  return 0;
}

static int32_t get_many_name(void *c, size_t i, const char **name) {
  (void)c;
  *name = many_names[i];
  return 0;
}

static int32_t get_many_type(void *c, size_t i, int32_t *type) {
  (void)c;
  *type = i ? 1 : 2;
  return 0;
}

static int32_t get_none_folded(void *c, size_t i, bool *folded) {
  (void)c;
  (void)i;
  *folded = false;
  return 0;
}

/* In about the reverse order, as libstdc++'s maps are. */
static ag_constant_entry many_entries[MANY];
static int32_t extract_many(void *c, const ag_constant_entry **to, size_t *n, bool of_inactive) {
  (void)c;
  (void)of_inactive;
  for (size_t i = 0; i < MANY; i++)
    many_entries[i] = (ag_constant_entry){many_names[MANY - 1 - i], active[WEIGHT]};
  *to = many_entries;
  *n = MANY;
  return 0;
}

/* Sorted in a moment. Pairwise comparisons would take half a minute: the limit is against that. */
TEST(many_constants_are_found_in_any_order) {
  bool is_first;
  for (size_t i = 0; i < MANY; i++) snprintf(many_names[i], 16, "layer.%zu", i);
  api = (ag_container_api){get_many,      get_many_name, get_many_name, get_none_folded,
                           get_many_type, NULL,          extract_many,  false};
  const clock_t begin = clock();
  const ag_constants *c = ag_constants_begin_run(container, &is_first);
  assert_non_null(c);
  assert_int_equal(c->count, MANY);
  update((ag_constants_update){.entries = many_entries, .n = MANY}, NULL);
  assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
  for (size_t i = 0; i < MANY; i++)
    assert_true(c->list[i].handle == active[WEIGHT] && c->list[i].updated[0]);
}
