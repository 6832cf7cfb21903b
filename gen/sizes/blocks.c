/* blocks.c - see blocks.h. */
#include "sizes/blocks.h"
#include "parse/lex.h"
#include <string.h>

typedef struct block_reader {
  blocks *b;
  arena *a;
  const char *text;
  size_t n;
  int open;       /* the innermost block, -1 for none */
  int closed;     /* the arm that was closed last, -1 where another statement came since */
  block pending;  /* of the next statement, where `controls` */
  bool controls;  /* what comes next is the statement of an if, an else or a loop */
  bool unmatched; /* a bracket is not closed: no other is looked for */
  char before;    /* the last byte of the token before */
} block_reader;

static bool is_braced(const block_reader *r, int i) {
  return r->text[r->b->list.at[i].begin] == '{';
}

static void open_block(block_reader *r, size_t at, block x) {
  x.begin = at;
  x.end = r->n;
  x.outer = r->open;
  x.after = -1;
  int number = (int)r->b->list.n;
  if (x.kind == BLOCK_BRANCH && r->closed >= 0) {
    block *before = &r->b->list.at[r->closed];
    before->after = number;
    x.first = before->first;
    r->b->list.at[x.first].complete = x.condition.end == 0;
  } else {
    x.first = number;
  }
  *arena_push(r->a, &r->b->list) = x;
  r->open = number;
  r->closed = -1;
  r->controls = false;
}

static void close_block(block_reader *r, size_t at) {
  block *x = &r->b->list.at[r->open];
  x->end = at + 1;
  r->closed = x->kind == BLOCK_BRANCH && x->condition.end ? r->open : -1;
  r->open = x->outer;
}

/* A statement has ended: so have those without braces that it is the body of. An else belongs to
 * the innermost `if`. */
static void end_statement(block_reader *r, size_t at) {
  size_t next = lex_skip_space(r->text, at + 1, r->n);
  bool otherwise = lex_is_word(r->text, next, r->n, "else");
  while (r->open >= 0 && !is_braced(r, r->open) && !(otherwise && r->closed >= 0))
    close_block(r, at);
  if (!otherwise) r->closed = -1;
}

static void read_closing(block_reader *r, size_t at) {
  while (r->open >= 0 && !is_braced(r, r->open)) close_block(r, at);
  if (r->open < 0) return;
  bool statement = r->b->list.at[r->open].kind != BLOCK_OTHER;
  close_block(r, at);
  if (statement) end_statement(r, at);
}

static void open_braces(block_reader *r, size_t at) {
  block x = r->pending;
  bool plain = strchr(";{}", r->before) != NULL;
  if (!r->controls) x = (block){.kind = plain ? BLOCK_PLAIN : BLOCK_OTHER};
  open_block(r, at, x);
}

/* In torch 2.6 a launch is made where its grid is not empty: that is no branch. */
static bool is_branch(const char *condition, size_t n) {
  return !memmem(condition, n, "is_non_zero", 11);
}

/* `if (...)`, `while (...)`, `for (...)`: returns the offset behind the condition. */
static size_t read_condition(block_reader *r, size_t at, size_t word, bool loop) {
  size_t open = lex_skip_space(r->text, at + word, r->n);
  if (!loop && lex_is_word(r->text, open, r->n, "constexpr"))
    open = lex_skip_space(r->text, open + 9, r->n);
  size_t close =
      open < r->n && r->text[open] == '(' && !r->unmatched ? lex_match(r->text, open, r->n) : r->n;
  r->unmatched = r->unmatched || close >= r->n;
  if (close >= r->n) return at + word;
  r->controls = true;
  r->pending = (block){.kind = loop ? BLOCK_LOOP : BLOCK_BRANCH, .condition = {open, close + 1}};
  if (!loop && !is_branch(r->text + open, close - open)) r->pending = (block){.kind = BLOCK_PLAIN};
  return close + 1;
}

static size_t read_else(block_reader *r, size_t at) {
  size_t next = lex_skip_space(r->text, at + 4, r->n);
  if (lex_is_word(r->text, next, r->n, "if")) return next;
  r->pending = (block){.kind = r->closed >= 0 ? BLOCK_BRANCH : BLOCK_OTHER};
  r->controls = true;
  return at + 4;
}

static size_t read_word(block_reader *r, size_t at) {
  bool branch = lex_is_word(r->text, at, r->n, "if");
  bool loop = lex_is_word(r->text, at, r->n, "while") || lex_is_word(r->text, at, r->n, "for");
  bool again = lex_is_word(r->text, at, r->n, "do");
  bool otherwise = lex_is_word(r->text, at, r->n, "else");
  if (r->controls) open_block(r, at, r->pending);
  if (!branch && !otherwise) r->closed = -1;
  if (branch) return read_condition(r, at, 2, false);
  if (loop) return read_condition(r, at, lex_is_word(r->text, at, r->n, "for") ? 3 : 5, true);
  if (otherwise) return read_else(r, at);
  if (again) {
    r->controls = true;
    r->pending = (block){.kind = BLOCK_LOOP};
    return at + 2;
  }
  return lex_skip_token(r->text, at, r->n);
}

static size_t read_token(block_reader *r, size_t at) {
  char c = r->text[at];
  if (lex_is_identifier(c)) return read_word(r, at);
  if (c == '{') open_braces(r, at);
  if (c == '}') read_closing(r, at);
  if (r->controls) open_block(r, at, r->pending); /* "if (c) ;", "if (c) (*f)();" */
  if (c == ';') end_statement(r, at);
  return lex_skip_token(r->text, at, r->n);
}

blocks *blocks_read(const facts *f, arena *a) {
  blocks *b = arena_alloc(a, sizeof *b);
  *b = (blocks){.f = f};
  block_reader r = {
      .b = b, .a = a, .text = f->text, .n = f->n, .open = -1, .closed = -1, .before = ';'};
  for (size_t at = 0, next; (at = lex_skip_space(f->text, at, f->n)) < f->n; at = next) {
    next = read_token(&r, at);
    r.before = f->text[next - 1];
  }
  return b;
}

/* ---- questions ------------------------------------------------------------------------------ */

int blocks_find(const blocks *b, size_t at) {
  size_t low = 0, high = b->list.n; /* the first that begins behind it */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (b->list.at[middle].begin <= at)
      low = middle + 1;
    else
      high = middle;
  }
  int i = (int)low - 1;
  while (i >= 0 && b->list.at[i].end <= at) i = b->list.at[i].outer;
  return i;
}

int blocks_find_branching(const blocks *b, size_t at) {
  int i = blocks_find(b, at);
  while (i >= 0 && b->list.at[i].kind == BLOCK_PLAIN) i = b->list.at[i].outer;
  return i;
}

bool blocks_is_within(const blocks *b, int inner, int outer) {
  while (inner > outer) inner = b->list.at[inner].outer;
  return inner == outer;
}

bool blocks_is_certain(const blocks *b, size_t from, size_t to) {
  return blocks_is_within(b, blocks_find(b, to), blocks_find_branching(b, from));
}

int blocks_find_arm(const blocks *b, int x, int y) {
  int arm = -1;
  for (; !blocks_is_within(b, y, x); x = b->list.at[x].outer) arm = x;
  return arm;
}

bool blocks_exclude(const blocks *b, int x, int y) {
  int one = blocks_find_arm(b, x, y), other = blocks_find_arm(b, y, x);
  x = one;
  y = other;
  bool arms = x >= 0 && y >= 0 && x != y && b->list.at[x].kind == BLOCK_BRANCH &&
              b->list.at[y].kind == BLOCK_BRANCH && b->list.at[x].first == b->list.at[y].first;
  for (int i = arms ? b->list.at[x].outer : -1; i >= 0; i = b->list.at[i].outer)
    if (b->list.at[i].kind == BLOCK_LOOP) return false;
  return arms;
}
