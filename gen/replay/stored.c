/* stored.c - see stored.h. */
#include "replay/stored.h"
#include "package/archive.h"
#include "replay/pickle.h"
#include <string.h>

enum { PICKLE_MOST = 8 << 20 };

/* ---- the numbers of a tensor */

static bool read_number(const pickle_value *v, long long *to) {
  *to = v->number;
  return v->kind == PICKLE_INTEGER && v->number >= 0;
}

static const long long *read_numbers(const pickle_value *v, size_t *n, arena *a) {
  long long *list = arena_alloc(a, (CAPSULE_DIMENSIONS + 1) * sizeof *list);
  if (v->kind != PICKLE_TUPLE || v->list.n > CAPSULE_DIMENSIONS) return NULL;
  for (size_t i = 0; i < v->list.n; i++)
    if (!read_number(v->list.at[i], &list[i])) return NULL;
  *n = v->list.n;
  return list;
}

/* ---- dtypes */

/* The dtype of a class of storages; NULL for the untyped one, and for others. */
static const char *find_dtype(const char *storage) {
  static const struct {
    const char *dtype, *storage;
  } rows[] = {
#define X(name, kind, bytes, exponent, mantissa, special, number, dlpack, aten, type, storage,     \
          ...)                                                                                     \
  {#name, storage},
#include "shared/dtypes.def"
#undef X
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].storage && !strcmp(rows[i].storage, storage)) return rows[i].dtype;
  return NULL;
}

static bool is_dtype(const char *name) {
  static const char *const names[] = {
#define X(name, ...) #name,
#include "shared/dtypes.def"
#undef X
      NULL};
  return strings_index(names, name) >= 0;
}

/* ---- a tensor: _rebuild_tensor_v2(storage, offset, sizes, strides, requires_grad, hooks), or
 * _v3() of an untyped storage, with the dtype behind these */

/* "torch.storage", ("storage", class, member, device, elements). */
static bool read_storage(stored_tensor *t, const pickle_value *v) {
  if (v->kind != PICKLE_PERSISTENT || v->list.n != 5) return false;
  const pickle_value *const *at = v->list.at;
  const char *class = at[1]->kind == PICKLE_GLOBAL ? at[1]->text : "";
  if (at[0]->kind != PICKLE_TEXT || strcmp(at[0]->text, "storage") || at[2]->kind != PICKLE_TEXT)
    return false;
  t->member = at[2]->text;
  t->dtype = text_begins(class, "torch ") ? find_dtype(class + strlen("torch ")) : NULL;
  return t->dtype || !strcmp(class, "torch.storage UntypedStorage");
}

static bool read_call(stored_tensor *t, const pickle_value *v, arena *a) {
  const bool is_v3 = !strcmp(v->text, "torch._utils _rebuild_tensor_v3");
  const pickle_value *const *at = v->list.at;
  size_t nstrides;
  if ((!is_v3 && strcmp(v->text, "torch._utils _rebuild_tensor_v2")) ||
      v->list.n != (is_v3 ? 7 : 6) || !read_storage(t, at[0]) || !t->dtype != is_v3)
    return false;
  if (is_v3 && (at[6]->kind != PICKLE_GLOBAL || !text_begins(at[6]->text, "torch "))) return false;
  if (is_v3) t->dtype = at[6]->text + strlen("torch ");
  if (!is_dtype(t->dtype)) return false;
  t->sizes = read_numbers(at[2], &t->ndim, a);
  t->strides = read_numbers(at[3], &nstrides, a);
  return read_number(at[1], &t->offset) && t->sizes && t->strides && nstrides == t->ndim;
}

static bool is_member(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return *name && strlen(name) < 64 && strspn(name, letters) == strlen(name);
}

static bool read_list(stored_tensors *to, const pickle_value *v, arena *a) {
  if (!v || v->kind != PICKLE_LIST || v->list.n > CAPSULE_TENSORS) return false;
  for (size_t i = 0; i < v->list.n; i++) {
    const pickle_value *at = v->list.at[i];
    stored_tensor *t = arena_push(a, to);
    *t = (stored_tensor){0};
    if (at->kind == PICKLE_NONE) continue;
    if (at->kind != PICKLE_CALL || !read_call(t, at, a) || !is_member(t->member)) return false;
  }
  return true;
}

/* ---- the whole */

/* The last of that key, as Python has it. */
static const pickle_value *find(const pickle_value *dict, const char *key) {
  const pickle_value *found = NULL;
  for (size_t i = 0; i + 1 < dict->list.n; i += 2) {
    const pickle_value *at = dict->list.at[i];
    if (at->kind == PICKLE_TEXT && !strcmp(at->text, key)) found = dict->list.at[i + 1];
  }
  return found;
}

/* What else a capsule has may change what the run computes. */
static bool has_others(const pickle_value *dict) {
  static const char *const known[] = {"capsule", "inputs", "outputs", "constants", NULL};
  for (size_t i = 0; i + 1 < dict->list.n; i += 2) {
    const pickle_value *at = dict->list.at[i];
    if (at->kind != PICKLE_TEXT || strings_index(known, at->text) < 0) return true;
  }
  const pickle_value *constants = find(dict, "constants");
  return constants && (constants->kind != PICKLE_DICT || constants->list.n);
}

const char *stored_read_pickle(stored *s, const char *at, size_t n, arena *a) {
  const pickle_value *all = pickle_read(at, n, a);
  if (!all || all->kind != PICKLE_DICT) return "its tensors are not written as plain ones are";
  if (has_others(all)) return "it has more than inputs and outputs";
  if (read_list(&s->inputs, find(all, "inputs"), a) &&
      read_list(&s->outputs, find(all, "outputs"), a))
    return NULL;
  return "it holds other things than plain tensors";
}

typedef struct bytes {
  char *at;
  size_t n;
} bytes;

static void take(void *to, const char *at, size_t n) {
  bytes *b = to;
  memcpy(b->at + b->n, at, n);
  b->n += n;
}

/* The member of that name below the archive's folder; the number of members for none. */
static size_t find_member(const archive *z, const char *name, const char **root, arena *a) {
  size_t i = 0;
  for (; i < z->members.n; i++) {
    const char *slash = strchr(z->members.at[i].name, '/');
    if (!slash || strcmp(slash + 1, name)) continue;
    *root = arena_strndup(a, z->members.at[i].name, (size_t)(slash + 1 - z->members.at[i].name));
    break;
  }
  return i;
}

const char *stored_read(stored *s, const char *path, const options *o, arena *a) {
  diags *unsaid = diags_new(a);
  archive z;
  const char *why = "its tensors cannot be read";
  *s = (stored){0};
  if (archive_open(&z, path, o, a, unsaid)) {
    const size_t pickle = find_member(&z, "data.pkl", &s->root, a),
                 order = find_member(&z, "byteorder", &s->root, a),
                 size = pickle < z.members.n ? z.members.at[pickle].size : 0;
    bytes b = {arena_alloc(a, size <= PICKLE_MOST ? size + 1 : 1), 0};
    size_t n = 0;
    const char *first = order < z.members.n ? archive_read_text(&z, order, &n, a, unsaid) : NULL;
    if (!first || strcmp(first, "little"))
      why = "its numbers are perhaps of another byte order";
    else if (size && size <= PICKLE_MOST && archive_read_bytes(&z, pickle, take, &b, a, unsaid))
      why = stored_read_pickle(s, b.at, b.n, a);
  }
  archive_close(&z);
  return why;
}
