/* expected_size.c - see expected_parts.h. A symbol is known by its definition, as in `auto u0 =
 * buf2.size(0)`, or by an allocation with that size. */
#include "model/expected_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse/lex.h"

enum { DEPTH_MAX = 4, TEXT_MAX = 2000 };

typedef struct reader {
  const expected_sizes *s;
  const site *maker;
  strbuf out;
} reader;

static bool add_product(reader *r, const char *text, size_t n, size_t at, int depth);

static void add_word(reader *r, const char *word) {
  if (r->out.n && r->out.at[r->out.n - 1] != ' ') strbuf_puts(&r->out, " ");
  strbuf_puts(&r->out, word);
}

static void add_size(reader *r, size_t arg, int d) {
  add_word(r, arena_printf(r->s->a, "#%zu.%d", arg, d));
}

/* True if the variable is a tensor as it was made, not a view. */
static bool is_plain(const reader *r, int var) {
  for (storage_walk w = storage_walk_from(r->s->storage, var); w.var >= 0; storage_walk_on(&w)) {
    const fact_var *v = &r->s->f->vars.at[w.var];
    const storage_entry *e = storage_at(r->s->storage, w.var);
    if (v->made == MADE_VIEW || (v->made == MADE_ALIAS && v->from < 0)) return false;
    if (v->made == MADE_ALIAS) continue;
    if (e->source < 0) return true;
    if (!storage_is_same(e)) return false;
  }
  return false;
}

static bool is_whole(const reader *r, const argument *arg) {
  return (arg->kind == AOTIGEN_TENSOR || arg->kind == AOTIGEN_INPUT) && arg->root >= 0 &&
         arg->operand && arg->operand->var >= 0 && is_plain(r, arg->operand->var);
}

/* "#2.0": dimension `d` of the maker's argument that is the tensor `var`. */
static bool add_size_of(reader *r, int var, int d) {
  int root = var >= 0 && is_plain(r, var) ? storage_root(r->s->storage, var) : -1;
  for (size_t i = 0; i < r->maker->args.n && root >= 0; i++) {
    const argument *x = &r->maker->args.at[i];
    if (!is_whole(r, x) || x->root != root) continue;
    add_size(r, i, d);
    return true;
  }
  return false;
}

/* The dimension whose size is the symbol, -1 for none. sizes: "u0, 8" */
static int find_dim(const char *sizes, const char *name, size_t n) {
  for (int d = 0;; d++) {
    while (*sizes == ' ') sizes++;
    size_t m = strcspn(sizes, ",");
    if (m == n && memcmp(sizes, name, n) == 0) return d;
    if (!sizes[m]) return -1;
    sizes += m + 1;
  }
}

static bool add_allocated(reader *r, const char *name, size_t n) {
  for (size_t i = 0; i < r->maker->args.n; i++) {
    const argument *x = &r->maker->args.at[i];
    if (!is_whole(r, x)) continue;
    const storage_entry *e = storage_at(r->s->storage, x->root);
    int d = e->allocated && e->sizes ? find_dim(e->sizes, name, n) : -1;
    if (d < 0) continue;
    add_size(r, i, d);
    return true;
  }
  return false;
}

/* The variable at the start of the n bytes at `text`, as the maker's function names it. */
static int find_variable(const reader *r, const char *text, size_t n, size_t at) {
  size_t m = lex_measure_word(text, n);
  int v = m ? storage_find(r->s->storage, text, m, at) : -1;
  return v >= 0 && r->s->f->vars.at[v].function == r->maker->call->function ? v : -1;
}

/* Reads the digits up to `close`, which ends the n bytes. */
static bool read_dim(const char *text, size_t n, char close, int *d) {
  size_t digits = 0;
  for (*d = 0; digits < n && digits < 4 && isdigit((unsigned char)text[digits]); digits++)
    *d = *d * 10 + (text[digits] - '0');
  return digits && digits + 1 == n && text[digits] == close;
}

/* buf2.size(0), arg1_1_size[0] where arg1_1_size is arg1_1.sizes() */
static bool add_definition(reader *r, const char *text, size_t n, size_t at) {
  static const char size[] = ".size(", sizes[] = ".sizes()";
  size_t m = lex_measure_word(text, n);
  int v = find_variable(r, text, n, at);
  if (v < 0 || m == n) return false;
  const char *rest = text + m;
  size_t past = n - m, call = sizeof size - 1;
  int d;
  if (past > call && memcmp(rest, size, call) == 0)
    return read_dim(rest + call, past - call, ')', &d) && add_size_of(r, v, d);
  if (*rest != '[' || !read_dim(rest + 1, past - 1, ']', &d)) return false;
  const fact_var *x = &r->s->f->vars.at[v];
  const char *init = r->s->f->text + x->init.begin;
  size_t length = x->init.end - x->init.begin, name = lex_measure_word(init, length);
  bool all = length - name == sizeof sizes - 1 && memcmp(init + name, sizes, sizeof sizes - 1) == 0;
  return all && add_size_of(r, find_variable(r, init, name, x->declared), d);
}

static bool add_symbol(reader *r, const char *text, size_t n, size_t at, int depth) {
  if (add_allocated(r, text, n)) return true;
  int v = find_variable(r, text, n, at);
  if (v < 0 || depth >= DEPTH_MAX) return false;
  const fact_var *x = &r->s->f->vars.at[v];
  const char *init = r->s->f->text + x->init.begin;
  size_t length = x->init.end - x->init.begin;
  return length && (add_definition(r, init, length, x->declared) ||
                    add_product(r, init, length, x->declared, depth + 1));
}

/* 8L, u0 */
static bool add_factor(reader *r, const char *text, size_t n, size_t at, int depth) {
  while (n && text[n - 1] == ' ') n--;
  for (; n && *text == ' '; n--) text++;
  size_t digits = 0;
  while (digits < n && isdigit((unsigned char)text[digits])) digits++;
  bool literal = digits && digits < 19 && (digits == n || (digits + 1 == n && text[n - 1] == 'L'));
  if (literal) add_word(r, arena_strndup(r->s->a, text, digits));
  return literal ||
         (n && !digits && lex_measure_word(text, n) == n && add_symbol(r, text, n, at, depth));
}

/* 8L*u0, in the text at `at` */
static bool add_product(reader *r, const char *text, size_t n, size_t at, int depth) {
  for (size_t begin = 0, factors = 0; begin <= n; factors++) {
    const char *star = memchr(text + begin, '*', n - begin);
    size_t end = star ? (size_t)(star - text) : n;
    if (!add_factor(r, text + begin, end - begin, at, depth)) return false;
    if (factors) add_word(r, "*");
    begin = end + 1;
  }
  return true;
}

/* Adds one of the texts between ';'. False if the maker's tensors do not determine an argument. */
static bool add_alternative(reader *r, const site *user, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    if (text[i] != '@') {
      strbuf_add(&r->out, text + i++, 1);
      continue;
    }
    char *end;
    unsigned long k = strtoul(text + i + 1, &end, 10);
    const operand *t = k < user->args.n ? user->args.at[k].operand : NULL;
    if (!t || t->kind != OPERAND_SCALAR ||
        !add_product(r, r->s->f->text + t->text.begin, t->text.end - t->text.begin,
                     user->call->offset, 0))
      return false;
    i = (size_t)(end - text);
  }
  return true;
}

const char *expected_size_read(const expected_sizes *s, const site *maker, const site *user,
                               const char *least_of, int64_t offset) {
  reader r = {.s = s, .maker = maker};
  strbuf all = {0};
  if (offset < 0 || maker->call->function != user->call->function) return NULL;
  for (const char *text = least_of; *text;) {
    size_t n = strcspn(text, ";");
    r.out.n = 0;
    if (add_alternative(&r, user, text, n) && all.n + r.out.n < TEXT_MAX) {
      if (all.n) strbuf_puts(&all, ";");
      strbuf_add(&all, r.out.at, r.out.n);
      if (offset) strbuf_printf(&all, " %lld +", (long long)offset);
    }
    text += n + (text[n] == ';');
  }
  const char *read = all.n ? arena_strndup(s->a, all.at, all.n) : NULL;
  strbuf_free(&r.out);
  strbuf_free(&all);
  return read;
}
