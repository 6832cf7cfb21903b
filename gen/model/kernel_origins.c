/* kernel_origins.c - see kernel_origins.h. */
#include "model/kernel_origins.h"
#include "base/json_span.h"
#include "model/stack_text.h"
#include <string.h>

enum { LINES_MAX = 64, NODES_MAX = 256 /* for one kernel */ };
static const char operators_namespace[] = "at::_ops::";

/* ---- JSON ------------------------------------------------------------------------------------ */

static kernel_origins create(arena *a) {
  return (kernel_origins){string_map_create(a), string_map_create(a)};
}

static kernel_origin *find_or_add(kernel_origins *k, json_span key, arena *a) {
  const char *handle = arena_strndup(a, key.at, key.n);
  kernel_origin *x = string_map_get(k->kernels, handle);
  if (x) return x;
  x = arena_alloc(a, sizeof *x);
  string_map_put(k->kernels, handle, x);
  if (!strncmp(handle, operators_namespace, sizeof operators_namespace - 1))
    string_map_put(k->operators, strrchr(handle, ':'), handle);
  return x;
}

static void add_line(model_lines *to, const aotigen_line *line, arena *a) {
  for (size_t i = 0; i < to->n; i++)
    if (to->at[i].line == line->line && !strcmp(to->at[i].file, line->file)) return;
  if (to->n < LINES_MAX) *arena_push(a, to) = *line;
}

static bool read_stacks(model_lines *to, json_span stacks, arena *a) {
  bool any = false;
  aotigen_line line;
  for (json_walk w = json_walk_begin(stacks); json_walk_next(&w);) {
    const char *text = json_span_text(w.value, a);
    if (!text || !stack_text_read(&line, text, a)) continue;
    add_line(to, &line, a);
    any = true;
  }
  return any;
}

static bool read_names(strings *to, json_span names, arena *a) {
  for (json_walk w = json_walk_begin(names); to->n < NODES_MAX && json_walk_next(&w);) {
    const char *name = json_span_text(w.value, a);
    if (name && !strings_has(to, name)) *arena_push(a, to) = name;
  }
  return to->n > 0;
}

static bool is_handle(json_span key) { return memchr(key.at, ':', key.n); }

/* "KERNEL:HANDLE": [stack, ...], or "KERNEL:HANDLE": {"stack_traces": [...], "pre_grad_nodes":
 * [...]} */
static bool read_kernels(kernel_origins *k, json_span object, arena *a) {
  bool any = false;
  for (json_walk w = json_walk_begin(object); json_walk_next(&w);) {
    if (!is_handle(w.key)) continue;
    kernel_origin x = {0};
    json_span stacks = json_span_is_array(w.value) ? w.value
                                                   : json_span_member(w.value, "stack_traces");
    bool known = read_stacks(&x.lines, stacks, a);
    if (json_span_is_object(w.value))
      known |= read_names(&x.nodes, json_span_member(w.value, "pre_grad_nodes"), a);
    if (!known) continue;
    kernel_origin *to = find_or_add(k, w.key, a);
    if (!to->lines.n) to->lines = x.lines;
    if (!to->nodes.n) to->nodes = x.nodes;
    any = true;
  }
  return any;
}

/* {"cppCodeToPost": {"KERNEL:HANDLE": [post-grad node]}, "postToPre": {post: [pre-grad node]}} */
static bool read_mappings(kernel_origins *k, json_span object, arena *a) {
  json_span kernels = json_span_member(object, "cppCodeToPost"),
            back = json_span_member(object, "postToPre");
  string_map *posts = string_map_create(a);
  bool any = false;
  for (json_walk w = json_walk_begin(back); json_walk_next(&w);) {
    strings *names = arena_alloc(a, sizeof *names);
    if (read_names(names, w.value, a))
      string_map_put(posts, arena_strndup(a, w.key.at, w.key.n), names);
  }
  for (json_walk w = json_walk_begin(kernels); json_walk_next(&w);) {
    strings post = {0}, pre = {0};
    if (!is_handle(w.key) || !read_names(&post, w.value, a)) continue;
    for (size_t i = 0; i < post.n; i++) {
      const strings *names = string_map_get(posts, post.at[i]);
      for (size_t j = 0; names && pre.n < NODES_MAX && j < names->n; j++)
        if (!strings_has(&pre, names->at[j])) *arena_push(a, &pre) = names->at[j];
    }
    if (!pre.n) continue;
    kernel_origin *to = find_or_add(k, w.key, a);
    if (!to->nodes.n) to->nodes = pre;
    any = true;
  }
  return any;
}

static bool read_json(kernel_origins *k, json_span json, arena *a) {
  bool mappings = json_span_member(json, "cppCodeToPost").at != NULL;
  return mappings ? read_mappings(k, json, a) : read_kernels(k, json, a);
}

/* ---- a log of TORCH_TRACE -------------------------------------------------------------------- */

/* The payload of an entry: the lines behind it that begin with a tab. */
static json_span take_payload(const char *at, const char *end) {
  const char *begin = at;
  while (at < end && *at == '\t') {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    at = line ? line + 1 : end;
  }
  return json_span_of(begin, (size_t)(at - begin));
}

static size_t count_known(const kernel_origins *k, const strings *handles) {
  size_t n = 0;
  for (size_t i = 0; i < handles->n; i++) n += kernel_origins_find(k, handles->at[i]) != NULL;
  return n;
}

/* A compilation writes its mappings and then its stacks, each once. */
typedef struct trace {
  kernel_origins best, now;
  size_t most;
  bool any, has_stacks, has_mappings;
} trace;

static void end_compilation(trace *t, const strings *handles, arena *a) {
  size_t n = count_known(&t->now, handles);
  if (n >= t->most) t->best = t->now, t->most = n;
  t->now = create(a);
  t->has_stacks = t->has_mappings = false;
}

static void read_entry(trace *t, json_span payload, bool stacks, const strings *handles, arena *a) {
  if (stacks ? t->has_stacks : t->has_mappings) end_compilation(t, handles, a);
  t->any |= read_json(&t->now, payload, a);
  *(stacks ? &t->has_stacks : &t->has_mappings) = true;
}

static bool line_has(const char *at, size_t n, const char *word) {
  return memmem(at, n, word, strlen(word)) != NULL;
}

static bool read_trace(kernel_origins *k, const char *text, size_t n, const strings *handles,
                       arena *a) {
  trace t = {.best = *k, .now = create(a)};
  const char *end = text + n;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
    size_t length = (size_t)(next - at);
    if (*at != '\t' && line_has(at, length, "\"inductor_provenance_tracking_")) {
      if (line_has(at, length, "_kernel_stack_traces\""))
        read_entry(&t, take_payload(next, end), true, handles, a);
      else if (line_has(at, length, "_node_mappings\""))
        read_entry(&t, take_payload(next, end), false, handles, a);
    }
    at = next;
  }
  end_compilation(&t, handles, a);
  *k = t.best;
  return t.any;
}

bool kernel_origins_read(kernel_origins *k, const char *text, size_t n, const strings *handles,
                         arena *a) {
  json_span json = json_span_of(text, n);
  *k = create(a);
  return json_span_is_object(json) ? read_json(k, json, a) : read_trace(k, text, n, handles, a);
}

/* ---- what a handle is of --------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t n, const char *end, size_t k) {
  return n >= k && !memcmp(text + n - k, end, k);
}

/* "at::_ops::sort_stable::call:10" is "aoti_torch_cpu_sort_stable:10" in a wrapper. */
static const char *find_shim_handle(const kernel_origins *k, const char *handle) {
  const char *number = strrchr(handle, ':');
  const char *key = number ? string_map_get(k->operators, number) : NULL;
  if (!key) return NULL;
  const char *op = key + sizeof operators_namespace - 1, *end = strrchr(key, ':');
  if (end <= op) return NULL;
  size_t n = (size_t)(end - op), shim = (size_t)(number - handle);
  if (ends_with(op, n, "::call", 6)) n -= 6;
  bool same = n && ends_with(handle, shim, op, n) && n < shim && handle[shim - n - 1] == '_';
  return same ? key : NULL;
}

const kernel_origin *kernel_origins_find(const kernel_origins *k, const char *handle) {
  if (!handle || !k->kernels) return NULL;
  const kernel_origin *found = string_map_get(k->kernels, handle);
  const char *key = found ? NULL : find_shim_handle(k, handle);
  return key ? string_map_get(k->kernels, key) : found;
}
