/* sizes_reader.h - what the files of this folder share; nothing else includes it. */
#ifndef GEN_SIZES_SIZES_READER_H
#define GEN_SIZES_SIZES_READER_H

#include "base/string_map.h"
#include "sizes/sizes.h"
#include "kernel/tree.h"

enum { DIMS = 64 };

/* ---- which tensors a variable of the wrapper may hold other than the one that it was
 * declared with: the branches of a condition and the body of a loop move theirs into it */

typedef struct assigned {
  arena_list(int) from;      /* variables, of the facts */
  arena_list(size_t) places; /* the offset of each move */
} assigned;

/* What is known of a variable. It is remembered, since a handle may go through many names. */
struct elements {
  enum { ELEMENTS_UNREAD, ELEMENTS_OPEN, ELEMENTS_READ } state;
  const poly *n;
  const char *why;
  bool typed; /* `bytes` was computed */
  int bytes;  /* the bytes of an element, SIZES_BYTES_ANY, or 0 where the tensors have several sizes
               */
};

/* The call that made the tensor of a variable that owns its memory. */
struct maker {
  int site;   /* 1 + its index; 0: none, -1: several */
  int output; /* which one, from 0 */
  const argument *arg;
};

struct sizes {
  const model *m;
  const poly **assumed; /* by variable: elements that views of its memory go over, or NULL */
  symbols *s;
  storage *storage;
  string_map *launches;  /* launch by kernel */
  string_map *multiples; /* poly by name: a size that is that multiple of a symbol */
  const blocks *blocks;
  string_map *changes;       /* changes_read() */
  string_map *unknown;       /* int by offset: symbols of values that only a run tells */
  size_t *followed;          /* by variable: how far the text was read for assumptions on it */
  assigned *assigned;        /* by variable */
  struct elements *elements; /* by variable */
  struct maker *makers;      /* by variable */
  int depth, hops;
};

const poly *sizes_read_text(sizes *z, span text, size_t at);

const poly *sizes_read_tree(sizes *z, const tree_expr *e, size_t at);

/* The text of the value that a scalar has at offset `at`, and where that stands. False where the
 * text does not tell: a branch or a loop changes it. */
bool sizes_find_value(const sizes *z, int var, size_t at, span *value, size_t *from);

/* The size that a symbol's name means; NULL where none has the name. */
const poly *sizes_find(const sizes *z, const char *name);

/* Defines a symbol for each size of an input that the wrapper reads. */
void sizes_define(sizes *z);

/* ---- the number of elements of an operator's output, for operators whose arguments
 * determine it, and where the wrapper asserts its sizes and strides */

/* Notes which call made which tensor. */
void shape_inference_begin(sizes *z);

/* The elements of the tensor that a call gave to the variable that owns its memory; NULL where they
 * are not known. */
const poly *shape_inference_elements(sizes *z, int root);

#endif
