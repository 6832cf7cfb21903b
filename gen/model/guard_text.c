/* guard_text.c - see guard_text.h.
 *
 * The operators are those of Python, in its order: `or`, `and`, `not`, comparisons (also chained),
 * + -, * // %, the sign. Truth values and numbers are not mixed.
 */
#include "model/guard_text.h"
#include "shared/postfix.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, NAME_MAX_LENGTH = 200, NUMBER_DIGITS_MAX = 18 };

typedef struct guard_reader {
  guard_text *g;
  const guard_names *names;
  arena *a;
  const char *at;
  const char *copied; /* the text up to here is in `shown` */
  strbuf code, shown;
  int depth, stack, compared;
  bool joined; /* it has `and`, `or` or `not` */
  bool failed;
} guard_reader;

/* What was read: its code is the end of `code`. */
typedef struct part {
  bool truth;   /* else a number */
  bool literal; /* the number is `n` */
  bool size;    /* it is a size of an input, the one at `place` in g->sizes */
  int64_t n;
  int place;
} part;

static part read_or(guard_reader *r);

static part fail(guard_reader *r) {
  r->failed = true;
  return (part){0};
}

static void skip_space(guard_reader *r) {
  while (*r->at == ' ') r->at++;
}

/* True, behind it, if the text goes on with the word or sign. */
static bool take(guard_reader *r, const char *word) {
  size_t n = strlen(word);
  skip_space(r);
  if (strncmp(r->at, word, n) != 0) return false;
  if (isalpha((unsigned char)word[n - 1]) && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_'))
    return false;
  r->at += n;
  return true;
}

static void add_word(guard_reader *r, const char *word) {
  strbuf_printf(&r->code, "%s%s", r->code.n ? " " : "", word);
}

/* A word that leaves one number more. */
static void push_word(guard_reader *r, const char *word) {
  add_word(r, word);
  if (++r->stack > AG_POSTFIX_STACK) r->failed = true;
}

static void apply(guard_reader *r, const char *op) {
  add_word(r, op);
  r->stack--;
}

/* ---- sizes */

static bool take_index(guard_reader *r, int64_t *n) {
  const char *begin = r->at;
  for (*n = 0; isdigit((unsigned char)*r->at) && r->at - begin < 9; r->at++)
    *n = *n * 10 + (*r->at - '0');
  return r->at > begin && take(r, "]");
}

/* "'x']" */
static bool take_key(guard_reader *r, strbuf *name) {
  const char quote = *r->at, *begin = ++r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  if (r->at == begin || *r->at != quote) return false;
  strbuf_printf(name, "%s%.*s", name->n ? "_" : "", (int)(r->at - begin), begin);
  r->at++;
  return take(r, "]");
}

/* What follows "L": "['x']", "['xs'][0]". An input within another one is named by both. */
static bool take_input(guard_reader *r, int64_t *input) {
  strbuf name = {0};
  int parts = 0;
  bool ok = true;
  for (; ok && *r->at == '['; parts++) {
    int64_t n;
    r->at++;
    if (*r->at == '\'' || *r->at == '"')
      ok = take_key(r, &name);
    else if ((ok = parts && take_index(r, &n)))
      strbuf_printf(&name, "_%lld", (long long)n);
    ok = ok && name.n < NAME_MAX_LENGTH;
  }
  ok = ok && parts && r->names->input(r->names->of, name.at, parts > 1, input);
  strbuf_free(&name);
  return ok;
}

static int find_place(guard_reader *r, guard_dim x) {
  guard_text *g = r->g;
  for (int i = 0; i < g->nsizes; i++)
    if (g->sizes[i].input == x.input && g->sizes[i].dim == x.dim) return i;
  if (g->nsizes == GUARD_SIZES_MAX) return -1;
  g->sizes[g->nsizes] = x;
  return g->nsizes++;
}

/* "['x'].size()[0]" behind "L" */
static part read_size(guard_reader *r, const char *begin) {
  guard_dim x;
  if (!take_input(r, &x.input) || !(take(r, ".size()[") || take(r, ".shape[")) ||
      !take_index(r, &x.dim))
    return fail(r);
  const int place = find_place(r, x);
  if (place < 0) return fail(r);
  push_word(r, arena_printf(r->a, "#%lld.%lld", (long long)x.input, (long long)x.dim));
  strbuf_printf(&r->shown, "%.*s%s.size(%lld)", (int)(begin - r->copied), r->copied,
                r->names->shown(r->names->of, x.input), (long long)x.dim);
  r->copied = r->at;
  return (part){.size = true, .place = place};
}

/* ---- expressions */

static part read_number(guard_reader *r) {
  const char *begin = r->at;
  while (isdigit((unsigned char)*r->at)) r->at++;
  const size_t n = (size_t)(r->at - begin);
  if (n > NUMBER_DIGITS_MAX || isalpha((unsigned char)*r->at) || *r->at == '.' || *r->at == '_')
    return fail(r);
  const char *word = arena_strndup(r->a, begin, n);
  push_word(r, word);
  return (part){.literal = true, .n = strtoll(word, NULL, 10)};
}

/* "max(" and "min(" of two numbers and more */
static part read_extreme(guard_reader *r, const char *op) {
  int n = 0;
  do {
    if (read_or(r).truth) r->failed = true;
    if (n++) apply(r, op);
  } while (!r->failed && take(r, ","));
  return n > 1 && take(r, ")") ? (part){0} : fail(r);
}

static part read_primary(guard_reader *r) {
  skip_space(r);
  const char *begin = r->at;
  if (isdigit((unsigned char)*r->at)) return read_number(r);
  if (take(r, "max(")) return read_extreme(r, "M");
  if (take(r, "min(")) return read_extreme(r, "m");
  if (*r->at == 'L' && r->at[1] == '[') {
    r->at++;
    return read_size(r, begin);
  }
  if (!take(r, "(")) return fail(r);
  const part p = read_or(r);
  return take(r, ")") ? p : fail(r);
}

static part read_signed(guard_reader *r) {
  if (!take(r, "-")) return read_primary(r);
  push_word(r, "0");
  const part p = ++r->depth < DEPTH_MAX ? read_signed(r) : fail(r);
  r->depth--;
  if (p.truth) return fail(r);
  apply(r, "-");
  return (part){.literal = p.literal, .n = -p.n};
}

static part read_product(guard_reader *r) {
  part p = read_signed(r);
  for (skip_space(r); !r->failed; skip_space(r)) {
    const char *op = take(r, "//") ? "/" : take(r, "%") ? "%" : NULL;
    if (!op && r->at[0] == '*' && r->at[1] != '*' && take(r, "*")) op = "*";
    if (!op) return p;
    if (p.truth || read_signed(r).truth) return fail(r);
    apply(r, op);
    p = (part){0};
  }
  return p;
}

static part read_sum(guard_reader *r) {
  part p = read_product(r);
  while (!r->failed) {
    const char *op = take(r, "+") ? "+" : take(r, "-") ? "-" : NULL;
    if (!op) return p;
    if (p.truth || read_product(r).truth) return fail(r);
    apply(r, op);
    p = (part){0};
  }
  return p;
}

/* The operator of shared/postfix.h, or NULL. */
static const char *take_comparison(guard_reader *r) {
  static const char *const ops[][2] = {{"==", "="}, {"!=", "!"}, {"<=", "l"},
                                       {">=", "g"}, {"<", "<"},  {">", ">"}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (take(r, ops[i][0])) return ops[i][1];
  return NULL;
}

/* What the guard says if this comparison is all of it. */
static void note_comparison(guard_reader *r, char op, part x, part y) {
  guard_text *g = r->g;
  const bool ordered = strchr("<>lg", op);
  g->equals_sizes = op == '=' && x.size && y.size && x.place != y.place;
  g->bounds_size = ordered && ((x.size && y.literal) || (x.literal && y.size));
  /* "2 <= x", "1 < x", "x >= 2", "x > 1" */
  const bool low = (op == 'l' && x.literal && x.n == 2) || (op == '<' && x.literal && x.n == 1) ||
                   (op == 'g' && y.literal && y.n == 2) || (op == '>' && y.literal && y.n == 1);
  g->excludes = low || op == '!';
}

/* "2 <= x < 100" is "2 <= x and x < 100". */
static part read_comparison(guard_reader *r) {
  part p = read_sum(r);
  int n = 0;
  for (const char *op; !r->failed && (op = take_comparison(r));) {
    const size_t begin = r->code.n;
    const part next = read_sum(r);
    if (r->failed || p.truth || next.truth) return fail(r);
    const char *code = arena_strndup(r->a, r->code.at + begin, r->code.n - begin);
    apply(r, op);
    note_comparison(r, *op, p, next);
    r->compared++;
    if (n++) apply(r, "&");
    p = next;
    skip_space(r);
    if (!strchr("=!<>", *r->at) || !*r->at) return (part){.truth = true};
    strbuf_puts(&r->code, code);
    r->stack++; /* no higher on the way than when this code stood behind `p` */
  }
  return p;
}

static part read_not(guard_reader *r) {
  if (!take(r, "not")) return read_comparison(r);
  r->joined = true;
  const part p = ++r->depth < DEPTH_MAX ? read_not(r) : fail(r);
  r->depth--;
  if (!p.truth) return fail(r);
  push_word(r, "0");
  apply(r, "=");
  return p;
}

static part read_and(guard_reader *r) {
  part p = read_not(r);
  while (!r->failed && take(r, "and")) {
    r->joined = true;
    if (!p.truth || !read_not(r).truth) return fail(r);
    apply(r, "&");
  }
  return p;
}

static part read_or(guard_reader *r) {
  if (++r->depth >= DEPTH_MAX) return fail(r);
  part p = read_and(r);
  while (!r->failed && take(r, "or")) {
    r->joined = true;
    if (!p.truth || !read_and(r).truth) return fail(r);
    apply(r, "|");
  }
  r->depth--;
  return p;
}

bool guard_text_read(guard_text *g, const char *text, const guard_names *names, arena *a) {
  *g = (guard_text){0};
  if (strlen(text) > GUARD_TEXT_MAX) return false;
  guard_reader r = {.g = g, .names = names, .a = a, .at = text, .copied = text};
  const part p = read_or(&r);
  skip_space(&r);
  const bool ok = !r.failed && !*r.at && p.truth && g->nsizes;
  if (ok) {
    strbuf_puts(&r.shown, r.copied);
    g->code = arena_strndup(a, r.code.at, r.code.n);
    g->shown = arena_strndup(a, r.shown.at, r.shown.n);
  }
  if (r.compared != 1 || r.joined) g->equals_sizes = g->bounds_size = g->excludes = false;
  strbuf_free(&r.code);
  strbuf_free(&r.shown);
  return ok;
}
