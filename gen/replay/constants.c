/* constants.c - see constants.h. */
#include "replay/constants.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

/* ---- what the wrapper declares */

/* A constant of the model; what the text does not tell is NULL or 0. */
typedef struct declared {
  const char *fqn, *dtype;
  const long long *sizes;
  long long bytes;
  size_t ndim;
  bool is_odd; /* it has more dimensions than any */
} declared;

static void read_sizes(declared *x, const char *at, size_t n, arena *a) {
  long long sizes[CAPSULE_DIMENSIONS];
  x->ndim = 0;
  for (size_t i = 0; i < n;) {
    if (at[i] < '0' || at[i] > '9') {
      i++;
      continue;
    }
    char digits[24];
    size_t k = 0;
    while (i < n && at[i] >= '0' && at[i] <= '9') {
      if (k + 1 < sizeof digits) digits[k++] = at[i];
      i++;
    }
    digits[k] = '\0';
    while (i < n && at[i] == 'L') i++;
    x->is_odd |= x->ndim == CAPSULE_DIMENSIONS;
    if (!x->is_odd) sizes[x->ndim++] = strtoll(digits, NULL, 10);
  }
  long long *own = arena_alloc(a, (x->ndim + 1) * sizeof *own);
  memcpy(own, sizes, x->ndim * sizeof *own);
  x->sizes = own;
}

static const char *read_dtype(const char *at, size_t n, arena *a) {
  static const char prefix[] = "torch_dtype_";
  const char *value = arena_strndup(a, at, n), *name = strstr(value, prefix);
  if (!name) return NULL;
  name += sizeof prefix - 1;
  return arena_strndup(a, name, lex_measure_word(name, strlen(name)));
}

static bool is_field(const char *at, size_t n, const char *name) {
  return n == strlen(name) && !strncmp(at, name, n);
}

/* One statement's field and value. True if it is the last field, the name. */
static bool read_field(declared *x, const char *field, size_t nfield, const char *at, size_t n,
                       arena *a) {
  if (is_field(field, nfield, "name")) *x = (declared){0};
  if (is_field(field, nfield, "dtype")) x->dtype = read_dtype(at, n, a);
  if (is_field(field, nfield, "shape")) read_sizes(x, at, n, a);
  if (is_field(field, nfield, "data_size"))
    x->bytes = strtoll(arena_strndup(a, at, n < 20 ? n : 20), NULL, 10);
  if (!is_field(field, nfield, "original_fqn") || n < 2) return false;
  x->fqn = arena_strndup(a, at + 1, n - 2);
  return true;
}

typedef arena_list(declared) declared_list;

/* `constants_info_[0].shape = {8, 8};`: torch writes a field a line. */
static declared_list read_declared(const char *text, size_t n, arena *a) {
  static const char table[] = "constants_info_";
  declared_list all = {0};
  declared x = {0};
  for (size_t at = 0; (at = lex_find_word(text, at, n, table)) < n;) {
    const char *line = text + at, *newline = memchr(line, '\n', n - at);
    const size_t length = newline ? (size_t)(newline - line) : n - at;
    const char *dot = memchr(line, '.', length), *equals = memchr(line, '=', length);
    const char *end = line + length;
    at += length;
    while (end > line && end[-1] != ';') end--;
    if (!dot || !equals || dot > equals || end <= equals) continue;
    const char *field = dot + 1, *value = equals + 1;
    size_t nfield = lex_measure_word(field, (size_t)(equals - field));
    while (value < end - 1 && *value == ' ') value++;
    if (read_field(&x, field, nfield, value, (size_t)(end - 1 - value), a))
      *arena_push(a, &all) = x;
  }
  return all;
}

/* ---- compared */

static const char *describe(const char *dtype, const long long *sizes, size_t n, arena *a) {
  const char *t = "";
  for (size_t i = 0; i < n; i++) t = arena_printf(a, "%s%s%lld", t, i ? ", " : "", sizes[i]);
  return arena_printf(a, "%s [%s]", dtype, t);
}

/* The bytes of a tensor's memory from its first element to its last; -1: too many. */
static long long measure(const capsule_tensor *t) {
  static const struct {
    const char *name;
    int bytes;
  } types[] = {
#define X(name, class, bytes, ...) {#name, bytes},
#include "shared/dtypes.def"
#undef X
  };
  __int128 extent = 1;
  int bytes = 16;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].name, t->dtype)) bytes = types[i].bytes;
  for (size_t i = 0; i < t->ndim; i++) {
    if (t->sizes[i] == 0) return 0;
    extent += (__int128)(t->sizes[i] - 1) * t->strides[i];
    if (extent > (__int128)1 << 56) return -1;
  }
  return (long long)extent * bytes;
}

static bool check_one(const capsule *c, const capsule_constant *k, const declared_list *all,
                      size_t *from, arena *a, diags *d) {
  const capsule_tensor *t = &k->tensor;
  const declared *x = NULL;
  for (size_t i = 0; i < all->n && !x; i++) { /* both are in nearly the same order */
    const size_t next = (*from + i) % all->n;
    if (strcmp(all->at[next].fqn, k->name) != 0) continue;
    x = &all->at[next];
    *from = next + 1;
  }
  if (!x) {
    diag_error(d, STATUS_INPUT, c->path,
               "cannot be replayed: the package has no weight or buffer '%s'", k->name);
    return false;
  }
  const long long bytes = measure(t);
  const bool same = x->dtype && !strcmp(x->dtype, t->dtype) && !x->is_odd && x->sizes &&
                    x->ndim == t->ndim && !memcmp(x->sizes, t->sizes, t->ndim * sizeof *t->sizes);
  if (same && bytes >= 0 && bytes <= x->bytes) return true;
  if (same)
    diag_error(d, STATUS_INPUT, c->path,
               "cannot be replayed: '%s' takes more memory than the package has for it", k->name);
  else
    diag_error(d, STATUS_INPUT, c->path, "cannot be replayed: '%s' is %s, and the package's is %s",
               k->name, describe(t->dtype, t->sizes, t->ndim, a),
               describe(x->dtype ? x->dtype : "unknown", x->sizes, x->ndim, a));
  return false;
}

bool constants_check_text(const capsule *c, const char *text, size_t n, arena *a, diags *d) {
  const declared_list all = read_declared(text, n, a);
  size_t from = 0;
  for (size_t i = 0; i < c->constants.n; i++) {
    const capsule_constant *k = &c->constants.at[i];
    if (k->tensor.kept != CAPSULE_NOT_KEPT && !check_one(c, k, &all, &from, a, d)) return false;
  }
  return true;
}

bool constants_check(const capsule *c, const archive *z, const package_model *m, arena *a,
                     diags *d) {
  size_t n;
  if (!constants_kept(c) || m->wrapper == PACKAGE_NO_MEMBER) return true;
  const char *text = archive_read_text(z, m->wrapper, &n, a, d);
  return text && constants_check_text(c, text, n, a, d);
}

/* ---- told */

size_t constants_kept(const capsule *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->constants.n; i++)
    n += c->constants.at[i].tensor.kept != CAPSULE_NOT_KEPT;
  return n;
}

bool constants_need_fresh(const capsule *c) { return constants_explain(c, true) != NULL; }

const char *constants_name(const capsule *c, bool of_buffers, bool kept, arena *a) {
  enum { NAMED = 3 };
  const char *t = NULL;
  size_t n = 0;
  for (size_t i = 0; i < c->constants.n; i++) {
    const capsule_constant *k = &c->constants.at[i];
    if (k->is_buffer != of_buffers || (k->tensor.kept != CAPSULE_NOT_KEPT) != kept) continue;
    if (n++ < NAMED) t = arena_printf(a, "%s%s'%s'", t ? t : "", t ? ", " : "", k->name);
  }
  return n > NAMED ? arena_printf(a, "%s and %zu more", t, n - NAMED) : t;
}

const char *constants_explain(const capsule *c, bool of_buffers) {
  for (size_t i = 0; i < c->constants.n; i++) {
    const capsule_constant *k = &c->constants.at[i];
    if (k->is_buffer == of_buffers && k->tensor.kept == CAPSULE_NOT_KEPT)
      return k->tensor.why ? k->tensor.why : "no reason is told";
  }
  return NULL;
}
