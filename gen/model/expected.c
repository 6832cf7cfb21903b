/* expected.c - see expected.h. Collects the uses of each variable's memory once. What a call's
 * output must be follows from the uses behind the call. */
#include "model/expected.h"
#include "model/completions.h"
#include "model/expected_parts.h"
#include "bounds/kernel_facts.h"
#include "model/parts.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 3, OF_MAX = 1000 };

typedef struct expected_reader {
  model *m;
  const facts *f;
  storage *storage;
  arena *a;
  const site *maker; /* the site whose outputs are read */
  uses *by_root;     /* for each variable that owns memory, in the order of the text */
  bool *assigned;    /* by variable: another tensor is moved into it after its declaration */
} expected_reader;

/* ---- the uses ------------------------------------------------------------------------------- */

static void find_assigned(expected_reader *reader) {
  for (moved x = {0}; storage_next_moved(reader->f, &x); x.offset = x.from.end) {
    int var = x.again ? storage_find(reader->storage, reader->f->text + x.to.begin,
                                     x.to.end - x.to.begin, x.to.begin)
                      : -1;
    if (var >= 0) reader->assigned[var] = true;
  }
}

static bool is_carried(const expected_reader *reader, int var) {
  for (storage_walk w = storage_walk_from(reader->storage, var); w.var >= 0; storage_walk_on(&w))
    if (reader->assigned[w.var]) return true;
  return false;
}

static void add_use(expected_reader *reader, int var, use u) {
  int root = storage_root(reader->storage, var);
  if (root < 0) return;
  u.var = var;
  u.carried = is_carried(reader, var);
  *arena_push(reader->a, &reader->by_root[root]) = u;
}

static void collect_sites(expected_reader *reader) {
  for (size_t i = 0; i < reader->m->sites.n; i++) {
    const site *s = &reader->m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) {
      const argument *x = &s->args.at[k];
      if (x->operand && x->kind != AOTIGEN_SCALAR && x->operand->var >= 0)
        add_use(reader, x->operand->var,
                (use){.site = (int)i, .arg = x, .offset = s->call->offset});
    }
  }
}

/* assert_size_stride(buf1, {64L, 128L}, {128L, 1L}, ...): torch 2.13 and later execute it on
 * request. */
static void collect_assertions(expected_reader *reader, const fact_function *function) {
  static const char word[] = "assert_size_stride";
  const char *text = reader->f->text;
  for (size_t at = function->body.begin;
       (at = lex_find_word(text, at, function->body.end, word)) < function->body.end; at++) {
    size_t open = lex_skip_space(text, at + sizeof word - 1, function->body.end), n = 0;
    size_t name = text[open] == '(' ? lex_skip_space(text, open + 1, function->body.end)
                                    : function->body.end;
    while (name + n < function->body.end && lex_is_identifier(text[name + n])) n++;
    int var = n ? storage_find(reader->storage, text + name, n, at) : -1;
    if (var >= 0) add_use(reader, var, (use){.site = NO_SITE, .asserted = open, .offset = at});
  }
}

static void collect_outputs(expected_reader *reader, const fact_function *function) {
  handed_over out = {.offset = function->body.begin};
  for (; storage_next_output(reader->f, &out, function->body.end); out.offset = out.name.end) {
    int var = storage_find(reader->storage, reader->f->text + out.name.begin,
                           out.name.end - out.name.begin, out.offset);
    if (var >= 0) add_use(reader, var, (use){.site = NO_SITE, .offset = out.offset});
  }
}

static int compare_uses(const void *a, const void *b) {
  const use *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return (x->arg > y->arg) - (x->arg < y->arg); /* in one launch, by argument */
}

static void collect_uses(expected_reader *reader) {
  reader->by_root = arena_alloc(reader->a, (reader->f->vars.n + 1) * sizeof *reader->by_root);
  reader->assigned = arena_alloc(reader->a, (reader->f->vars.n + 1) * sizeof *reader->assigned);
  find_assigned(reader);
  collect_sites(reader);
  for (size_t i = 0; i < reader->f->functions.n; i++) {
    collect_assertions(reader, &reader->f->functions.at[i]);
    collect_outputs(reader, &reader->f->functions.at[i]);
  }
  for (size_t i = 0; i < reader->f->vars.n; i++)
    if (reader->by_root[i].n > 1)
      qsort(reader->by_root[i].at, reader->by_root[i].n, sizeof *reader->by_root[i].at,
            compare_uses);
}

/* ---- from a use to the tensor that was made ------------------------------------------------- */

/* The variable's view of the memory that it is traced to. */
typedef struct path {
  bool same_type; /* its elements have the type that they were made with */
  int64_t offset; /* the offset of its first element from theirs; INT64_MIN if it is not known */
  const span *view;
  size_t view_offset; /* the offset of `view` in the text */
} path;

static int64_t add_offset(const expected_reader *reader, int64_t to, span offset) {
  int64_t value;
  if (storage_read_numbers(reader->f->text, offset.begin, offset.end, &value, 1) != 1 ||
      value == INT64_MIN || to == INT64_MIN || __builtin_add_overflow(to, value, &to))
    return INT64_MIN;
  return to;
}

static void pass_view(const expected_reader *reader, path *p, const span *view, size_t at) {
  p->offset = add_offset(reader, p->offset, view[4]);
  if (p->view) return;
  p->view = view;
  p->view_offset = at;
}

/* A second handle is the same tensor, or a view that only its own call describes. */
static void pass_handle(path *p, const storage_entry *e) {
  if (storage_is_same(e)) return;
  p->offset = INT64_MIN;
  p->same_type = false;
}

/* False where the text does not lead from `var` to `root`. */
static bool trace_variable(const expected_reader *reader, int var, int root, path *p) {
  for (storage_walk w = storage_walk_from(reader->storage, var); w.var >= 0; storage_walk_on(&w)) {
    const fact_var *v = &reader->f->vars.at[w.var];
    const storage_entry *e = storage_at(reader->storage, w.var);
    if (w.var == root) return true;
    if (v->made == MADE_VIEW && v->from >= 0) {
      if (!v->view[4].end) return false;
      pass_view(reader, p, v->view, v->declared);
    } else if (facts_find_base(reader->f, w.var) < 0 && e->source >= 0) {
      pass_handle(p, e);
    }
  }
  return false;
}

static bool trace_use(const expected_reader *reader, const use *u, int root, path *p) {
  *p = (path){.same_type = true};
  if (u->arg && u->arg->operand->kind == OPERAND_VIEW)
    pass_view(reader, p, u->arg->operand->view, u->offset);
  return trace_variable(reader, u->var, root, p);
}

/* ---- what a use expects --------------------------------------------------------------------- */

static void expect_least(expected *e, const path *p, int64_t elements) {
  if (p->offset == INT64_MIN || p->offset < 0 || elements <= 0 ||
      __builtin_add_overflow(elements, p->offset, &elements))
    return;
  if (elements > e->least) e->least = elements;
}

/* The number of elements from a view's first to its last; 0 if the text does not say. */
static int64_t measure_view(const expected_reader *reader, const path *p) {
  int64_t sizes[MODEL_DIMS_MAX], strides[MODEL_DIMS_MAX], last = 0, step;
  const char *text = reader->f->text;
  const span *a = &p->view[2], *b = &p->view[3];
  int n = storage_read_array(reader->storage, text + a->begin, a->end - a->begin, p->view_offset,
                             sizes, MODEL_DIMS_MAX);
  if (n < 0 || n != storage_read_array(reader->storage, text + b->begin, b->end - b->begin,
                                       p->view_offset, strides, MODEL_DIMS_MAX))
    return 0;
  for (int i = 0; i < n; i++) {
    if (sizes[i] <= 0 || strides[i] < 0 ||
        __builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return 0;
  }
  return last < INT64_MAX ? last + 1 : 0;
}

static void expect_dtype(expected *e, const char *dtype) {
  if (!e->dtype) e->dtype = dtype;
}

static void expect_kernel(const expected_reader *reader, expected *e, const use *u, const path *p) {
  const site *s = &reader->m->sites.at[u->site];
  if (p->same_type) expect_dtype(e, u->arg->dtype);
  if (!e->device) e->device = s->form == AOTIGEN_CPU ? "cpu" : reader->m->device;
  if (!p->same_type || !u->arg->text) return;
  expect_least(e, p, u->arg->text->told.least);
  const expected_sizes sizes = {reader->f, reader->storage, reader->a};
  const char *of =
      u->arg->text->told.least_of
          ? expected_size_read(&sizes, reader->maker, s, u->arg->text->told.least_of, p->offset)
          : NULL;
  if (!of || (e->least_of && strlen(e->least_of) > OF_MAX) || kernel_facts_has(e->least_of, of))
    return;
  e->least_of = e->least_of ? arena_printf(reader->a, "%s;%s", e->least_of, of) : of;
}

/* Argument i of the list that begins at `open`, as it stands in the text. */
static span find_argument(const expected_reader *reader, size_t open, int i) {
  const char *text = reader->f->text;
  size_t close = lex_match(text, open, reader->f->n), at = open + 1,
         end = lex_find(text, at, close, ',');
  for (; i > 0 && end < close; i--) {
    at = lex_skip_space(text, end + 1, close);
    end = lex_find(text, at, close, ',');
  }
  return i ? (span){close, close} : (span){at, end};
}

/* The numbers of "{64L, 128L}". */
static int read_braces(const expected_reader *reader, span s, int64_t *to) {
  if (s.end < s.begin + 2 || reader->f->text[s.begin] != '{') return -1;
  return storage_read_numbers(reader->f->text, s.begin + 1, s.end - 1, to, MODEL_DIMS_MAX);
}

/* assert_size_stride(buf1, {64L, 128L}, {128L, 1L}, "torch.ops.lab.op.default",
 * cached_torch_dtype_float32, "torch.float32"), for a tensor that is used as it was made. */
static void expect_assertion(const expected_reader *reader, expected *e, size_t open) {
  static const char dtype[] = "cached_torch_dtype_";
  int64_t sizes[MODEL_DIMS_MAX], strides[MODEL_DIMS_MAX];
  int n = read_braces(reader, find_argument(reader, open, 1), sizes);
  span type = find_argument(reader, open, 4);
  if (n < 0 || n != read_braces(reader, find_argument(reader, open, 2), strides)) return;
  e->ndim = n;
  e->dims = arena_alloc(reader->a, ((size_t)n + 1) * sizeof *e->dims);
  for (int i = 0; i < n; i++) e->dims[i] = (aotigen_dim){sizes[i], sizes[i], strides[i], NULL};
  if (type.end > type.begin + sizeof dtype &&
      memcmp(reader->f->text + type.begin, dtype, sizeof dtype - 1) == 0)
    expect_dtype(e, arena_strndup(reader->a, reader->f->text + type.begin + sizeof dtype - 1,
                                  type.end - type.begin - (sizeof dtype - 1)));
}

/* True for a call that would not take an undefined tensor, and for the end of the model. */
static bool needs_tensor(const expected_reader *reader, const use *u) {
  if (!u->arg) return true;
  return reader->m->sites.at[u->site].flags & AOTIGEN_KERNEL || u->arg->flags & AOTIGEN_DEFINED;
}

/* True for a compiled kernel and for a view: an ATen op reads the tensor's own strides. */
static bool relies_on_strides(const expected_reader *reader, const use *u) {
  if (!u->arg) return false;
  return reader->m->sites.at[u->site].flags & AOTIGEN_KERNEL || u->arg->kind == AOTIGEN_VIEW;
}

/* ---- the outputs of a call ------------------------------------------------------------------ */

bool expected_is_made(storage *st, const site *s, const argument *arg) {
  if (arg->kind == AOTIGEN_SCALAR || arg->root < 0 || s->flags & AOTIGEN_KERNEL || s->skipped)
    return false;
  if (arg->flags & AOTIGEN_LATE) return !completion_returns_input(s);
  return arg->flags & AOTIGEN_FRESH && storage_at(st, arg->root)->empty;
}

static void add_alias(const expected_reader *reader, expected *e, int index, const argument *arg,
                      aotigen_alias y) {
  for (size_t i = 0; i < e->aliases.n; i++)
    if (e->aliases.at[i].site == y.site && e->aliases.at[i].param == y.param) return;
  bool reads;
  int writer = aliases_find_destroyer(reader->m, reader->by_root, index, arg,
                                      &reader->m->sites.at[y.site].args.at[y.param], &reads);
  y.writer = (uint32_t)writer;
  y.reads = reads;
  if (writer >= 0) *arena_push(reader->a, &e->aliases) = y;
}

static void collect_aliases(const expected_reader *reader, expected *e, int index,
                            const argument *arg) {
  const site *s = &reader->m->sites.at[index];
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *y = &s->args.at[i];
    if (y->kind == AOTIGEN_SCALAR || y->root < 0 || y->root == arg->root) continue;
    if (expected_is_made(reader->storage, s, y) &&
        (y > arg || !expected_is_made(reader->storage, s, arg)))
      continue; /* the entry of y names arg */
    add_alias(reader, e, index, arg,
              (aotigen_alias){.site = (uint32_t)index, .param = (uint32_t)i});
  }
}

/* True if no other buffer took over the memory between the two sites. */
static bool is_kept_between(const expected_reader *reader, const argument *y, int from, int to) {
  const uses *list = &reader->by_root[y->root];
  for (size_t i = 0; i < list->n; i++) {
    const use *u = &list->at[i];
    if (u->site > from && u->site < to && u->arg && !aliases_is_same(y->name, u->arg)) return false;
  }
  return true;
}

static bool has_root(const site *s, int root) {
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].kind != AOTIGEN_SCALAR && s->args.at[i].root == root) return true;
  return false;
}

/* Adds the arguments of the calls that made the arguments of site `index`, and so on: an output may
 * have memory that one of those calls returned again. */
static void collect_distant(const expected_reader *reader, expected *e, int index,
                            const argument *arg, int at, int hops) {
  const site *s = &reader->m->sites.at[at];
  for (size_t i = 0; i < s->args.n; i++) {
    int maker = s->args.at[i].maker;
    bool loop, again = false;
    for (size_t k = 0; k < i; k++) again = again || s->args.at[k].maker == maker;
    if (again || maker < 0 || maker >= at || s->args.at[i].kind == AOTIGEN_SCALAR) continue;
    const site *from = &reader->m->sites.at[maker];
    if (!scopes_is_within(reader->m, reader->m->sites.at[index].scope, from->scope, &loop) || loop)
      continue;
    for (size_t k = 0; k < from->args.n; k++) {
      const argument *y = &from->args.at[k];
      if (y->kind == AOTIGEN_SCALAR || y->root < 0 || y->root == arg->root ||
          expected_is_made(reader->storage, from, y) ||
          has_root(&reader->m->sites.at[index], y->root) ||
          !is_kept_between(reader, y, maker, index))
        continue;
      add_alias(reader, e, index, arg,
                (aotigen_alias){.site = (uint32_t)maker, .param = (uint32_t)k});
    }
    if (hops > 1) collect_distant(reader, e, index, arg, maker, hops - 1);
  }
}

static void read_use(const expected_reader *reader, expected *e, const use *u, int root) {
  path p;
  if (!trace_use(reader, u, root, &p)) return;
  if (p.view && p.same_type) expect_least(e, &p, measure_view(reader, &p));
  if (u->arg && reader->m->sites.at[u->site].flags & AOTIGEN_KERNEL)
    expect_kernel(reader, e, u, &p);
  if (u->asserted && !p.view && p.same_type) expect_assertion(reader, e, u->asserted);
}

/* Notes that the argument of a later call comes from this call's tensor. */
static void note_maker(const expected_reader *reader, const use *u, int maker) {
  if (!u->arg || u->site <= maker || u->carried) return;
  site *s = &reader->m->sites.at[u->site];
  s->args.at[u->arg - s->args.at].maker = maker;
}

static void read_made(const expected_reader *reader, int index, argument *arg) {
  const site *s = &reader->m->sites.at[index];
  const uses *list = &reader->by_root[arg->root];
  expected *e = arena_alloc(reader->a, sizeof *e);
  bool used = false, strided = false;
  *e = (expected){.ndim = -1, .user = NO_SITE};
  for (size_t i = 0; i < list->n; i++) {
    const use *u = &list->at[i];
    if (u->offset <= s->call->statement.end) continue;
    note_maker(reader, u, index);
    if (!needs_tensor(reader, u)) continue;
    if (!used) e->user = u->site;
    used = used || !u->asserted;
    strided = strided || relies_on_strides(reader, u);
    read_use(reader, e, u, arg->root);
  }
  if (!used) return;
  for (int i = 0; i < e->ndim && !strided; i++) e->dims[i].stride = AOTIGEN_ANY;
  collect_aliases(reader, e, index, arg);
  collect_distant(reader, e, index, arg, index, CALLS_MAX);
  arg->expected = e;
}

/* ---- what a call may not change ------------------------------------------------------------- */

/* True if `var` is the variable `from`, or was made from its tensor. */
static bool is_made_of(const expected_reader *reader, int var, int from) {
  for (storage_walk w = storage_walk_from(reader->storage, var); w.var >= 0; storage_walk_on(&w))
    if (w.var == from) return true;
  return false;
}

/* True if both variables have the same tensor: buf4 = std::move(buf1). */
static bool is_same_tensor(const expected_reader *reader, int var, int from) {
  for (storage_walk w = storage_walk_from(reader->storage, var); w.var >= 0; storage_walk_on(&w)) {
    if (w.var == from) return true;
    if (reader->f->vars.at[w.var].made != MADE_ALIAS &&
        !storage_is_same(storage_at(reader->storage, w.var)))
      return false;
  }
  return false;
}

/* Reads the aliases of an argument whose memory the call may replace by another argument's. A view
 * that was taken before the call would keep the old memory. */
static void read_kept_aliases(const expected_reader *reader, int index, argument *arg) {
  size_t call = reader->m->sites.at[index].call->offset;
  expected *e = arena_alloc(reader->a, sizeof *e);
  *e = (expected){.ndim = -1, .user = NO_SITE};
  for (size_t i = 0; i < reader->by_root[arg->root].n; i++) {
    const use *u = &reader->by_root[arg->root].at[i];
    if (u->offset > call && u->var != arg->operand->var &&
        reader->f->vars.at[u->var].declared < call)
      return;
  }
  collect_aliases(reader, e, index, arg);
  if (e->aliases.n) arg->expected = e;
}

/* Reads what later uses assume of a custom op's argument that the op should not resize. */
static void read_kept(const expected_reader *reader, int index, argument *arg) {
  const site *s = &reader->m->sites.at[index];
  int var = arg->operand ? arg->operand->var : -1;
  if (var < 0 || arg->root < 0 || arg->kind == AOTIGEN_SCALAR ||
      arg->operand->kind == OPERAND_VIEW || is_carried(reader, var))
    return;
  if (arg->kind == AOTIGEN_WEIGHT) /* the next run uses it */
    arg->flags |= AOTIGEN_KEEPS_SHAPE | AOTIGEN_KEEPS_STRIDES | AOTIGEN_KEEPS_MEMORY;
  for (size_t i = 0; i < reader->by_root[arg->root].n; i++) {
    const use *u = &reader->by_root[arg->root].at[i];
    if (u->offset <= s->call->statement.end || u->carried || !is_made_of(reader, u->var, var))
      continue;
    arg->flags |= AOTIGEN_KEEPS_MEMORY;
    if (!is_same_tensor(reader, u->var, var)) continue;
    arg->flags |= AOTIGEN_KEEPS_SHAPE;
    if (!u->arg || relies_on_strides(reader, u)) arg->flags |= AOTIGEN_KEEPS_STRIDES;
  }
  if (arg->flags & AOTIGEN_KEEPS_MEMORY) read_kept_aliases(reader, index, arg);
}

/* ---- what was written since ----------------------------------------------------------------- */

static bool is_written(const use *u) {
  return u->arg && (u->arg->role == AOTIGEN_OUT || u->arg->role == AOTIGEN_INOUT);
}

static bool may_write(const use *u) {
  return u->arg && (u->arg->role != AOTIGEN_IN || u->arg->flags & AOTIGEN_MAYBE_WRITTEN);
}

/* later: a site behind `reader` writes to the memory. In a loop, that site may have been
 * executed before. */
static int find_last_writer(const model *m, int reader, int writer, int maker, bool later) {
  int from = m->sites.at[writer >= 0 ? writer : maker].scope;
  bool loop, within = scopes_is_within(m, m->sites.at[reader].scope, from, &loop);
  return !within || (loop && later) ? WRITER_UNKNOWN : writer;
}

typedef struct last_write {
  int site;  /* the site that may have written last, or NO_SITE */
  bool sure; /* it certainly did */
} last_write;

static void note_writer(const expected_reader *reader, const use *u, last_write w, bool later) {
  argument *x =
      &reader->m->sites.at[u->site].args.at[u->arg - reader->m->sites.at[u->site].args.at];
  int writer = w.site > x->maker ? w.site : WRITER_NONE;
  if (x->maker < 0) return;
  x->writer = writer >= 0 && !w.sure
                  ? WRITER_UNKNOWN
                  : find_last_writer(reader->m, u->site, writer, x->maker, later);
}

/* Sets `writer` of each argument in the memory of `root` that has a maker. */
static void note_writers(const expected_reader *reader, int root) {
  const uses *list = &reader->by_root[root];
  last_write last = {NO_SITE, true}, before = last; /* before: as site `last.site` saw it */
  int end = NO_SITE;
  for (size_t i = 0; i < list->n; i++)
    if (may_write(&list->at[i])) end = list->at[i].site;
  for (size_t i = 0; i < list->n; i++) {
    const use *u = &list->at[i];
    if (!u->arg) continue;
    note_writer(reader, u, u->site == last.site ? before : last, end > u->site);
    if (!may_write(u)) continue;
    if (u->site != last.site) before = last;
    last = (last_write){u->site, is_written(u) && !u->carried};
  }
}

void expected_read(model *m, storage *st, arena *a) {
  expected_reader r = {.m = m, .f = m->facts, .storage = st, .a = a};
  collect_uses(&r);
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = r.maker = &m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) {
      if (expected_is_made(st, s, &s->args.at[k]))
        read_made(&r, (int)i, &s->args.at[k]);
      else if (s->form == AOTIGEN_PROXY && !s->skipped && s->flags & AOTIGEN_OF_LIBRARY)
        read_kept(&r, (int)i, &s->args.at[k]);
    }
  }
  for (size_t i = 0; i < m->facts->vars.n; i++) note_writers(&r, (int)i);
}
