/* triton_reader.h - the readers of Triton's Python: what they share. Nothing else includes it. */
#ifndef GEN_KERNEL_TRITON_READER_H
#define GEN_KERNEL_TRITON_READER_H

#include "kernel/parser.h"
#include "kernel/python.h"

typedef struct triton_reader {
  kernel_parser k;
  python syntax;
  unsigned line; /* of the first row of the syntax */
  int nested;    /* expressions open */
} triton_reader;

unsigned triton_reader_line(const triton_reader *reader, TSNode n);
const char *triton_reader_copy(triton_reader *reader, TSNode n);
/* Of an identifier. Fails where that is a keyword, which the grammar takes. */
const char *triton_reader_name(triton_reader *reader, TSNode n);
void triton_reader_fail(triton_reader *reader, TSNode n, const char *why);
/* Why the tree has no form for a node of this kind. */
const char *triton_reader_refuse(enum python_kind kind);

/* Never NULL. */
tree_expr *triton_reader_expr(triton_reader *reader, TSNode n);
/* Each child of a node that is an expression, added to `e`. */
void triton_reader_add_children(triton_reader *reader, tree_expr *e, TSNode n);

#endif
