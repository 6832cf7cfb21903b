/* run_readers.c - the readers of runtime/: what the environment says, what a wrapper says of its
 * launches, and the compact language of sizes. */
#include "fuzz/readers.h"
#include "model.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/filter.h"
#include "base/json.h"
#include "shared/nearest.h"
#include "base/schema.h"
#include "base/settings.h"
#include "checks/extent.h"
#include "state/model_state.h"
#include "explain/memory.h"
#include "explain/solve.h"

/* Without the message about each malformed value. */
static void reload_silently(void) {
  int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  ag_settings_reload();
  dup2(kept, STDERR_FILENO);
  close(kept);
  close(nowhere);
}

/* The first line is the list, the second the names. */
static void read_filter(const char *at, size_t n) {
  char *list = strndup(at, n), *names = list ? strchr(list, '\n') : NULL;
  const char *rest, *pattern;
  size_t length;
  bool excludes;
  if (!list) return;
  if (names) *names++ = '\0';
  ag_filter_is_valid(list);
  ag_filter_matches(list, "triton_poi_fused_gelu_0", names ? names : "aten.gelu, aten.addmm",
                    "gelu, linear_1");
  for (rest = list; ag_filter_next(&rest, &pattern, &length, &excludes);) continue;
  free(list);
}

/* The first line are the launches, the second the runs, the third the log's name; all of it are the
 * kernels. */
static void read_settings(const char *at, size_t n) {
  static const char *const names[] = {"AOTIGEN_LAUNCHES", "AOTIGEN_RUNS", "AOTIGEN_LOG", NULL};
  char *text = strndup(at, n), *line = text;
  if (!text) return;
  setenv("AOTIGEN_KERNELS", text, 1);
  for (int i = 0; names[i]; i++) {
    char *next = line ? strchr(line, '\n') : NULL;
    if (next && names[i + 1]) *next++ = '\0';
    setenv(names[i], line ? line : "", 1);
    line = next;
  }
  reload_silently();
  ag_number_list_has(&ag_settings_get()->launches, 7);
  ag_number_list_has(&ag_settings_get()->runs, UINT64_MAX);
  free(text);
}

static void read_names(const char *at, size_t n) {
  const char *end = at + n, *newline = memchr(at, '\n', n), *name = newline ? newline + 1 : end;
  ag_nearest near;
  ag_nearest_begin(&near, at, newline ? (size_t)(newline - at) : n);
  while (name < end) {
    const char *comma = memchr(name, ',', (size_t)(end - name));
    ag_nearest_add(&near, name, (size_t)((comma ? comma : end) - name));
    name = comma ? comma + 1 : end;
  }
}

static void write_json(const char *at, size_t n) {
  char *text = strndup(at, n);
  ag_text t = {0};
  ag_json_add_string(&t, text);
  ag_text_free(&t);
  free(text);
}

static void read_extent(const char *at, size_t n) {
  char *text = strndup(at, n);
  const ag_record none = {0};
  if (text) ag_extent_compute(text, &none);
  free(text);
}

/* A graph, and all that it stores, with no tensor behind it. */
static void read_graph(const char *at, size_t n) {
  char *text = strndup(at, n);
  ag_graph g;
  ag_interpreter m;
  if (text && ag_graph_read(&g, text)) {
    ag_operand *none = calloc((size_t)g.nparams + 1, sizeof *none);
    if (none && ag_interpreter_begin(&m, &g, none, ag_memory_load)) {
      m.work_most = 0;
      for (int32_t i = 0; i < g.naccesses && i < 4; i++) {
        const ag_graph_access *x = &g.accesses[i];
        ag_number value;
        if (ag_solve(&m, x, 3) != AG_SOLVED_NOT && x->value >= 0)
          ag_interpret(&m, x->value, &value);
      }
      ag_interpreter_end(&m);
    }
    free(none);
    ag_graph_free(&g);
  }
  free(text);
}

/* ---- schemas */

/* A function of ASan, whose reports stay visible. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);

/* Silences stderr; what is returned ends that. */
static int silence(void) {
  int kept = dup(2), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept < 0 || null < 0 || dup2(null, 2) < 0) abort();
  close(null);
  if (__sanitizer_set_report_fd) __sanitizer_set_report_fd((void *)(intptr_t)kept);
  return kept;
}

static void end_silence(int kept) {
  dup2(kept, 2);
  close(kept);
  if (__sanitizer_set_report_fd) __sanitizer_set_report_fd((void *)(intptr_t)2);
}

/* torch says that of the registered op x::f, which a model calls. */
static void compare_schema(const char *text) {
  static const aotigen_op_value values[] = {{"x", "as_tensor", 1, NULL},
                                            {"xs", "as_tensors", 3, NULL},
                                            {"k", "as_float", 0, "1.5"},
                                            {"", "as_tensor", 1, NULL}};
  static const aotigen_op op = {
      .name = "x::f", .overload = "", .values = values, .ninputs = 3, .noutputs = 1};
  static const aotigen_site site = {.kernel = "x::f", .function = "run_impl", .op = &op};
  static aotigen_model model =
      MODEL(.source = "x.cpp", .sites = &site, .nsites = 1, .guard = 1, .check_inputs = 1);
  ag_text described = {0};
  int kept = silence();
  ag_text_addf(&described, "name: x::f\nschema: %s\n", text);
  ag_model_state *m = ag_model_state_of(&model);
  if (m && m->ops.facts) {
    aotigen_op_registered(&model, 0, ag_text_string(&described));
    if (m->ops.facts[0]) free((void *)(uintptr_t)m->ops.facts[0]->schema);
    free((void *)(uintptr_t)m->ops.facts[0]);
    m->ops.facts[0] = NULL;
    ag_text_free(&m->ops.fault);
  }
  end_silence(kept);
  ag_text_free(&described);
}

static void read_schema(const char *at, size_t n) {
  char *text = strndup(at, n);
  ag_schema_at argument = {0}, result = {0};
  ag_schema_value x;
  if (!text) return;
  ag_schema_is_complete(text);
  while (ag_schema_next_argument(&argument, text, &x)) ag_schema_is_named(&x, "x");
  while (ag_schema_next_result(&result, text, &x)) ag_schema_is_named(&x, "x");
  compare_schema(text);
  free(text);
}

const reader readers[] = {{"filter", read_filter}, {"settings", read_settings},
                          {"names", read_names},   {"json", write_json},
                          {"extent", read_extent}, {"graph", read_graph},
                          {"schema", read_schema}, {NULL, NULL}};
