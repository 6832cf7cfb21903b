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
  block pending;  /* the block of the next statement, where `controls` */
  bool controls;  /* what comes next is the statement of an if, an else or a loop */
  bool unmatched; /* a bracket is not closed: no other is looked for */
  char before;    /* the last byte of the token before */
} block_reader;

static bool is_braced(const block_reader *reader, int i) {
  return reader->text[reader->b->list.at[i].begin] == '{';
}

static void open_block(block_reader *reader, size_t at, block x) {
  x.begin = at;
  x.end = reader->n;
  x.outer = reader->open;
  x.after = -1;
  int number = (int)reader->b->list.n;
  if (x.kind == BLOCK_BRANCH && reader->closed >= 0) {
    block *before = &reader->b->list.at[reader->closed];
    before->after = number;
    x.first = before->first;
    reader->b->list.at[x.first].complete = x.condition.end == 0;
  } else {
    x.first = number;
  }
  *arena_push(reader->a, &reader->b->list) = x;
  reader->open = number;
  reader->closed = -1;
  reader->controls = false;
}

static void close_block(block_reader *reader, size_t at) {
  block *x = &reader->b->list.at[reader->open];
  x->end = at + 1;
  reader->closed = x->kind == BLOCK_BRANCH && x->condition.end ? reader->open : -1;
  reader->open = x->outer;
}

/* Called at the end of a statement. It also ends each statement without braces that has this one as
 * its body. An else belongs to the innermost `if`. */
static void end_statement(block_reader *reader, size_t at) {
  size_t next = lex_skip_space(reader->text, at + 1, reader->n);
  bool otherwise = lex_is_word(reader->text, next, reader->n, "else");
  while (reader->open >= 0 && !is_braced(reader, reader->open) &&
         !(otherwise && reader->closed >= 0))
    close_block(reader, at);
  if (!otherwise) reader->closed = -1;
}

static void read_closing(block_reader *reader, size_t at) {
  while (reader->open >= 0 && !is_braced(reader, reader->open)) close_block(reader, at);
  if (reader->open < 0) return;
  bool statement = reader->b->list.at[reader->open].kind != BLOCK_OTHER;
  close_block(reader, at);
  if (statement) end_statement(reader, at);
}

static void open_braces(block_reader *reader, size_t at) {
  block x = reader->pending;
  bool plain = strchr(";{}", reader->before) != NULL;
  if (!reader->controls) x = (block){.kind = plain ? BLOCK_PLAIN : BLOCK_OTHER};
  open_block(reader, at, x);
}

/* False for the `if` around a launch of torch 2.6, which only asks whether the grid is empty. */
static bool is_branch(const char *condition, size_t n) {
  return !memmem(condition, n, "is_non_zero", 11);
}

/* `if (...)`, `while (...)`, `for (...)`: returns the offset behind the condition. */
static size_t read_condition(block_reader *reader, size_t at, size_t word, bool loop) {
  size_t open = lex_skip_space(reader->text, at + word, reader->n);
  if (!loop && lex_is_word(reader->text, open, reader->n, "constexpr"))
    open = lex_skip_space(reader->text, open + 9, reader->n);
  size_t close = open < reader->n && reader->text[open] == '(' && !reader->unmatched
                     ? lex_match(reader->text, open, reader->n)
                     : reader->n;
  reader->unmatched = reader->unmatched || close >= reader->n;
  if (close >= reader->n) return at + word;
  reader->controls = true;
  reader->pending =
      (block){.kind = loop ? BLOCK_LOOP : BLOCK_BRANCH, .condition = {open, close + 1}};
  if (!loop && !is_branch(reader->text + open, close - open))
    reader->pending = (block){.kind = BLOCK_PLAIN};
  return close + 1;
}

static size_t read_else(block_reader *reader, size_t at) {
  size_t next = lex_skip_space(reader->text, at + 4, reader->n);
  if (lex_is_word(reader->text, next, reader->n, "if")) return next;
  reader->pending = (block){.kind = reader->closed >= 0 ? BLOCK_BRANCH : BLOCK_OTHER};
  reader->controls = true;
  return at + 4;
}

static size_t read_word(block_reader *reader, size_t at) {
  bool branch = lex_is_word(reader->text, at, reader->n, "if");
  bool loop = lex_is_word(reader->text, at, reader->n, "while") ||
              lex_is_word(reader->text, at, reader->n, "for");
  bool again = lex_is_word(reader->text, at, reader->n, "do");
  bool otherwise = lex_is_word(reader->text, at, reader->n, "else");
  if (reader->controls) open_block(reader, at, reader->pending);
  if (!branch && !otherwise) reader->closed = -1;
  if (branch) return read_condition(reader, at, 2, false);
  if (loop)
    return read_condition(reader, at, lex_is_word(reader->text, at, reader->n, "for") ? 3 : 5,
                          true);
  if (otherwise) return read_else(reader, at);
  if (again) {
    reader->controls = true;
    reader->pending = (block){.kind = BLOCK_LOOP};
    return at + 2;
  }
  return lex_skip_token(reader->text, at, reader->n);
}

static size_t read_token(block_reader *reader, size_t at) {
  char c = reader->text[at];
  if (lex_is_identifier(c)) return read_word(reader, at);
  if (c == '{') open_braces(reader, at);
  if (c == '}') read_closing(reader, at);
  if (reader->controls) open_block(reader, at, reader->pending); /* "if (c) ;", "if (c) (*f)();" */
  if (c == ';') end_statement(reader, at);
  return lex_skip_token(reader->text, at, reader->n);
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
