/* triton.c - see triton.h. */
#include "model/triton.h"
#include "model/op_table.h"
#include "base/string_map.h"
#include "kernel/descriptor_call.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct window {
  const char *at, *end;
} window;

static const char *find_text(window w, const char *what) {
  return memmem(w.at, (size_t)(w.end - w.at), what, strlen(what));
}

/* The bracketed value behind `key` ("'signature': {...}", "configs=[...]"), with both brackets. */
static bool find_value(window w, const char *key, window *value) {
  const char *p = find_text(w, key);
  if (!p) return false;
  for (p += strlen(key); p < w.end && (isspace((unsigned char)*p) || *p == ':' || *p == '='); p++)
    continue;
  if (p >= w.end || (*p != '{' && *p != '[' && *p != '(')) return false;
  size_t n = (size_t)(w.end - p), close = lex_match(p, 0, n);
  *value = (window){p, p + (close < n ? close + 1 : n)};
  return close < n;
}

/* The next quoted word at or after *p, in the arena; *p moves past it. NULL at the end. */
static const char *read_quoted(const char **p, const char *end, arena *a) {
  const char *q = *p;
  while (q < end && *q != '\'' && *q != '"') q++;
  if (q >= end) return NULL;
  const char *close = memchr(q + 1, *q, (size_t)(end - q) - 1);
  if (!close) return NULL;
  *p = close + 1;
  return arena_strndup(a, q + 1, (size_t)(close - q) - 1);
}

const triton_param *triton_find_param(const triton *k, const char *name) {
  for (size_t i = 0; i < k->params.n; i++)
    if (strcmp(k->params.at[i].name, name) == 0) return &k->params.at[i];
  return NULL;
}

/* The first parameter of that name. */
static triton_param *find_param(triton *k, const string_map *params, const char *name) {
  size_t i = string_map_index(params, name);
  return i == STRING_MAP_NONE ? NULL : &k->params.at[i];
}

/* A launch has fewer parameters. */
enum { PARAMS_MAX = 4096, NAME_MAX_BYTES = 255 };

/* 'signature': {'in_ptr0': '*fp32', 'xnumel': 'i32'}. The form of 2.6, {0: '*fp32', ...}, has no
 * names. */
static void read_signature(triton *k, string_map *params, window source, arena *a) {
  window v;
  if (!find_value(source, "'signature'", &v)) return;
  const char *p = v.at + 1, *name;
  while (k->params.n < PARAMS_MAX && (name = read_quoted(&p, v.end, a))) {
    const char *type = read_quoted(&p, v.end, a);
    if (!type) break;
    string_map_put_index(params, name, k->params.n);
    *arena_push(a, &k->params) = (triton_param){.name = name, .type = type};
  }
}

/* [{(0,): [['tt.divisibility', 16]], (2,): [['tt.divisibility', 16]]}]: a key is the index of a
 * parameter in the signature. */
static void read_divisibility(triton *k, window source) {
  static const char mark[] = "tt.divisibility', 16";
  window v;
  if (!find_value(source, "'configs'", &v)) return;
  const char *close = v.at, *marked = v.at; /* the next ']' and the next mark, searched for once */
  for (const char *p = v.at; marked && (p = memchr(p, '(', (size_t)(v.end - p)));) {
    char *after;
    unsigned long i = strtoul(p + 1, &after, 10);
    if (after > v.end) return;
    if (close <= after) close = memchr(after, ']', (size_t)(v.end - after));
    if (!close) close = v.end;
    if (marked <= after) marked = find_text((window){after, v.end}, mark);
    if (after > p + 1 && i < k->params.n && marked && marked + sizeof mark - 1 <= close)
      k->params.at[i].divisible16 = true;
    p = after > p ? after : p + 1;
  }
}

/* 'constants': {'BLOCK': 256} */
static void read_constants(triton *k, const string_map *params, window source, arena *a) {
  window v;
  if (!find_value(source, "'constants'", &v)) return;
  const char *p = v.at, *name;
  while ((name = read_quoted(&p, v.end, a))) {
    triton_param *x = find_param(k, params, name);
    char *end;
    while (p < v.end && (*p == ':' || *p == ' ')) p++;
    long long value = p < v.end ? strtoll(p, &end, 10) : 0;
    if (!x || p >= v.end || end == p) continue;
    x->constant = true;
    x->value = value;
    p = end;
  }
}

static void read_mutated(triton *k, const string_map *params, window source, arena *a) {
  window v;
  if (!find_value(source, "'mutated_arg_names'", &v)) return;
  const char *p = v.at, *name;
  while ((name = read_quoted(&p, v.end, a))) {
    triton_param *x = find_param(k, params, name);
    if (x) x->mutated = true;
  }
}

/* Skips what is part of a word, or what is not. */
static const char *skip_word(const char *p, const char *end, bool part) {
  while (p < end && lex_is_identifier(*p) == part) p++;
  return p;
}

/* The word at *p, as a string; *p moves behind it. False for none, and for one that is too long. */
static bool read_word(const char **p, const char *end, char name[NAME_MAX_BYTES + 1]) {
  const char *word = *p;
  *p = skip_word(word, end, true);
  size_t n = (size_t)(*p - word);
  if (!n || n > NAME_MAX_BYTES) return false;
  *(char *)mempcpy(name, word, n) = '\0';
  return true;
}

/* The variable that the line of `at` assigns: "desc" of "desc = tl.f(...)". False for none. */
static bool read_assigned(window source, const char *at, char name[NAME_MAX_BYTES + 1]) {
  const char *p = at;
  while (p > source.at && isspace((unsigned char)p[-1]) && p[-1] != '\n') p--;
  if (p <= source.at || *--p != '=') return false;
  while (p > source.at && (p[-1] == ' ' || p[-1] == '\t')) p--;
  const char *end = p;
  while (p > source.at && lex_is_identifier(p[-1])) p--;
  return read_word(&p, end, name);
}

/* `word`.`method`(`first`, ...): an access of a parameter, or the making of a descriptor. */
static void read_method(triton *k, string_map *params, window source, const char *at,
                        const char *word, const char *method, const char *first, arena *a) {
  char assigned[NAME_MAX_BYTES + 1];
  const bool of_tl = !strcmp(word, "tl");
  triton_param *x = find_param(k, params, of_tl ? first : word);
  if (!x) return;
  if (of_tl && descriptor_call_makes(method) && read_assigned(source, at, assigned))
    string_map_put_index(params, arena_strdup(a, assigned), (size_t)(x - k->params.at));
  const descriptor_call *c = of_tl ? descriptor_call_find(method, false) : NULL;
  if (!c) c = descriptor_call_find(method, true); /* tl.load() has the method's name */
  x->loaded = x->loaded || (c && c->loads);
  x->stored = x->stored || (c && c->stores);
}

/* The first identifier of each tl.load(...), tl.store(...) and tl.atomic_*(...) is the parameter
 * that it reads or writes, or a descriptor; so is what stands before .load(...) and .store(...). */
static void read_accesses(triton *k, string_map *params, window source, arena *a) {
  char word[NAME_MAX_BYTES + 1], method[NAME_MAX_BYTES + 1], first[NAME_MAX_BYTES + 1];
  for (const char *p = source.at, *dot; (dot = memchr(p, '.', (size_t)(source.end - p)));) {
    const char *at = dot;
    while (at > p && lex_is_identifier(at[-1])) at--;
    const char *of = at, *open = dot + 1;
    p = dot + 1;
    if (!read_word(&of, dot, word) || !read_word(&open, source.end, method) || open >= source.end ||
        *open != '(')
      continue;
    const char *argument = skip_word(open, source.end, false);
    if (!read_word(&argument, source.end, first)) first[0] = '\0';
    read_method(k, params, source, at, word, method, first, a);
  }
}

/* Reads the infinities of a kernel. A constant of the model is tl.full([1], float("-inf"), ...).
 * The mask of a reduction, tl.where(m, x, float("-inf")), is not a value of the model. A call
 * within such a call is a part of it. */
static void read_infinities(triton *k, window source) {
  for (const char *p = source.at; (p = find_text((window){p, source.end}, "tl.full("));) {
    size_t n = (size_t)(source.end - p), close = lex_match(p, 7, n);
    window call = {p, p + (close < n ? close : n)};
    k->makes_neg_inf = k->makes_neg_inf || find_text(call, "\"-inf\"");
    k->makes_pos_inf = k->makes_pos_inf || find_text(call, "\"inf\"");
    p = call.end;
  }
}

/* The text with each line's indentation reduced by that of the first line. `begin` is the start of
 * the readable text. */
static const char *unindent_source(window w, const char *begin, arena *a) {
  const char *line = w.at;
  while (line > begin && w.at - line < 64 && line[-1] == ' ') line--;
  size_t indent = (size_t)(w.at - line);
  char *out = arena_alloc(a, (size_t)(w.end - w.at) + 2), *to = out;
  for (const char *p = w.at; p < w.end;) {
    const char *nl = memchr(p, '\n', (size_t)(w.end - p));
    const char *next = nl ? nl + 1 : w.end;
    memcpy(to, p, (size_t)(next - p));
    to += next - p;
    for (p = next; p < w.end && (size_t)(p - next) < indent && *p == ' '; p++) continue;
  }
  return out;
}

bool triton_read(triton *k, const char *name, const char *at, size_t n, arena *a) {
  window w = {at, at + n};
  *k = (triton){.name = name};
  const char *begin = find_text(w, "async_compile.triton(");
  if (!begin) return false;
  window source = {begin, w.end};
  const char *end = find_text(source, "''', device_str");
  if (end) source.end = end;
  string_map *params = string_map_create(a);
  read_signature(k, params, source, a);
  read_divisibility(k, source);
  read_constants(k, params, source, a);
  read_mutated(k, params, source, a);
  read_accesses(k, params, source, a);
  read_infinities(k, source);
  k->source = unindent_source(source, at, a);
  return true;
}

const char *triton_find_dtype(const char *type) {
  static const char descriptor[] = "tensordesc<";
  if (text_begins(type, descriptor)) {
    char element[16] = "";
    const size_t n = strcspn(type += sizeof descriptor - 1, "[>");
    if (n < sizeof element) memcpy(element, type, n);
    return op_table_find_triton_dtype(element);
  }
  return op_table_find_triton_dtype(*type == '*' ? type + 1 : type);
}
