/* buffers.c - see buffers.h. Which of the allocations are memory that the host gets: what is handed
 * over as an output, in whichever way, and what may be moved to a variable that is. */
#include "model/buffers.h"
#include "model/storage.h"
#include "parse/lex.h"
#include <string.h>

typedef struct buffer_reader {
  model *m;
  const facts *f;
  storage *storage;
  enum buffer_end *ends; /* for each variable that owns memory */
  struct {
    int *at; /* pairs of variables: the memory of the second may become the first's */
    size_t n, cap;
  } moved;
  arena *a;
} buffer_reader;

static size_t skip_identifier(const char *text, size_t at) {
  while (lex_is_identifier(text[at])) at++;
  return at;
}

static int find_root(const buffer_reader *r, size_t begin, size_t end, size_t at) {
  int var = end > begin ? storage_find(r->storage, r->f->text + begin, end - begin, at) : -1;
  return storage_root(r->storage, var);
}

/* Every variable that a statement with `output_handles` names. */
static void read_handed_over(buffer_reader *r, const fact_function *x) {
  const char *text = r->f->text;
  size_t at = x->body.begin;
  for (; (at = lex_find_word(text, at, x->body.end, "output_handles")) < x->body.end; at++) {
    size_t end = lex_find(text, at, x->body.end, ';');
    for (; at < end; at++) {
      if (!lex_is_identifier(text[at])) continue;
      size_t past = skip_identifier(text, at);
      int root = find_root(r, at, past, at);
      if (root >= 0) r->ends[root] = BUFFER_OUTPUT;
      at = past - 1;
    }
  }
}

/* `buf3 = std::move(true_graph_0_buf1);` */
static void read_moves(buffer_reader *r) {
  static const char move[] = "std::move(";
  const char *text = r->f->text;
  for (const char *found = text; (found = strstr(found, move)); found++) {
    size_t at = (size_t)(found - text), from = at + sizeof move - 1, end = at;
    while (end && text[end - 1] == ' ') end--;
    if (!end || text[--end] != '=') continue;
    while (end && text[end - 1] == ' ') end--;
    size_t begin = end;
    while (begin && lex_is_identifier(text[begin - 1])) begin--;
    *arena_push(r->a, &r->moved) = find_root(r, begin, end, at);
    *arena_push(r->a, &r->moved) = find_root(r, from, skip_identifier(text, from), at);
  }
}

static void spread_handed_over(buffer_reader *r) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i + 1 < r->moved.n; i += 2) {
      int to = r->moved.at[i], from = r->moved.at[i + 1];
      if (to < 0 || from < 0 || !r->ends[to] || r->ends[from]) continue;
      r->ends[from] = BUFFER_PERHAPS_OUTPUT;
      changed = true;
    }
  }
}

/* The variable that takes the handle, or the handle's own name. */
static const char *name_buffer(const buffer_reader *r, int handle) {
  for (size_t i = (size_t)handle + 1; i < r->f->vars.n; i++)
    if (facts_find_base(r->f, (int)i) == handle) return r->f->vars.at[i].name;
  return r->f->vars.at[handle].name;
}

/* The handle that the call sets, where a line after the call can use it. */
static int find_handle(const buffer_reader *r, const fact_call *c) {
  enum function_is is = r->f->functions.at[c->function].is;
  if (strncmp(c->callee, "aoti_torch_empty_strided", 24) != 0 || c->skipped || c->braces) return -1;
  if (is != FUNCTION_RUN && is != FUNCTION_FOLD && is != FUNCTION_OTHER) return -1;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    if (t->is == OPERAND_OUTPUT && t->var >= 0 && r->f->vars.at[t->var].holds == HOLDS_HANDLE)
      return t->var;
  }
  return -1;
}

void buffers_read(model *m, arena *a) {
  const facts *f = m->facts;
  buffer_reader r = {.m = m,
                     .f = f,
                     .storage = m->storage,
                     .ends = arena_alloc(a, (f->vars.n + 1) * sizeof(enum buffer_end)),
                     .a = a};
  for (size_t i = 0; i < f->functions.n; i++) read_handed_over(&r, &f->functions.at[i]);
  read_moves(&r);
  spread_handed_over(&r);
  for (size_t i = 0; i < f->calls.n; i++) {
    const fact_call *c = &f->calls.at[i];
    int handle = find_handle(&r, c), root = storage_root(m->storage, handle);
    if (handle < 0) continue;
    *arena_push(a, &m->buffers) = (model_buffer){.call = c,
                                                 .name = name_buffer(&r, handle),
                                                 .handle = f->vars.at[handle].name,
                                                 .end = root >= 0 ? r.ends[root] : BUFFER_FREED};
    facts_position(f, c->statement.begin, &m->buffers.at[m->buffers.n - 1].line, &(unsigned){0});
  }
}
