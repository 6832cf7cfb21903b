/* blocks.h - the branches and loops of a wrapper's functions: which statement is executed for
 * certain where another one is. */
#ifndef GEN_SIZES_BLOCKS_H
#define GEN_SIZES_BLOCKS_H

#include "model/storage.h"
#include "base/string_map.h"
#include "parse/facts.h"

enum block_kind {
  BLOCK_PLAIN,  /* braces without a meaning */
  BLOCK_BRANCH, /* an arm of if ... else if ... else, with braces or without */
  BLOCK_LOOP,
  BLOCK_OTHER /* the body of a function or lambda, a try, a switch, an initializer */
};

typedef struct block {
  enum block_kind kind;
  size_t begin, end; /* end: of its last byte */
  int outer;         /* the block that it is in, -1 for none */
  span condition;    /* BRANCH: with its parentheses; empty of an else */
  int first, after;  /* BRANCH: the first arm of the same `if`, and the next one or -1 */
  bool complete;     /* in a first arm: the last arm is an else, so that one of them is taken */
} block;

typedef struct blocks {
  const facts *f;
  arena_list(block) list; /* in the order of their begins */
} blocks;

/* Reads the text once. */
blocks *blocks_read(const facts *f, arena *a);

/* The innermost block around an offset, -1 for none. The second skips plain blocks. */
int blocks_find(const blocks *b, size_t at);
int blocks_find_branching(const blocks *b, size_t at);

/* True if `inner` is `outer` or lies within it. Every block lies within -1. */
bool blocks_is_within(const blocks *b, int inner, int outer);

/* True if each run that comes to `to` has executed `from`. Both are in the same function, `to`
 * behind `from`. */
bool blocks_is_certain(const blocks *b, size_t from, size_t to);

/* The outermost block that x is in and y is not; -1 where y is in x. */
int blocks_find_arm(const blocks *b, int x, int y);

/* True if no run of the function executes both: they stand in two arms of one `if`, which no loop
 * of the function repeats. */
bool blocks_exclude(const blocks *b, int x, int y);

/* ---- where a wrapper's text changes its variables */

enum change_kind {
  CHANGE_ASSIGNS,  /* NAME = value; also where it is declared so */
  CHANGE_GIVES_UP, /* NAME.reset(), NAME.release(), std::move(NAME) */
  CHANGE_OTHER     /* NAME += 1, NAME++, &NAME */
};

typedef struct change {
  size_t offset;
  enum change_kind kind;
} change;

typedef arena_list(change) changes; /* in the order of the text */

/* `changes` by name. Reads the text once. */
string_map *changes_read(const facts *f, arena *a);

/* The changes of a name at offsets below `to`: how many of them there are. */
size_t changes_count(const changes *c, size_t to);

/* The variable that a name means at an offset, -1 for none: one that is declared in a block that is
 * still open. */
int changes_find_variable(const blocks *b, const storage *s, const char *name, size_t at);

#endif
