/* storage.c - see storage.h. */
#include "model/storage.h"
#include "base/string_map.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

struct storage {
  const facts *f;
  arena *a;
  storage_entry *at;
  int *parents;      /* a root is its own parent */
  int *namesakes;    /* the earlier variable of the same name, or -1 */
  string_map *names; /* to an int: the last variable of that name */
};

/* Links each variable to the earlier one of the same name. */
static void link_namesakes(storage *s) {
  s->names = string_map_create(s->a);
  for (size_t i = 0; i < s->f->vars.n; i++) {
    const char *name = s->f->vars.at[i].name;
    int *last = string_map_get(s->names, name);
    s->namesakes[i] = last ? *last : -1;
    if (!last) {
      last = arena_alloc(s->a, sizeof *last);
      string_map_put(s->names, name, last);
    }
    *last = (int)i;
  }
}

storage *storage_create(const facts *f, arena *a) {
  storage *s = arena_alloc(a, sizeof *s);
  size_t n = f->vars.n;
  *s = (storage){.f = f,
                 .a = a,
                 .at = arena_alloc(a, (n + 1) * sizeof *s->at),
                 .parents = arena_alloc(a, (n + 1) * sizeof *s->parents),
                 .namesakes = arena_alloc(a, (n + 1) * sizeof *s->namesakes)};
  for (size_t i = 0; i < n; i++) {
    const fact_var *v = &f->vars.at[i];
    int base = facts_find_base(f, (int)i);
    s->parents[i] = base >= 0 && base < (int)i ? s->parents[base] : (int)i;
    s->at[i] = (storage_entry){.source = -1, .loop = v->loop};
  }
  link_namesakes(s);
  return s;
}

int storage_root(storage *s, int var) {
  if (var < 0) return -1;
  while (s->parents[var] != var) {
    s->parents[var] = s->parents[s->parents[var]]; /* keeps the paths short */
    var = s->parents[var];
  }
  return var;
}

storage_entry *storage_at(storage *s, int var) { return &s->at[var]; }

storage_walk storage_walk_from(const storage *s, int var) {
  return (storage_walk){.s = s, .var = var};
}

void storage_walk_on(storage_walk *walk) {
  int base = facts_find_base(walk->s->f, walk->var);
  walk->cut = ++walk->steps > FACTS_STEPS_MAX;
  walk->var = walk->cut ? -1 : base >= 0 ? base : walk->s->at[walk->var].source;
}

bool storage_is_same(const storage_entry *e) {
  return e->source >= 0 && e->via &&
         (strcmp(e->via, "aoti_torch_new_tensor_handle") == 0 ||
          strcmp(e->via, "aoti_torch_assign_tensors_out") == 0);
}

int storage_find(const storage *s, const char *name, size_t n, size_t at) {
  const int *last = string_map_get(s->names, arena_strndup(s->a, name, n));
  int i = last ? *last : -1;
  while (i >= 0 && s->f->vars.at[i].declared > at) i = s->namesakes[i];
  return i;
}

/* "s77, 10" from `static constexpr int64_t int_array_1[] = {s77, 10L};`, for an argument of an
 * allocation, counted from 0. */
static const char *read_sizes(const storage *s, const fact_call *c, int argument) {
  const char *text = s->f->text;
  size_t comma = lex_find(text, c->open + 1, c->close, ',');
  while (--argument > 0) comma = lex_find(text, comma + 1, c->close, ',');
  size_t at = lex_skip_space(text, comma + 1, c->close), end = lex_find(text, at, c->close, ',');
  int found = end < c->close ? storage_find(s, text + at, end - at, c->offset) : -1;
  if (found < 0) return NULL;
  const span init = s->f->vars.at[found].init;
  if (text[init.begin] != '{') return "";
  char *out = arena_alloc(s->a, init.end - init.begin + 1), *to = out;
  for (size_t p = init.begin + 1; p + 1 < init.end; p++)
    if (text[p] != 'L' || lex_is_identifier(text[p + 1])) *to++ = text[p];
  while (to > out && (to[-1] == ' ' || to[-1] == ',')) *--to = '\0';
  return out;
}

/* "64L" */
static int64_t read_number(const char *text, size_t at, size_t end) {
  char *after;
  long long value = strtoll(text + at, &after, 10);
  if (*after == 'L') after++;
  return after > text + at && lex_skip_space(text, (size_t)(after - text), end) == end ? value
                                                                                       : INT64_MIN;
}

int storage_read_numbers(const char *text, size_t at, size_t end, int64_t *to, int room) {
  int n = 0;
  for (at = lex_skip_space(text, at, end); at < end; n++) {
    size_t comma = lex_find(text, at, end, ',');
    if (n == room) return -1;
    to[n] = read_number(text, at, comma);
    at = comma < end ? lex_skip_space(text, comma + 1, end) : end;
  }
  return n;
}

int storage_read_array(const storage *s, const char *name, size_t n, size_t at, int64_t *to,
                       int room) {
  int found = storage_find(s, name, n, at);
  if (found < 0) return -1;
  const span init = s->f->vars.at[found].init;
  if (init.end <= init.begin + 1 || s->f->text[init.begin] != '{') return -1;
  return storage_read_numbers(s->f->text, init.begin + 1, init.end - 1, to, room);
}

/* "float32" from a call with the argument cached_torch_dtype_float32. */
static const char *read_dtype(const storage *s, const fact_call *c) {
  static const char word[] = "torch_dtype_";
  const char *at = memmem(s->f->text + c->open, c->close - c->open, word, sizeof word - 1);
  if (!at) return NULL;
  at += sizeof word - 1;
  return arena_strndup(s->a, at, lex_measure_word(at, SIZE_MAX));
}

/* Makes the variable another name of the operand's memory, along with everything made from it. A
 * handle of a view is not a handle of the viewed tensor. */
static void join_roots(storage *s, int var, const operand *first, const char *callee) {
  if (s->parents[var] == var) s->parents[var] = storage_root(s, first->var);
  s->at[var].source = first->var;
  s->at[var].via = callee;
  if (first->kind == OPERAND_VIEW && storage_is_same(&s->at[var]))
    s->at[var].via = "reinterpret_tensor_wrapper";
}

void storage_note_call(storage *s, const fact_call *c, enum effect effect) {
  bool allocates = effect == EFFECT_ALLOCATES || effect == EFFECT_UNINITIALIZED;
  const operand *first = NULL;
  if (!allocates && effect != EFFECT_ALIASES) return;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    if ((t->kind == OPERAND_TENSOR || t->kind == OPERAND_VIEW) && t->var >= 0 && !first) first = t;
    if (t->kind != OPERAND_OUTPUT) continue;
    if (!allocates) {
      if (first) join_roots(s, t->var, first, c->callee);
      continue;
    }
    storage_entry *e = &s->at[t->var];
    e->allocated = true;
    e->empty = effect == EFFECT_UNINITIALIZED;
    e->touched = false;
    e->dtype = read_dtype(s, c);
    if (strncmp(c->callee, "aoti_torch_empty_strided", 24) != 0) continue;
    e->sizes = read_sizes(s, c, 1);
    e->strides = read_sizes(s, c, 2);
    e->offset = c->offset;
  }
}

bool storage_next_output(const facts *f, handed_over *out, size_t end) {
  static const char handles[] = "output_handles[", release[] = ".release()";
  for (; (out->offset = lex_find_word(f->text, out->offset, end, "output_handles")) < end;
       out->offset++) {
    const char *p = f->text + out->offset;
    char *after;
    if (strncmp(p, handles, sizeof handles - 1) != 0) continue;
    out->index = strtoul(p + sizeof handles - 1, &after, 10);
    if (strncmp(after, "] = ", 4) != 0) continue;
    out->name.begin = out->name.end = (size_t)(after + 4 - f->text);
    while (lex_is_identifier(f->text[out->name.end])) out->name.end++;
    if (strncmp(f->text + out->name.end, release, sizeof release - 1) == 0) return true;
  }
  return false;
}

/* The name that the `=` before `at` assigns to; empty if there is none. */
static span find_assigned(const char *text, size_t at) {
  while (at && text[at - 1] == ' ') at--;
  if (!at || text[--at] != '=') return (span){0, 0};
  while (at && text[at - 1] == ' ') at--;
  span name = {at, at};
  while (name.begin && lex_is_identifier(text[name.begin - 1])) name.begin--;
  return name;
}

static bool begins_line(const char *text, size_t at) {
  while (at && text[at - 1] == ' ') at--;
  return !at || text[at - 1] == '\n';
}

/* The variable that is moved: `buf0`, or that of `wrap(reinterpret_tensor_wrapper(buf0, ...))`. */
static span find_moved(const char *text, size_t at) {
  span name = {at, at};
  for (;; name.begin = ++name.end) {
    while (lex_is_identifier(text[name.end])) name.end++;
    if (text[name.end] != '(') return name;
  }
}

bool storage_next_moved(const facts *f, moved *x) {
  static const char word[] = "std::move(";
  const char *text = f->text;
  for (const char *found; (found = strstr(text + x->offset, word)); x->offset++) {
    x->offset = (size_t)(found - text);
    x->to = find_assigned(text, x->offset);
    x->from = find_moved(text, x->offset + sizeof word - 1);
    x->again = begins_line(text, x->to.begin);
    if (x->to.end > x->to.begin) return true;
  }
  return false;
}

bool storage_next_named_output(const storage *s, named_output *out, size_t end) {
  const char *text = s->f->text;
  for (;;) {
    if (out->offset >= out->end) {
      out->statement = out->offset = lex_find_word(text, out->offset, end, "output_handles");
      if (out->offset >= end) return false;
      out->end = lex_find(text, out->offset, end, ';');
    }
    const size_t begin = out->offset;
    while (lex_is_identifier(text[out->offset])) out->offset++;
    out->var = out->offset > begin ? storage_find(s, text + begin, out->offset - begin, begin) : -1;
    if (out->var >= 0) return true;
    if (out->offset == begin) out->offset++;
  }
}
