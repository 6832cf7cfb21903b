/* triton_reader.h - what the readers of Triton's Python share. Nothing else includes it. */
#ifndef GEN_KERNEL_TRITON_READER_H
#define GEN_KERNEL_TRITON_READER_H

#include "kernel/parser.h"
#include "kernel/python.h"

typedef struct triton_reader {
  kernel_parser k;
  python syntax;
  unsigned line; /* that of the first row of the syntax */
  int nested;    /* open expressions */
} triton_reader;

unsigned triton_reader_line(const triton_reader *reader, TSNode n);
const char *triton_reader_copy(triton_reader *reader, TSNode n);
/* The name of an identifier. Fails for a keyword, which the grammar accepts. */
const char *triton_reader_name(triton_reader *reader, TSNode n);
void triton_reader_fail(triton_reader *reader, TSNode n, const char *why);
/* The reason why the tree has no form for a node of this kind. */
const char *triton_reader_refuse(enum python_kind kind);

/* Never NULL. */
tree_expr *triton_reader_expr(triton_reader *reader, TSNode n);
/* Adds each child of a node that is an expression to `e`. */
void triton_reader_add_children(triton_reader *reader, tree_expr *e, TSNode n);

#endif
