/* buffers.c - see parts.h. Finds the allocations that the host receives: outputs in any form, and
 * memory that may be moved to the variable of an output. */
#include "model/parts.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

/* The end of a variable's memory. */
typedef struct buffer_fate {
  enum aotigen_handed_over end;
  unsigned statements; /* the number of statements that hand it over */
  size_t handing;      /* the offset of the last of them */
  int handed;          /* the variable of `output_handles[1] = buf3.release();` there, else -1 */
  bool planned;        /* a buffer uses `handing` */
} buffer_fate;

typedef struct buffer_reader {
  model *m;
  const facts *f;
  storage *storage;
  buffer_fate *fates;    /* for each variable that owns memory */
  arena_list(int) moved; /* pairs of variables: the first may receive the memory of the second */
  arena_list(size_t) passed_on; /* behind each `buf0.reset();` of memory that another one has */
  arena *a;
} buffer_reader;

static int find_root(const buffer_reader *reader, size_t begin, size_t end, size_t at) {
  int var = end > begin ? storage_find(reader->storage, reader->f->text + begin, end - begin, at)
                        : -1;
  return storage_root(reader->storage, var);
}

static void note_handed_over(buffer_reader *reader, int root, size_t statement, int var) {
  buffer_fate *x = &reader->fates[root];
  bool again = x->statements && x->handing == statement;
  *x = (buffer_fate){.end = AOTIGEN_HANDED_ALWAYS,
                     .statements = x->statements + !again,
                     .handing = statement,
                     .handed = again && x->handed != var ? -1 : var};
}

/* The object that `output_handles[1] = buf3.release();` names, or -1. */
static int find_handed(const buffer_reader *reader, size_t at, size_t end) {
  handed_over out = {.offset = at};
  if (!storage_next_output(reader->f, &out, end) || out.offset != at) return -1;
  int var = storage_find(reader->storage, reader->f->text + out.name.begin,
                         out.name.end - out.name.begin, at);
  return var >= 0 && reader->f->vars.at[var].holds == HOLDS_OBJECT ? var : -1;
}

static void read_handed_over(buffer_reader *reader, const fact_function *function) {
  named_output out = {.offset = function->body.begin};
  while (storage_next_named_output(reader->storage, &out, function->body.end))
    note_handed_over(reader, storage_root(reader->storage, out.var), out.statement,
                     find_handed(reader, out.statement, out.end));
}

static void read_moves(buffer_reader *reader) {
  for (moved x = {0}; storage_next_moved(reader->f, &x); x.offset = x.from.end) {
    *arena_push(reader->a, &reader->moved) = find_root(reader, x.to.begin, x.to.end, x.offset);
    *arena_push(reader->a, &reader->moved) = find_root(reader, x.from.begin, x.from.end, x.offset);
  }
}

static void spread_handed_over(buffer_reader *reader) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i + 1 < reader->moved.n; i += 2) {
      int to = reader->moved.at[i], from = reader->moved.at[i + 1];
      if (to < 0 || from < 0 || !reader->fates[to].end || reader->fates[from].end) continue;
      reader->fates[from].end = AOTIGEN_HANDED_MAYBE;
      changed = true;
    }
  }
}

/* The variable that takes the handle, or the handle's own name. */
static const char *name_buffer(const buffer_reader *reader, int handle) {
  for (size_t i = (size_t)handle + 1; i < reader->f->vars.n; i++)
    if (facts_find_base(reader->f, (int)i) == handle) return reader->f->vars.at[i].name;
  return reader->f->vars.at[handle].name;
}

/* The handle that the call sets, if a line behind the call can use it. */
static int find_handle(const buffer_reader *reader, const fact_call *c) {
  enum function_kind kind = reader->f->functions.at[c->function].kind;
  if (strncmp(c->callee, "aoti_torch_empty_strided", 24) != 0 || c->skipped || c->braces) return -1;
  if (kind != FUNCTION_RUN && kind != FUNCTION_FOLD && kind != FUNCTION_OTHER) return -1;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    if (t->kind == OPERAND_OUTPUT && t->var >= 0 &&
        reader->f->vars.at[t->var].holds == HOLDS_HANDLE)
      return t->var;
  }
  return -1;
}

static void add_buffer(buffer_reader *reader, model_buffer b, int var) {
  buffer_fate *x = &reader->fates[storage_root(reader->storage, var)];
  b.var = var;
  b.owner = reader->f->vars.at[var].name;
  b.end = x->end;
  if (x->end == AOTIGEN_HANDED_ALWAYS && x->statements == 1 && x->handed >= 0) {
    b.end = AOTIGEN_HANDED_COPIED;
    b.handing = x->planned ? 0 : x->handing;
    b.handed = reader->f->vars.at[x->handed].name;
    x->planned = true;
  }
  *arena_push(reader->a, &reader->m->buffers) = b;
}

static void read_allocations(buffer_reader *reader) {
  for (size_t i = 0; i < reader->f->calls.n; i++) {
    const fact_call *c = &reader->f->calls.at[i];
    int handle = find_handle(reader, c);
    if (handle < 0) continue;
    model_buffer b = {
        .name = name_buffer(reader, handle), .function = c->function, .made = c->statement.end};
    facts_position(reader->f, c->statement.begin, &b.line, &(unsigned){0});
    add_buffer(reader, b, handle);
  }
}

/* ---- memory that another buffer takes over -------------------------------------------------- */

static size_t find_taken_over(const buffer_reader *reader, int var);

/* True if the argument of std::move() at `move` is a view of memory that another variable still
 * uses. Torch 2.6 moves a view's handle, `decltype(auto) buf0 =
 * std::move(tmp_tensor_handle_0_raii)`; later versions write the call itself. */
static bool moves_view(const buffer_reader *reader, size_t move) {
  const size_t from = move + strlen("std::move("),
               n = lex_measure_word(reader->f->text + from, SIZE_MAX);
  int var = storage_find(reader->storage, reader->f->text + from, n, move);
  if (var >= 0) var = facts_skip_aliases(reader->f, var);
  return var >= 0 && reader->f->vars.at[var].made == MADE_VIEW && !find_taken_over(reader, var);
}

/* The offset behind the statement by which the variable takes over memory: `auto buf1 =
 * std::move(buf0);`, or `auto buf1 = ...(reinterpret_tensor_wrapper(buf0, ...)); buf0.reset();`. 0
 * if there is none. */
static size_t find_taken_over(const buffer_reader *reader, int var) {
  const fact_var *v = &reader->f->vars.at[var];
  const char *text = reader->f->text;
  size_t end = reader->f->functions.at[v->function].body.end;
  if (v->holds != HOLDS_OBJECT || v->init.end <= v->init.begin) return 0;
  size_t at = lex_find(text, v->init.end, end, ';') + 1;
  if (at >= end) return 0;
  if (strncmp(text + v->init.begin, "std::move(", 10) == 0)
    return moves_view(reader, v->init.begin) ? 0 : at;
  if (v->made != MADE_VIEW || v->from < 0) return 0;
  const char *base = reader->f->vars.at[v->from].name;
  size_t n = strlen(base);
  at = lex_skip_space(text, at, end);
  bool reset = lex_is_word(text, at, end, base) && strncmp(text + at + n, ".reset();", 9) == 0;
  return reset ? at + n + 9 : 0;
}

/* The site whose arguments contain offset `at`. Arguments are in the order of the text. */
static const site *find_site(const buffer_reader *reader, size_t at) {
  size_t i;
  arena_bound(i, reader->m->sites.n, reader->m->sites.at[i].call->open < at);
  const site *s = i ? &reader->m->sites.at[i - 1] : NULL;
  return s && at < s->call->close ? s : NULL;
}

/* In bytes of text: torch allocates a buffer right before the launch that fills it. */
enum { NEAR = 64 << 10 };

/* True if the first use of the variable is an argument that a launch writes and does not read. Then
 * the variable is a new buffer, and the old contents of the memory are not needed. A kernel that
 * computes in place has it as in and out; a user's kernel may leave a part unwritten. */
static bool is_filled_first(const buffer_reader *reader, int var, size_t from) {
  const fact_var *v = &reader->f->vars.at[var];
  const char *text = reader->f->text;
  size_t end = reader->f->functions.at[v->function].body.end;
  if (end - from > NEAR) end = from + NEAR;
  size_t at = lex_find_word(text, from, end, v->name);
  const site *s = at < end ? find_site(reader, at) : NULL;
  if (!s || s->skipped || s->call->function != v->function) return false;
  if (lex_find_word(text, at + 1, s->call->close, v->name) < s->call->close) return false;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    const operand *o = x->operand;
    if (!o || at < o->text.begin || at >= o->text.end) continue;
    return x->role == AOTIGEN_OUT && x->kind == AOTIGEN_TENSOR &&
           (!s->by_user || unwritten_is_filled(s, x));
  }
  return false;
}

static void read_reuses(buffer_reader *reader) {
  for (size_t i = 0; i < reader->f->vars.n; i++) {
    const fact_var *v = &reader->f->vars.at[i];
    if (v->function < 0) continue;
    size_t made = find_taken_over(reader, (int)i);
    if (made && v->made == MADE_VIEW) *arena_push(reader->a, &reader->passed_on) = made;
    if (!made || !is_filled_first(reader, (int)i, made)) continue;
    model_buffer b = {.name = v->name, .reuse = true, .function = v->function, .made = made};
    facts_position(reader->f, v->declared, &b.line, &(unsigned){0});
    add_buffer(reader, b, (int)i);
  }
}

/* ---- how many there are at a time ----------------------------------------------------------- */

static int compare_offsets(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* The variable that owns the memory which `.reset();` at `dot` releases, or -1. */
static int find_reset(const buffer_reader *reader, size_t dot, const bool *alive) {
  const size_t end = dot + strlen(".reset();");
  const char *text = reader->f->text;
  size_t begin = dot;
  while (begin && lex_is_identifier(text[begin - 1])) begin--;
  if (reader->passed_on.n &&
      bsearch(&end, reader->passed_on.at, reader->passed_on.n, sizeof end, compare_offsets))
    return -1;
  int root = find_root(reader, begin, dot, dot);
  return root >= 0 && alive[root] ? root : -1;
}

/* Follows the text. Allocations are in its order, and each branch counts as taken. */
static void count_alive(buffer_reader *reader) {
  static const char reset[] = ".reset();";
  const char *text = reader->f->text, *found = text;
  bool *alive = arena_alloc(reader->a, reader->f->vars.n + 1);
  unsigned now = 0;
  if (reader->passed_on.n)
    qsort(reader->passed_on.at, reader->passed_on.n, sizeof *reader->passed_on.at, compare_offsets);
  for (size_t i = 0; i < reader->m->buffers.n && !reader->m->buffers.at[i].reuse; i++) {
    const model_buffer *b = &reader->m->buffers.at[i];
    for (; (found = strstr(found, reset)) && (size_t)(found - text) < b->made; found++) {
      int root = find_reset(reader, (size_t)(found - text), alive);
      if (root < 0) continue;
      alive[root] = false;
      now--;
    }
    if (!found) found = text + strlen(text);
    alive[storage_root(reader->storage, b->var)] = true;
    if (++now > reader->m->buffers_alive) reader->m->buffers_alive = now;
  }
}

/* Marks results of a library's operator that the host never receives. */
static void read_results(buffer_reader *reader) {
  for (size_t i = 0; i < reader->m->sites.n; i++) {
    site *s = &reader->m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) {
      argument *x = &s->args.at[k];
      if (x->flags & AOTIGEN_MADE_BY_LIBRARY && x->root >= 0 &&
          reader->fates[storage_root(reader->storage, x->root)].end == AOTIGEN_HANDED_NEVER)
        x->flags |= AOTIGEN_ENDS_IN_RUN;
    }
  }
}

void buffers_read(model *m, arena *a) {
  const facts *f = m->facts;
  buffer_reader r = {.m = m,
                     .f = f,
                     .storage = m->storage,
                     .fates = arena_alloc(a, (f->vars.n + 1) * sizeof *r.fates),
                     .a = a};
  for (size_t i = 0; i < f->functions.n; i++) read_handed_over(&r, &f->functions.at[i]);
  read_moves(&r);
  spread_handed_over(&r);
  read_allocations(&r);
  read_reuses(&r);
  read_results(&r);
  count_alive(&r);
}
