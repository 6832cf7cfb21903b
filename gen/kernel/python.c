/* python.c - see python.h.
 *
 * tree-sitter recovers from errors at a cost that is not linear, and release 0.20 does so unsafely
 * if brackets are nested deeper than 65,535. So the parse ends, by a jump out of tree-sitter, at
 * the first token that no rule of Python allows, and when memory runs out. Nothing of tree-sitter's
 * is used after that: all its memory is freed from here. */
#include "kernel/python.h"
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/parser.h>

const TSLanguage *tree_sitter_python(void); /* the grammar's */

enum { PYTHON_SYMBOLS = 512 }; /* more than the grammar has */

typedef struct block {
  struct block *previous, *next;
} block;

_Static_assert(sizeof(block) % _Alignof(max_align_t) == 0, "what follows a block is aligned");

/* The current parse: tree-sitter's hooks have no argument for it. */
static struct parse {
  block blocks; /* a ring: all memory of tree-sitter */
  size_t bytes, most;
  jmp_buf out;
  const char *why;
  const char *text;
  size_t n;
  unsigned row;  /* the row of the last line that was read */
  void *scanner; /* the state of the grammar's own lexer */
  TSLanguage language;
} now;

static void give_up(const char *why) {
  now.why = why;
  longjmp(now.out, 1);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void count_block(block *b) {
  if (!b) { /* as the arena does */
    fputs("aotigen: out of memory\n", stderr);
    exit(3);
  }
  b->previous = &now.blocks;
  b->next = now.blocks.next;
  b->next->previous = b->previous->next = b;
  now.bytes += malloc_usable_size(b) + sizeof(size_t);
}

static void forget_block(block *b) {
  now.bytes -= malloc_usable_size(b) + sizeof(size_t);
  b->previous->next = b->next;
  b->next->previous = b->previous;
}

static void *resize_block(void *old, size_t size) {
  block *b = old ? (block *)old - 1 : NULL;
  if (size > now.most || now.bytes > now.most - size)
    give_up("more syntax than fits into the memory for it");
  if (b) forget_block(b);
  b = realloc(b, sizeof *b + size);
  count_block(b);
  return b + 1;
}

static void *allocate_block(size_t size) { return resize_block(NULL, size); }

static void *allocate_zeroed(size_t n, size_t size) {
  void *p = allocate_block(n * size);
  return memset(p, 0, n * size);
}

static void free_block(void *p) {
  if (!p) return;
  block *b = (block *)p - 1;
  forget_block(b);
  free(b);
}

/* ---- the lexer ------------------------------------------------------------------------------ */

/* Only to recover from an error does tree-sitter ask the grammar's own lexer for all tokens at
 * once. What the lexer finds then is not allowed. */
static bool scan_token(void *scanner, TSLexer *lexer, const bool *allowed) {
  const uint32_t n = now.language.external_token_count;
  uint32_t all = 0;
  while (all < n && allowed[all]) all++;
  if (all == n) give_up("syntax that does not parse as Python");
  return tree_sitter_python()->external_scanner.scan(scanner, lexer, allowed);
}

static void *create_scanner(void) {
  return now.scanner = tree_sitter_python()->external_scanner.create();
}

/* Reads line by line, so that the lexer's place is known. */
static const char *read_line(void *data, uint32_t at, TSPoint place, uint32_t *n) {
  (void)data;
  if (at >= now.n) {
    *n = 0;
    return "";
  }
  const char *end = memchr(now.text + at, '\n', now.n - at);
  *n = (uint32_t)(end ? end + 1 - (now.text + at) : (ptrdiff_t)(now.n - at));
  now.row = place.row;
  return now.text + at;
}

/* ---- a text --------------------------------------------------------------------------------- */

static enum python_kind find_kind(TSSymbol symbol) {
  static unsigned char kinds[PYTHON_SYMBOLS];
  static bool found;
  static const char *const names[] = {
      "",
#define X(kind, name) name,
#include "kernel/python.def"
#undef X
  };
  for (size_t i = 1; !found && i < sizeof names / sizeof *names; i++) {
    TSSymbol s =
        ts_language_symbol_for_name(&now.language, names[i], (uint32_t)strlen(names[i]), true);
    if (s < PYTHON_SYMBOLS) kinds[s] = (unsigned char)i;
  }
  found = true;
  return symbol < PYTHON_SYMBOLS ? (enum python_kind)kinds[symbol] : PYTHON_OTHER;
}

/* The row of the first part that is missing or is not Python. */
static unsigned find_error(TSNode n) {
  TSTreeCursor at = ts_tree_cursor_new(n);
  bool more = true;
  while (more) {
    n = ts_tree_cursor_current_node(&at);
    if (ts_node_is_missing(n) || ts_node_symbol(n) == ts_builtin_sym_error) break;
    more = ts_node_has_error(n) ? ts_tree_cursor_goto_first_child(&at)
                                : ts_tree_cursor_goto_next_sibling(&at);
  }
  return ts_node_start_point(n).row;
}

static void parse_text(python *p) {
  ts_set_allocator(allocate_block, allocate_zeroed, resize_block, free_block);
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, &now.language)) give_up("a parser of another version");
  TSInput input = {.read = read_line, .encoding = TSInputEncodingUTF8};
  TSTree *tree = ts_parser_parse(parser, NULL, input);
  if (!tree) give_up("a text that tree-sitter does not parse");
  p->root = ts_tree_root_node(tree);
  if (!ts_node_has_error(p->root)) return;
  now.row = find_error(p->root);
  give_up("syntax that does not parse as Python");
}

void python_parse(python *p, const char *text, size_t n) {
  *p = (python){.text = text};
  now = (struct parse){.most = PYTHON_MEMORY, .text = text, .n = n};
  now.blocks.previous = now.blocks.next = &now.blocks;
  now.language = *tree_sitter_python();
  now.language.external_scanner.create = create_scanner;
  now.language.external_scanner.scan = scan_token;
  if (n > UINT32_MAX / 2)
    now.why = "a text of more than 2 GiB";
  else if (!setjmp(now.out))
    parse_text(p);
  p->why = now.why;
  p->row = now.row;
  now.most = SIZE_MAX / 2; /* no jump may leave a walk of the tree */
}

void python_free(python *p) {
  while (now.blocks.next != &now.blocks) free_block(now.blocks.next + 1);
  if (now.scanner) tree_sitter_python()->external_scanner.destroy(now.scanner);
  now.scanner = NULL;
  p->root = (TSNode){0};
}

/* ---- nodes ---------------------------------------------------------------------------------- */

enum python_kind python_kind_of(TSNode n) { return find_kind(ts_node_symbol(n)); }

TSNode python_field(TSNode n, const char *name) {
  return ts_node_child_by_field_name(n, name, (uint32_t)strlen(name));
}

python_children python_begin(TSNode n) { return (python_children){.at = ts_tree_cursor_new(n)}; }

bool python_next(python_children *c) {
  bool more = !c->ended;
  while (more) {
    more = c->begun ? ts_tree_cursor_goto_next_sibling(&c->at)
                    : ts_tree_cursor_goto_first_child(&c->at);
    c->begun = true;
    c->node = ts_tree_cursor_current_node(&c->at);
    if (more && !ts_node_is_extra(c->node)) return true;
  }
  python_end(c);
  return false;
}

void python_end(python_children *c) {
  if (!c->ended) ts_tree_cursor_delete(&c->at);
  c->ended = true;
}
