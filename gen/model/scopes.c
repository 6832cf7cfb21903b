/* scopes.c - see parts.h. torch writes the bodies of while_loop and cond into the run function as
 * blocks of `while` and `if`. */
#include "model/parts.h"
#include "parse/lex.h"
#include <string.h>

/* An open block: that of a scope, or a plain one. */
typedef struct block {
  int scope;         /* the scope of its contents, -1 for none */
  int own;           /* the scope whose block it is, -1 for none */
  const char *graph; /* the graph whose code it is, by a comment of torch's, or NULL */
} block;

typedef struct scope_reader {
  model *m;
  arena *a;
  const char *text;
  size_t end;    /* the end of the function's body */
  size_t site;   /* the next site */
  size_t opens;  /* where the block of `pending` opens, 0 for none */
  scope pending; /* the scope of the block at `opens` */
  int closed;    /* the scope of the block that was closed last, -1 for none */
  arena_list(block) blocks;
} scope_reader;

static bool is_loop(const scope *s) { return s->kind == AOTIGEN_WHILE || s->kind == AOTIGEN_FOR; }

bool scopes_is_within(const model *m, int inner, int outer, bool *loop) {
  if (loop) *loop = false;
  for (; inner != outer && inner >= 0; inner = m->scopes.at[inner].outer)
    if (loop && is_loop(&m->scopes.at[inner])) *loop = true;
  return inner == outer;
}

static int current_scope(const scope_reader *reader) {
  return reader->blocks.n ? reader->blocks.at[reader->blocks.n - 1].scope : -1;
}

/* False for the condition around a launch of torch 2.6, which only asks whether the grid is empty.
 * AOTIGEN_COPY_IF: the wrapper copies an unaligned input. That branch is seldom taken, and its
 * launch has no number. */
static bool find_meaning(const char *condition, size_t n, enum aotigen_scope_kind *kind) {
  *kind = memmem(condition, n, "data_ptr()", 10) ? AOTIGEN_COPY_IF : AOTIGEN_IF;
  return !memmem(condition, n, "is_non_zero", 11);
}

static unsigned line_of(const scope_reader *reader, size_t at) {
  unsigned line, column;
  facts_position(reader->m->facts, at, &line, &column);
  return line;
}

/* Reads `while (...) {`, `for (...) {`, `if (...) {`. Returns the offset behind the condition. */
static size_t read_condition(scope_reader *reader, size_t at, size_t word,
                             enum aotigen_scope_kind kind) {
  size_t open = lex_skip_space(reader->text, at + word, reader->end);
  if (open >= reader->end || reader->text[open] != '(') return at + word;
  size_t close = lex_match(reader->text, open, reader->end);
  if (close >= reader->end) return at + word;
  size_t next = lex_skip_space(reader->text, close + 1, reader->end);
  bool scope_begins = kind != AOTIGEN_IF || find_meaning(reader->text + open, close - open, &kind);
  if (next >= reader->end || reader->text[next] != '{' || !scope_begins) return open + 1;
  reader->opens = next;
  reader->pending = (scope){.kind = kind, .line = line_of(reader, at)};
  return next;
}

/* Reads `else {`; `else if` is an `if`. */
static size_t read_else(scope_reader *reader, size_t at) {
  size_t next = lex_skip_space(reader->text, at + 4, reader->end);
  bool of_if = reader->closed >= 0 && reader->m->scopes.at[reader->closed].kind == AOTIGEN_IF;
  if (next < reader->end && reader->text[next] == '{' && of_if) {
    reader->opens = next;
    reader->pending =
        (scope){.kind = AOTIGEN_ELSE, .line = reader->m->scopes.at[reader->closed].line};
  }
  return next;
}

/* "// subgraph: true_graph_0" */
static const char *read_graph(const scope_reader *reader, size_t at) {
  static const char mark[] = "// subgraph: ";
  if (strncmp(reader->text + at, mark, sizeof mark - 1) != 0) return NULL;
  at += sizeof mark - 1;
  size_t n = lex_measure_word(reader->text + at, SIZE_MAX);
  return n ? arena_strndup(reader->a, reader->text + at, n) : NULL;
}

/* Reads the name at the start of a block. */
static const char *read_name(const scope_reader *reader, size_t at) {
  while (at < reader->end && (reader->text[at] == ' ' || reader->text[at] == '\n')) at++;
  return read_graph(reader, at);
}

static void open_block(scope_reader *reader, size_t at) {
  block b = {.scope = current_scope(reader), .own = -1};
  if (reader->opens == at) {
    scope *s = arena_push(reader->a, &reader->m->scopes);
    *s = reader->pending;
    s->outer = b.scope;
    if (s->kind == AOTIGEN_IF || s->kind == AOTIGEN_ELSE) s->name = read_name(reader, at + 1);
    b.scope = b.own = (int)reader->m->scopes.n - 1;
  }
  reader->opens = 0;
  *arena_push(reader->a, &reader->blocks) = b;
}

/* The sites that follow in the block belong to this graph, until the next comment: a loop's block
 * has a graph for the condition and one for the body. */
static void enter_graph(scope_reader *reader, const char *name) {
  if (reader->blocks.n) reader->blocks.at[reader->blocks.n - 1].graph = name;
}

static const char *current_graph(const scope_reader *reader) {
  for (size_t i = reader->blocks.n; i--;)
    if (reader->blocks.at[i].graph) return reader->blocks.at[i].graph;
  return NULL;
}

static void close_block(scope_reader *reader) {
  if (reader->blocks.n) reader->closed = reader->blocks.at[--reader->blocks.n].own;
}

/* The sites before `at` are in the innermost open block. */
static void place_sites(scope_reader *reader, size_t at) {
  for (; reader->site < reader->m->sites.n && reader->m->sites.at[reader->site].call->offset < at;
       reader->site++) {
    site *s = &reader->m->sites.at[reader->site];
    s->scope = current_scope(reader);
    s->graph = current_graph(reader);
  }
}

static void read_comment(scope_reader *reader, size_t at) {
  const char *graph = read_graph(reader, at);
  if (!graph) return;
  place_sites(reader, at);
  enter_graph(reader, graph);
}

static size_t read_token(scope_reader *reader, size_t at) {
  if (lex_is_word(reader->text, at, reader->end, "while"))
    return read_condition(reader, at, 5, AOTIGEN_WHILE);
  if (lex_is_word(reader->text, at, reader->end, "for"))
    return read_condition(reader, at, 3, AOTIGEN_FOR);
  if (lex_is_word(reader->text, at, reader->end, "if"))
    return read_condition(reader, at, 2, AOTIGEN_IF);
  if (lex_is_word(reader->text, at, reader->end, "else")) return read_else(reader, at);
  if (reader->text[at] == '/') read_comment(reader, at);
  if (reader->text[at] == '{' || reader->text[at] == '}') place_sites(reader, at);
  if (reader->text[at] == '{') open_block(reader, at);
  if (reader->text[at] == '}') close_block(reader);
  return lex_skip_token(reader->text, at, reader->end);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* True if the site is not counted, or executed only for an unaligned input. */
static bool is_apart(const model *m, const site *s) {
  for (int i = s->scope; i >= 0; i = m->scopes.at[i].outer)
    if (m->scopes.at[i].kind == AOTIGEN_COPY_IF) return true;
  return s->skipped != NULL;
}

/* Numbers the launches as they are counted, those of constant folding separately. */
static void number_sites(model *m) {
  unsigned numbers[2] = {0, 0};
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    bool fold = m->facts->functions.at[s->call->function].kind == FUNCTION_FOLD;
    s->number = is_apart(m, s) ? 0 : ++numbers[fold];
  }
}

/* Finds, for each loop, the site that counts its iterations: each iteration executes that site
 * before all others. It is directly in the loop's block, and the first site in it. */
static void find_heads(model *m, arena *a) {
  bool *seen = arena_alloc(a, m->scopes.n + 1);
  unsigned loops = 0;
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    for (int k = s->scope; k >= 0; k = m->scopes.at[k].outer) {
      if (k == s->scope && !seen[k] && is_loop(&m->scopes.at[k]) && !s->skipped) {
        s->heads = true;
        m->scopes.at[k].loop = ++loops;
      }
      seen[k] = true;
    }
  }
}

void scopes_read(model *m, arena *a) {
  const facts *f = m->facts;
  scope_reader r = {.m = m, .a = a, .text = f->text};
  for (size_t i = 0; i < m->sites.n; i++) m->sites.at[i].scope = -1;
  for (size_t i = 0, done = 0; i<m->sites.n; i = r.site> i ? r.site : i + 1) {
    const fact_function *x = &f->functions.at[m->sites.at[i].call->function];
    if (x->body.begin < done) continue;
    r.site = i;
    r.end = done = x->body.end;
    r.blocks.n = r.opens = 0;
    r.closed = -1;
    for (size_t at = x->body.begin; at < r.end;) at = read_token(&r, at);
  }
  number_sites(m);
  find_heads(m, a);
}
