/* capsule.c - see capsule.h. */
#include "replay/capsule.h"
#include "base/file.h"
#include "base/shown.h"
#include "package/archive.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { TEXT_MOST = 4 << 20, STRING_MOST = 4096, VALUES_MOST = 1 << 19 };
#define INTEGER_MOST 9007199254740992.0 /* a double has each one up to it */

/* A description that is being read; `why` is what is wrong with it, once something is. */
typedef struct reader {
  arena *a;
  const char *why;
} reader;

__attribute__((format(printf, 2, 3))) static void fail(reader *r, const char *format, ...) {
  va_list args;
  if (r->why) return;
  va_start(args, format);
  r->why = arena_vprintf(r->a, format, args);
  va_end(args);
}

/* ---- values */

static const cJSON *find(const cJSON *in, const char *key) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(in, key);
  return cJSON_IsNull(at) ? NULL : at;
}

/* A text of one line; NULL for none, which is wrong where it is needed. */
static const char *read_text(reader *r, const cJSON *in, const char *key, bool needed) {
  const cJSON *at = find(in, key);
  if (!at && !needed) return NULL;
  if (!cJSON_IsString(at) || strlen(at->valuestring) > STRING_MOST ||
      !shown_is_one_line(at->valuestring) || (needed && !*at->valuestring)) {
    fail(r, "its '%s' is no text of one line", key);
    return "";
  }
  return arena_strdup(r->a, at->valuestring);
}

static bool is_integer(const cJSON *at, double least, double most) {
  return cJSON_IsNumber(at) && at->valuedouble >= least && at->valuedouble <= most &&
         at->valuedouble == floor(at->valuedouble);
}

/* `none` where there is none. */
static long long read_integer(reader *r, const cJSON *in, const char *key, long long none) {
  const cJSON *at = find(in, key);
  if (!at && none < 0) return none;
  if (is_integer(at, 0, INTEGER_MOST)) return (long long)at->valuedouble;
  fail(r, "its '%s' is no whole number", key);
  return 0;
}

/* A list of at most `most`; an empty one where it is wrong. */
static const cJSON *read_list(reader *r, const cJSON *in, const char *key, int most) {
  const cJSON *at = find(in, key);
  if (!cJSON_IsArray(at))
    fail(r, "its '%s' is no list", key);
  else if (cJSON_GetArraySize(at) > most)
    fail(r, "its '%s' has more than %d elements", key, most);
  else
    return at->child;
  return NULL;
}

static const long long *read_integers(reader *r, const cJSON *in, const char *key, size_t *n) {
  const cJSON *at = read_list(r, in, key, CAPSULE_DIMENSIONS);
  long long *list = arena_alloc(r->a, CAPSULE_DIMENSIONS * sizeof *list);
  for (*n = 0; at; at = at->next) {
    const bool ok = is_integer(at, 0, INTEGER_MOST);
    if (!ok) fail(r, "its '%s' has an element that is no size", key);
    list[(*n)++] = ok ? (long long)at->valuedouble : 0;
  }
  return list;
}

/* A word, as the names of dtypes and devices are. */
static const char *read_word(reader *r, const cJSON *in, const char *key) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_:";
  const char *text = read_text(r, in, key, true);
  if (strlen(text) > 32 || strspn(text, letters) != strlen(text))
    fail(r, "its '%s' is no name of torch's", key);
  return text;
}

/* ---- parts */

static void read_tensor(reader *r, capsule_tensor *t, const cJSON *in) {
  static const char *const kept[] = {"copied", "held", "not kept", NULL};
  static const char *const values[] = {"unchanged", "unchanged as far as it was sampled",
                                       "changed since the run began", NULL};
  size_t nstrides;
  *t = (capsule_tensor){.why = read_text(r, in, "why", false)};
  t->dtype = read_word(r, in, "dtype");
  t->device = read_word(r, in, "device");
  t->sizes = read_integers(r, in, "sizes", &t->ndim);
  t->strides = read_integers(r, in, "strides", &nstrides);
  if (nstrides != t->ndim) fail(r, "a tensor has %zu sizes and %zu strides", t->ndim, nstrides);
  const char *how = read_text(r, in, "kept", true);
  const int i = strings_index(kept, how);
  if (i < 0) fail(r, "its 'kept' is '%.40s'", how);
  t->kept = i < 0 ? CAPSULE_NOT_KEPT : (enum capsule_kept)i;
  const char *since = read_text(r, in, "values", false);
  const int v = since ? strings_index(values, since) + 1 : CAPSULE_VALUES_UNKNOWN;
  if (since && !v) fail(r, "its 'values' is '%.40s'", since);
  t->values = (enum capsule_values)v;
}

static void read_tensors(reader *r, capsule_tensors *to, const cJSON *in, const char *key) {
  for (const cJSON *at = read_list(r, in, key, CAPSULE_TENSORS); at && !r->why; at = at->next)
    read_tensor(r, arena_push(r->a, to), at);
}

/* An earlier watch library tells none. */
static void read_constants(reader *r, capsule *c, const cJSON *in) {
  c->constants_why = read_text(r, in, "constants_why", false);
  c->constants_known = find(in, "constants") != NULL;
  if (!c->constants_known) return;
  c->constants_more = read_integer(r, in, "constants_more", 0);
  const cJSON *at = read_list(r, in, "constants", CAPSULE_TENSORS);
  for (; at && !r->why; at = at->next) {
    capsule_constant *k = arena_push(r->a, &c->constants);
    k->name = read_text(r, at, "name", true);
    k->is_buffer = !strcmp(read_text(r, at, "is", true), "buffer");
    read_tensor(r, &k->tensor, at);
  }
}

static const char *format_index(reader *r, const cJSON *in) {
  size_t n = 0;
  if (!find(in, "first")) return NULL;
  const long long *at = read_integers(r, in, "first", &n);
  const char *t = "";
  for (size_t i = 0; i < n; i++) t = arena_printf(r->a, "%s%s%lld", t, i ? ", " : "", at[i]);
  return arena_printf(r->a, "[%s]", t);
}

static void read_limit(reader *r, capsule_finding *f, const cJSON *in) {
  static const char *const comparisons[] = {"<", "<=", ">", ">=", NULL};
  const cJSON *bound = find(in, "bound");
  f->limit = read_text(r, in, "limit", true);
  f->comparison = read_text(r, in, "comparison", true);
  f->absolute = cJSON_IsTrue(find(in, "absolute"));
  if (strings_index(comparisons, f->comparison) < 0)
    fail(r, "a limit's 'comparison' is '%.40s'", f->comparison);
  f->bound = cJSON_IsNumber(bound) ? bound->valuedouble : (double)NAN;
  if (!isfinite(f->bound)) fail(r, "a limit's 'bound' is no number");
}

static void read_findings(reader *r, capsule *c, const cJSON *in) {
  static const char *const kinds[] = {"bad", "limit", "dead", NULL};
  const cJSON *at = read_list(r, in, "findings", CAPSULE_TENSORS);
  for (; at && !r->why; at = at->next) {
    const char *kind = read_text(r, at, "kind", false);
    const int i = kind ? strings_index(kinds, kind) : 0;
    capsule_finding f = {.kind = i > 0 ? (enum capsule_finding_kind)i : CAPSULE_BAD,
                         .output = read_integer(r, at, "output", 0),
                         .first = format_index(r, at)};
    if (i < 0) fail(r, "a finding's 'kind' is '%.40s'", kind);
    if (f.kind == CAPSULE_BAD) {
      f.nan = read_integer(r, at, "nan", 0);
      f.pos_inf = read_integer(r, at, "pos_inf", 0);
      f.neg_inf = read_integer(r, at, "neg_inf", 0);
    }
    if (f.kind == CAPSULE_LIMIT) read_limit(r, &f, at);
    if (f.output >= (long long)c->outputs.n)
      fail(r, "a finding is of output %lld, and there are %zu", f.output, c->outputs.n);
    *arena_push(r->a, &c->findings) = f;
  }
}

static void read_model(reader *r, capsule *c, const cJSON *in) {
  const cJSON *m = find(in, "model");
  if (!cJSON_IsObject(m)) fail(r, "its 'model' is no object");
  c->model = read_text(r, m, "model", true);
  c->package = read_text(r, m, "package", true);
  c->so_hash = read_text(r, m, "so_hash", true);
  if (strlen(c->so_hash) != 16 || strspn(c->so_hash, "0123456789abcdef") != 16)
    fail(r, "its 'so_hash' is no hash");
}

static void read_run(reader *r, capsule *c, const cJSON *in) {
  const cJSON *time = find(in, "time");
  c->run = read_integer(r, in, "run", 0);
  c->pid = read_integer(r, in, "pid", 0);
  c->rank = read_integer(r, in, "rank", -1);
  c->host = read_text(r, in, "host", false);
  c->gpu = read_text(r, in, "gpu", false);
  c->torch = read_text(r, in, "torch", false);
  c->device = read_word(r, in, "device");
  if (cJSON_IsNumber(time) && time->valuedouble > 0 && time->valuedouble < 1e11)
    c->time = time->valuedouble;
  c->fault = read_text(r, in, "fault", false);
  c->error = read_text(r, in, "error", false);
  if (c->fault && !*c->fault) c->fault = NULL;
  const char *entry = read_text(r, in, "entry", true), *weights = read_text(r, in, "weights", true);
  c->single_threaded = strstr(entry, "SingleThreaded") != NULL;
  c->updated = strcmp(weights, "updated") == 0;
  c->updated_first = strcmp(weights, "updated before the first run") == 0;
}

/* Of the environment only what changes results is taken, and that by its form. */
static void read_environment(reader *r, capsule *c, const cJSON *in) {
  const cJSON *at = find(find(in, "environment"), "OMP_NUM_THREADS");
  const char *text = cJSON_IsString(at) ? at->valuestring : "";
  const size_t n = strlen(text);
  if (n && n <= 3 && strspn(text, "0123456789") == n && *text != '0')
    c->omp_threads = arena_strdup(r->a, text);
}

/* ---- the whole */

/* Limits what cJSON allocates. */
static bool is_modest(const char *text, size_t n) {
  size_t values = 0;
  for (size_t i = 0; i < n && values <= VALUES_MOST; i++)
    values += text[i] == ',' || text[i] == '[' || text[i] == '{';
  return values <= VALUES_MOST;
}

static bool check_format(const cJSON *in, const char *name, arena *a, diags *d) {
  const cJSON *format = find(in, "aotigen_capsule"), *by = find(in, "aotigen");
  if (is_integer(format, CAPSULE_FORMAT, CAPSULE_FORMAT)) return true;
  if (is_integer(format, 0, INTEGER_MOST))
    diag_error(d, STATUS_INPUT, name,
               "is a capsule of format %.0f, and this aotigen reads format %d: replay it with the "
               "version that wrote it%s",
               format->valuedouble, CAPSULE_FORMAT,
               cJSON_IsString(by) ? arena_printf(a, ", %.40s", by->valuestring) : "");
  else
    diag_error(d, STATUS_INPUT, name,
               "does not describe a run of a watched model: a capsule is the file that a watch "
               "package writes where a run's outputs are bad, as AOTIGEN_CAPSULE names it");
  return false;
}

static const char *read_all(capsule *c, const cJSON *in, arena *a) {
  reader r = {.a = a};
  read_model(&r, c, in);
  read_run(&r, c, in);
  read_tensors(&r, &c->inputs, in, "inputs");
  read_tensors(&r, &c->outputs, in, "outputs");
  read_constants(&r, c, in);
  read_findings(&r, c, in);
  read_environment(&r, c, in);
  return r.why;
}

bool capsule_read_text(capsule *c, const char *name, const char *text, size_t n, arena *a,
                       diags *d) {
  *c = (capsule){.path = name};
  cJSON *in = is_modest(text, n) ? cJSON_ParseWithOpts(text, NULL, true) : NULL;
  bool ok = cJSON_IsObject(in);
  if (!ok)
    diag_error(d, STATUS_INPUT, name,
               "is no JSON object, or one of more values than a capsule's: the file was cut or "
               "changed after it was written; take another capsule");
  ok = ok && check_format(in, name, a, d);
  const char *why = ok ? read_all(c, in, a) : NULL;
  if (why)
    diag_error(d, STATUS_INPUT, name,
               "does not describe a run: %s; it was changed after it was written, take another "
               "capsule",
               why);
  cJSON_Delete(in);
  return ok && !why;
}

/* The member "NAME/capsule.json"; the number of members for none. */
static size_t find_member(const archive *z) {
  size_t i = 0;
  for (; i < z->members.n; i++) {
    const char *slash = strchr(z->members.at[i].name, '/');
    if (slash && !strcmp(slash, "/capsule.json")) break;
  }
  return i;
}

bool capsule_read(capsule *c, const char *path, const options *o, arena *a, diags *d) {
  archive z;
  size_t n;
  const char *text = NULL;
  bool ok = archive_open(&z, path, o, a, d);
  const size_t i = ok ? find_member(&z) : 0;
  if (ok && i == z.members.n)
    diag_error(d, STATUS_INPUT, path,
               "is no capsule, for it has no 'capsule.json': a capsule is the file that a watch "
               "package writes where a run's outputs are bad, as AOTIGEN_CAPSULE names it");
  else if (ok)
    text = archive_read_long_text(&z, i, TEXT_MOST,
                                  "is larger than the description of a run (4 MiB): the file is "
                                  "no capsule, or was changed after it was written",
                                  &n, a, d);
  archive_close(&z);
  if (!text || !capsule_read_text(c, archive_member_path(&z, i, a), text, n, a, d)) return false;
  c->path = path;
  return true;
}

const char *capsule_describe_findings(const capsule *c, arena *a) {
  const char *t = "";
  if (c->fault)
    return arena_printf(a, "it was ended by %s %s%s%s", strchr("aeiou", *c->fault) ? "an" : "a",
                        c->fault, c->error ? ": " : "", c->error ? c->error : "");
  for (size_t i = 0; i < c->findings.n && i < 3; i++) {
    const capsule_finding *f = &c->findings.at[i];
    const long long inf = f->pos_inf + f->neg_inf;
    const char *had = f->kind == CAPSULE_LIMIT ? arena_printf(a, "values beyond %s", f->limit)
                      : f->kind == CAPSULE_DEAD
                          ? "only one value"
                          : arena_printf(a, "%lld NaN and %lld Inf", f->nan, inf);
    t = arena_printf(a, "%s%soutput %lld had %s", t, *t ? "; " : "", f->output, had);
    if (f->first) t = arena_printf(a, "%s, the first at %s", t, f->first);
  }
  return c->findings.n > 3 ? arena_printf(a, "%s; and more", t) : t;
}
