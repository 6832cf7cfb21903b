/* taken.c - see taken.h. */
#include "taken/taken.h"
#include "base/file.h"
#include "base/shown.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 4 << 20, NAME_MOST = 4096 };
#define INTEGER_MOST 9007199254740992.0 /* a double has each one up to it */

typedef struct reader {
  arena *a;
  const char *why; /* what is wrong, once something is */
} reader;

static void fail(reader *r, const char *why) {
  if (!r->why) r->why = why;
}

/* ---- values */

static const cJSON *find(const cJSON *in, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(in, key);
}

static const char *read_text(reader *r, const cJSON *in, const char *key) {
  const cJSON *at = find(in, key);
  if (cJSON_IsString(at) && strlen(at->valuestring) <= NAME_MOST &&
      shown_is_one_line(at->valuestring))
    return arena_strdup(r->a, at->valuestring);
  fail(r, arena_printf(r->a, "its '%s' is no text of one line", key));
  return "";
}

static long long read_integer(reader *r, const cJSON *at, double least, double most) {
  if (cJSON_IsNumber(at) && at->valuedouble >= least && at->valuedouble <= most &&
      at->valuedouble == floor(at->valuedouble))
    return (long long)at->valuedouble;
  fail(r, "a number in it is out of range");
  return 0;
}

static const cJSON *read_list(reader *r, const cJSON *in, const char *key, int most) {
  const cJSON *at = find(in, key);
  if (cJSON_IsArray(at) && cJSON_GetArraySize(at) <= most) return at->child;
  fail(r, arena_printf(r->a, "its '%s' is no list of at most %d elements", key, most));
  return NULL;
}

static const long long *read_integers(reader *r, const cJSON *in, const char *key, size_t *n) {
  const cJSON *at = read_list(r, in, key, TAKEN_DIMENSIONS);
  long long *list = arena_alloc(r->a, TAKEN_DIMENSIONS * sizeof *list);
  for (*n = 0; at; at = at->next) list[(*n)++] = read_integer(r, at, 0, INTEGER_MOST);
  return list;
}

static uint64_t read_bits(reader *r, const cJSON *in) {
  const char *text = read_text(r, in, "bits");
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    fail(r, "the bits of a number in it are none");
  return strtoull(text, NULL, 16);
}

/* ---- arguments */

static long long find_element(const char *dtype) {
  static const struct {
    const char *name;
    int bytes;
  } rows[] = {
#define X(name, kind, bytes, ...) {#name, bytes},
#include "shared/dtypes.def"
#undef X
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, dtype)) return rows[i].bytes;
  return 0;
}

/* True if all elements lie in the memory. */
static bool lies_within(const taken_argument *x, const taken_memory *m) {
  long long last = 0; /* the last element's distance from the first */
  for (size_t i = 0; i < x->ndim; i++) {
    long long span;
    if (!x->sizes[i] || __builtin_mul_overflow(x->sizes[i] - 1, x->strides[i], &span) ||
        __builtin_add_overflow(last, span, &last))
      return false;
  }
  return !__builtin_mul_overflow(last, x->element, &last) && x->offset <= m->bytes &&
         last <= m->bytes - x->offset && x->element <= m->bytes - x->offset - last;
}

static bool is_empty(const taken_argument *x) {
  for (size_t i = 0; i < x->ndim; i++)
    if (!x->sizes[i]) return true;
  return false;
}

static void read_tensor(reader *r, const taken *t, taken_argument *x, const cJSON *in) {
  size_t nstrides;
  x->dtype = read_text(r, in, "dtype");
  x->element = find_element(x->dtype);
  if (!x->element) fail(r, "an element's type in it is none of torch's");
  x->sizes = read_integers(r, in, "sizes", &x->ndim);
  x->strides = read_integers(r, in, "strides", &nstrides);
  x->memory = read_integer(r, find(in, "memory"), -1, (double)t->memories.n - 1);
  x->offset = read_integer(r, find(in, "offset"), 0, INTEGER_MOST);
  x->written = cJSON_IsTrue(find(in, "written"));
  if (nstrides != x->ndim) fail(r, "a tensor in it has not as many strides as sizes");
  if (r->why) return;
  if (x->memory < 0 ? !is_empty(x) : !lies_within(x, &t->memories.at[x->memory]))
    fail(r, "a tensor in it is larger than its memory");
}

static void read_argument(reader *r, taken *t, const cJSON *in) {
  static const char *const kinds[] = {"tensor", "int", "uint", "float", "bool", NULL};
  const int kind = strings_index(kinds, read_text(r, in, "kind"));
  taken_argument *x = arena_push(r->a, &t->arguments);
  *x = (taken_argument){.name = read_text(r, in, "name"),
                        .kind = kind < 0 ? TAKEN_TENSOR : (enum taken_kind)kind};
  if (kind < 0) fail(r, "an argument in it is of no kind that is known");
  if (kind > 0) x->bits = read_bits(r, in);
  if (kind == 0) read_tensor(r, t, x, in);
}

static void read_memory(reader *r, taken *t, const cJSON *in) {
  *arena_push(r->a, &t->memories) =
      (taken_memory){.bytes = read_integer(r, find(in, "bytes"), 1, INTEGER_MOST),
                     .place = read_integer(r, find(in, "place"), 0, 63),
                     .written = cJSON_IsTrue(find(in, "written"))};
}

static void read_launch(reader *r, taken *t, const cJSON *in) {
  t->kernel = read_text(r, in, "kernel");
  t->threads = read_integer(r, find(in, "threads"), 0, 1 << 20);
  t->is_cpp = cJSON_IsTrue(find(in, "is_cpu"));
  if (find(in, "lack")) {
    t->lack = read_text(r, in, "lack");
    t->lacking = read_text(r, in, "argument");
  }
  if (!t->is_cpp || t->lack) return;
  const cJSON *at = read_list(r, in, "memories", TAKEN_MEMORIES);
  for (; at && !r->why; at = at->next) read_memory(r, t, at);
  at = read_list(r, in, "args", TAKEN_ARGUMENTS);
  for (; at && !r->why; at = at->next) read_argument(r, t, at);
}

/* ---- the whole */

const char *taken_file(const char *dir, size_t memory, const char *when, arena *a) {
  return arena_printf(a, "%s/memory%zu.%s", dir, memory, when);
}

bool taken_read_text(taken *t, const char *text, const char **why, arena *a) {
  reader r = {.a = a};
  *t = (taken){0};
  cJSON *in = cJSON_Parse(text);
  if (cJSON_IsObject(in))
    read_launch(&r, t, in);
  else
    fail(&r, "its description is no JSON");
  cJSON_Delete(in);
  *why = r.why;
  return !r.why;
}

/* True if each memory's file is there, of its size. */
static bool has_files(const taken *t, const char *when, bool only_written, arena *a) {
  if (!file_is_file(arena_printf(a, "%s/%s", t->dir, when))) return false;
  for (size_t i = 0; i < t->memories.n; i++) {
    const taken_memory *m = &t->memories.at[i];
    const char *path = taken_file(t->dir, i, when, a);
    if (only_written && !m->written) continue;
    if (!file_is_file(path) || file_size(path) != (uint64_t)m->bytes) return false;
  }
  return true;
}

bool taken_read(taken *t, const char *dir, const char **why, arena *a) {
  const char *path = arena_printf(a, "%s/launch.json", dir);
  strbuf text = {0};
  *why = NULL;
  const bool is_there = file_read(path, TEXT_MOST, &text);
  bool ok = is_there && taken_read_text(t, text.at ? text.at : "", why, a);
  strbuf_free(&text);
  if (!ok) return false;
  t->dir = dir;
  if (!t->is_cpp || t->lack) return true;
  if (!has_files(t, "before", false, a)) {
    *why = "its memory was not written whole";
    return false;
  }
  t->returned = has_files(t, "after", true, a);
  return true;
}
