/* kernels.c - see parts.h. */
#include "model/parts.h"
#include "base/string_map.h"
#include "model/kernel_graphs.h"
#include "model/kernel_sources.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

const char *kernels_read_name(const char *launcher) {
  return strncmp(launcher, "call_", 5) == 0 ? launcher + 5 : launcher;
}

/* ---- Triton --------------------------------------------------------------------------------- */

/* The offset of the first identifier K_source, and the end of the string behind it. */
typedef struct raw_string {
  size_t offset, end;
} raw_string;

/* The raw_string of each identifier "..._source". Without autotuning, the source of kernel K is a
 * raw string called K_source. */
static string_map *index_sources(const facts *f, arena *a) {
  static const char suffix[] = "_source";
  const size_t n = sizeof suffix - 1;
  string_map *sources = string_map_create(a);
  raw_string *last = NULL;
  for (size_t at = 0, end; at < f->n; at = end) {
    end = lex_skip_token(f->text, at, f->n);
    if (!lex_is_identifier(f->text[at])) continue;
    if (last && f->text[end - 1] == '"' && !last->end) last->end = end;
    if (end - at <= n || memcmp(f->text + end - n, suffix, n) != 0) continue;
    last = arena_alloc(a, sizeof *last);
    last->offset = at;
    string_map_put(sources, arena_strndup(a, f->text + at, end - at), last);
  }
  return sources;
}

typedef struct kernels_reader {
  model *m;
  string_map *sources; /* NULL: not read yet */
  string_map *read;    /* the kernels that were read, by name */
  arena *a;
} kernels_reader;

static bool read_launcher(kernels_reader *reader, triton *k, const fact_function *function) {
  const facts *f = reader->m->facts;
  const char *name = kernels_read_name(function->name);
  if (triton_read(k, name, f->text + function->body.begin,
                  function->body.end - function->body.begin, reader->a))
    return true;
  const triton *known = string_map_get(reader->read, name);
  if (known) {
    *k = *known;
    return true;
  }
  if (!reader->sources) reader->sources = index_sources(f, reader->a);
  const raw_string *s = string_map_get(reader->sources, arena_printf(reader->a, "%s_source", name));
  if (!s || !s->end || s->end > function->offset ||
      !triton_read(k, name, f->text + s->offset, s->end - s->offset, reader->a))
    return false;
  triton *copy = arena_alloc(reader->a, sizeof *copy);
  *copy = *k;
  string_map_put(reader->read, name, copy);
  return true;
}

void kernels_read(model *m, arena *a) {
  kernels_reader r = {.m = m, .read = string_map_create(a), .a = a};
  for (size_t i = 0; i < m->facts->functions.n; i++) {
    const fact_function *x = &m->facts->functions.at[i];
    triton k;
    if (x->kind == FUNCTION_LAUNCHER && read_launcher(&r, &k, x)) *arena_push(a, &m->kernels) = k;
  }
}

/* ---- launches ------------------------------------------------------------------------------- */

/* launchKernel(KERNEL, X, Y, Z, ...) at `at` */
static void read_launch(model *m, const fact_function *f, size_t at, const char *kernel, arena *a) {
  const char *text = m->facts->text;
  size_t open = lex_skip_space(text, at + strlen("launchKernel"), f->body.end),
         close = lex_match(text, open, f->body.end);
  launch l = {.kernel = kernel, .statement = at};
  size_t p = lex_find(text, open + 1, close, ',');
  for (int i = 0; i < 3 && p < close; i++) {
    size_t begin = lex_skip_space(text, p + 1, close);
    p = lex_find(text, begin, close, ',');
    l.grid[i] = arena_strndup(a, text + begin, p - begin);
  }
  if (l.grid[2]) *arena_push(a, &m->launches) = l;
}

void kernels_read_launches(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->kind != FUNCTION_LAUNCHER) continue;
    size_t at = lex_find_word(f->text, x->body.begin, x->body.end, "launchKernel");
    if (at < x->body.end) read_launch(m, x, at, kernels_read_name(x->name), a);
  }
  for (size_t i = 0; i < m->sites.n; i++) {
    const fact_call *c = m->sites.at[i].call;
    if (c->calls == CALLS_LAUNCH && !m->sites.at[i].skipped)
      read_launch(m, &f->functions.at[c->function], c->offset, m->sites.at[i].kernel, a);
  }
}

/* ---- infinities ----------------------------------------------------------------------------- */

/* The infinity flags of a C++ kernel. A constant of the model is
 * static_cast<float>(-std::numeric_limits<float>::infinity()); the start of a reduction is not
 * cast. */
static unsigned find_cast_infinities(const char *text, size_t n) {
  static const char limits[] = "std::numeric_limits", infinity[] = "infinity";
  enum { CAST_MAX = 200 }; /* bytes of such a cast */
  unsigned flags = 0;
  for (size_t at = 0; (at = lex_find_word(text, at, n, "static_cast")) < n; at++) {
    size_t end = n - at > CAST_MAX ? at + CAST_MAX : n, open = lex_find(text, at, end, '('),
           close = lex_match(text, open, end);
    bool negative = open + 1 < end && text[open + 1] == '-';
    size_t begin = open + 1 + negative;
    if (close < begin + sizeof limits || memcmp(text + begin, limits, sizeof limits - 1) != 0 ||
        !memmem(text + begin, close - begin, infinity, sizeof infinity - 1))
      continue;
    flags |= negative ? AOTIGEN_MAKES_NEG_INF : AOTIGEN_MAKES_POS_INF;
  }
  return flags;
}

/* ---- texts ---------------------------------------------------------------------------------- */

typedef struct text_reader {
  model *m;
  string_map *infinities; /* flags by C++ kernel */
  string_map *written;    /* the tensors that the sites so far may have written: name_tensor() */
  arena *a;
} text_reader;

static void mark_infinities(text_reader *reader, site *s) {
  kernel_source x;
  for (size_t k = 0; k < s->aten.n; k++)
    if (op_table_makes_neg_inf(s->aten.at[k])) s->flags |= AOTIGEN_MAKES_NEG_INF;
  if (s->triton && s->triton->makes_neg_inf) s->flags |= AOTIGEN_MAKES_NEG_INF;
  if (s->triton && s->triton->makes_pos_inf) s->flags |= AOTIGEN_MAKES_POS_INF;
  if (!kernel_sources_find(reader->m->sources, s, &x) || x.python) return;
  size_t flags = string_map_index(reader->infinities, x.name);
  if (flags == STRING_MAP_NONE) {
    flags = find_cast_infinities(x.text, x.n);
    string_map_put_index(reader->infinities, x.name, flags);
  }
  s->flags |= (unsigned)flags;
}

/* The text with the site's argument numbers in place of the kernel's; NULL if the site lacks
 * one. */
static const char *renumber(const char *text, const int *args, arena *a) {
  strbuf out = {0};
  bool all = true;
  for (const char *p = text; *p && all;) {
    char *end = (char *)p + 1;
    if (*p == '@') {
      int arg = args[strtoul(p + 1, &end, 10) % KERNEL_PARAMS_MAX];
      all = arg >= 0;
      strbuf_printf(&out, "@%d", arg);
    } else {
      strbuf_add(&out, p, 1);
    }
    p = end;
  }
  const char *renumbered = all && out.n ? arena_strndup(a, out.at, out.n) : NULL;
  strbuf_free(&out);
  return renumbered;
}

static void renumber_bits(uint64_t *to, uint64_t params, const int *args) {
  for (int i = 0; i < KERNEL_PARAMS_MAX; i++)
    if (params >> i & 1 && args[i] >= 0) *to |= (uint64_t)1 << args[i];
}

static bool tells_something(const kernel_param *p) {
  return p->stored || p->least || p->least_of || p->loads_all || p->vectors;
}

static const argument_text *describe_argument(const kernel_facts *f, const kernel_param *p,
                                              const int *args, arena *a) {
  argument_text *t = arena_alloc(a, sizeof *t);
  *t = (argument_text){.told = {.least = p->least,
                                .stored = p->stored,
                                .moves = p->moves,
                                .constants = p->constants},
                       .fills = p->fills && !f->by_user,
                       .vectors = p->vectors};
  renumber_bits(&t->told.reached_by, p->reached_by, args);
  for (int kind = 0; kind < 3; kind++)
    renumber_bits(&t->told.selected_by[kind], p->selected_by[kind], args);
  if (p->least_of) t->told.least_of = renumber(p->least_of, args, a);
  if (p->loads_all) t->told.loads_all = renumber(p->loads_all, args, a);
  if (p->stores_all) t->stores_all = renumber(p->stores_all, args, a);
  return t;
}

/* A key for a tensor, by its memory and its name: a buffer that takes over the memory of another
 * one has a name of its own. */
static const char *name_tensor(const argument *arg, arena *a) {
  return arena_printf(a, "%d %s", arg->root, arg->name);
}

static void note_written(text_reader *reader, const site *s) {
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (x->root >= 0 && x->kind != AOTIGEN_SCALAR && x->role != AOTIGEN_IN)
      string_map_put(reader->written, name_tensor(x, reader->a), x);
  }
}

/* True if an earlier launch wrote the tensor. */
static bool is_written_before(const text_reader *reader, const argument *arg) {
  return arg->root >= 0 && string_map_get(reader->written, name_tensor(arg, reader->a));
}

/* The product of sizes such as "256, 64"; -1 if one of them is not a number. */
static int64_t multiply_sizes(const char *sizes) {
  int64_t n = 1;
  for (const char *p = sizes; p && *p;) {
    char *end;
    long long size = strtoll(p, &end, 10);
    if (end == p || (*end && *end != ',' && *end != 'L') || size < 0 ||
        __builtin_mul_overflow(n, size, &n))
      return -1;
    p = end + strspn(end, "L, ");
  }
  return sizes ? n : -1;
}

/* The number of elements of an input or a weight; -1 if the wrapper does not fix it. */
static int64_t count_elements(const model *m, const argument *arg) {
  int64_t n = 1;
  int from = m->facts->vars.at[arg->root].from;
  if (arg->kind == AOTIGEN_WEIGHT) return multiply_sizes(m->weights.at[from].shape);
  const model_input *in = &m->inputs.at[from];
  if (in->ndim < 0 || in->unranked) return -1;
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim *d = &in->dims[i];
    if (d->min != d->max || d->min < 0 || __builtin_mul_overflow(n, d->min, &n)) return -1;
  }
  return n;
}

/* True if the kernel surely stores to all of an input or a weight. */
static bool is_overwritten(const model *m, const argument *arg, const kernel_param *p) {
  char *end;
  long long stored = p->stores_all ? strtoll(p->stores_all, &end, 10) : -1;
  return stored >= 0 && !*end && stored == count_elements(m, arg);
}

/* True if the launch may keep some of the old contents, which then count as read. A kernel may
 * write a part of a tensor: loaded elements determine where it stores, or it stores to a slice. It
 * may also keep a row of a cache, or add to a sum: then it loads the tensor as well, or no access
 * is certain. */
static bool keeps_contents(const text_reader *reader, const argument *arg, const kernel_param *p) {
  bool given = arg->kind == AOTIGEN_INPUT || arg->kind == AOTIGEN_WEIGHT;
  bool may_keep = p->loaded || (!p->least && !p->least_of);
  if (given && arg->role == AOTIGEN_OUT && p->stored && !is_overwritten(reader->m, arg, p))
    return true;
  return arg->role == AOTIGEN_OUT && p->stored &&
         (!p->fills || (may_keep && (given || is_written_before(reader, arg))));
}

/* Without a text it is not known what the kernel does. A buffer that it only overwrote would be a
 * new one, so the kernel changes this one. */
static void keep_contents(const text_reader *reader, site *s) {
  for (size_t i = 0; i < s->args.n; i++) {
    argument *x = &s->args.at[i];
    if (s->flags & AOTIGEN_KERNEL && x->role == AOTIGEN_OUT && x->kind != AOTIGEN_INPUT &&
        x->kind != AOTIGEN_WEIGHT && is_written_before(reader, x))
      x->role = AOTIGEN_INOUT;
  }
}

static void describe_arguments(text_reader *reader, site *s) {
  const kernel_graph *g = kernel_graphs_find(reader->m->graphs, s);
  const kernel_facts *f = g ? g->facts : NULL;
  int args[KERNEL_PARAMS_MAX]; /* by parameter of the kernel: the argument of the site */
  s->by_user = f && f->by_user;
  if (!f || f->why || s->args.n > KERNEL_PARAMS_MAX) {
    keep_contents(reader, s);
    return;
  }
  const argument *const *by_param = kernel_graphs_arguments(&g->graph, s, reader->a);
  for (size_t i = 0; i < KERNEL_PARAMS_MAX; i++)
    args[i] = i < f->nparams && by_param[i] ? (int)(by_param[i] - s->args.at) : -1;
  for (size_t i = 0; i < f->nparams; i++) {
    if (args[i] < 0) continue;
    argument *to = &s->args.at[args[i]];
    if (tells_something(&f->params[i]))
      to->text = describe_argument(f, &f->params[i], args, reader->a);
    if (keeps_contents(reader, to, &f->params[i])) to->role = AOTIGEN_INOUT;
    if (to->kind == AOTIGEN_SCALAR && f->params[i].takes32) to->flags |= AOTIGEN_INT32;
    if (to->kind == AOTIGEN_SCALAR && f->params[i].converts32) to->flags |= AOTIGEN_CONVERTS32;
  }
}

void kernels_read_texts(model *m, arena *a) {
  text_reader r = {
      .m = m, .infinities = string_map_create(a), .written = string_map_create(a), .a = a};
  for (size_t i = 0; i < m->sites.n; i++) {
    mark_infinities(&r, &m->sites.at[i]);
    describe_arguments(&r, &m->sites.at[i]);
    note_written(&r, &m->sites.at[i]);
  }
}

/* ---- files ---------------------------------------------------------------------------------- */

void kernels_read_cubins(model *m, arena *a) {
  const facts *f = m->facts;
  string_map *known = string_map_create(a);
  for (size_t at = 0; (at = lex_find_word(f->text, at, f->n, "loadKernel")) < f->n; at++) {
    size_t open = lex_skip_space(f->text, at + strlen("loadKernel"), f->n), past;
    if (open >= f->n || f->text[open] != '(') continue;
    const char *path =
        lex_read_literal(f->text, lex_skip_space(f->text, open + 1, f->n), f->n, &past, a);
    if (path && string_map_put(known, path, path)) *arena_push(a, &m->cubins) = path;
  }
}
