/* python.h - Python's syntax by tree-sitter, with a limit on memory: a text that is not Python, or
 * takes more than PYTHON_MEMORY, is refused.
 *
 * One text at a time, by one thread: tree-sitter's allocator is the process's. Memory and time are
 * linear in the text; a tree may be as deep as its text is long.
 */
#ifndef GEN_KERNEL_PYTHON_H
#define GEN_KERNEL_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <tree_sitter/api.h>

enum { PYTHON_MEMORY = 128 << 20 };

/* A node of the grammar. PYTHON_OTHER is a sign, a word, or a node that the readers do not
 * distinguish. */
enum python_kind {
  PYTHON_OTHER,
#define X(kind, name) PYTHON_##kind,
#include "kernel/python.def"
#undef X
};

typedef struct python {
  const char *text;
  TSNode root;
  const char *why; /* NULL if the text was parsed */
  unsigned row;    /* the row of the error; 0 for the first line */
} python;

/* Parses n bytes at `text`, which are used until python_free(). Call that in each case. */
void python_parse(python *p, const char *text, size_t n);
void python_free(python *p);

enum python_kind python_kind_of(TSNode n);
/* The child that the grammar calls so; a null node if there is none. */
TSNode python_field(TSNode n, const char *name);

/* The children of a node but comments, one after another:
 *
 *   python_children c = python_begin(n);
 *   while (python_next(&c)) use(c.node); */
typedef struct python_children {
  TSTreeCursor at;
  TSNode node;
  bool begun, ended;
} python_children;

python_children python_begin(TSNode n);
bool python_next(python_children *c);
/* Call it if a walk ends before the last child. */
void python_end(python_children *c);

#endif
