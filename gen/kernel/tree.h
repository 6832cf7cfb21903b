/* tree.h - the text of a kernel as a tree of statements and expressions, the same for Triton's
 * Python and for C++.
 *
 * All of Python is parsed, and the C++ that Inductor writes. If the tree has no form for something,
 * `why` says so, and nothing may be concluded from the tree. All of it lives in one arena. Reading
 * takes time linear in the text's length. A walk of the tree may recurse: code that is nested
 * deeper than the limits below is not read. Lines count from 1 within the given text.
 */
#ifndef GEN_KERNEL_TREE_H
#define GEN_KERNEL_TREE_H

#include "base/arena.h"
#include <stdint.h>

enum { KERNEL_TREE_NESTING = 200, KERNEL_TREE_DEPTH = 2000, KERNEL_TREE_NODES = 600000 };
enum { KERNEL_TREE_TEXT_MAX = 2 << 20 }; /* bytes: more than what Inductor writes */

enum tree_kind {
  TREE_INTEGER,  /* value */
  TREE_CONSTANT, /* another constant: a float, a string, None; text */
  TREE_NAME,     /* text; variable, or -1 if nothing in the kernel declares it: a function */
  TREE_CALL,     /* first: what is called, then the arguments; type: its template arguments */
  TREE_KEYWORD,  /* text = first, an argument of a call */
  TREE_INDEX,    /* first[the others] */
  TREE_MEMBER,   /* first.text; type: its template arguments */
  TREE_UNARY,    /* text first */
  TREE_BINARY,   /* first text second */
  TREE_CHOICE,   /* first ? second : third */
  TREE_LIST,     /* (a, b), [a, b], {a, b}; Python's slices, with the text ":": none, or low and
                    high and perhaps step, of which each may be the constant None */
  TREE_LAMBDA    /* body */
};

typedef struct tree_expr {
  enum tree_kind kind;
  int variable;
  int64_t value;
  unsigned depth; /* the depth of the tree below it */
  unsigned line;  /* CALL, INDEX: the line of its bracket; 0 for others */
  const char *text, *type;
  struct tree_expr *first, *last, *next;
  struct tree_block *body;
} tree_expr;

enum statement_kind {
  STATEMENT_EXPR,   /* value */
  STATEMENT_ASSIGN, /* target op value; op "=", "+=" and so on */
  STATEMENT_BLOCK,  /* body */
  STATEMENT_FOR,    /* target, from low while below high, by step; body. low NULL: not understood */
  STATEMENT_IF,     /* value; body; otherwise */
  STATEMENT_WHILE,  /* value; body */
  STATEMENT_RETURN, /* value or NULL */
  STATEMENT_JUMP    /* break, continue */
};

typedef struct tree_statement {
  enum statement_kind kind;
  unsigned line; /* where it begins */
  const char *op;
  bool declares; /* ASSIGN: the variable begins here; value NULL: without a value */
  bool aliases;  /* ASSIGN that declares a pointer, a reference or an array */
  bool parallel; /* FOR: several threads execute its iterations, in any order */
  tree_expr *target, *value;
  tree_expr *low, *high, *step; /* low: also the length of an array that is declared, or NULL */
  struct tree_block *body, *otherwise;
  struct tree_statement *next;
} tree_statement;

typedef struct tree_block {
  tree_statement *first, *last;
} tree_block;

typedef struct tree_variable {
  const char *name;
  int param;        /* its number among the kernel's parameters, -1 for a local variable */
  bool pointer;     /* C++: declared as a pointer, a reference or an array */
  bool constant;    /* C++: what it points to is const */
  const char *type; /* as written; for Python that of a parameter, NULL if it has none */
} tree_variable;

typedef struct kernel_tree {
  bool python;
  bool by_hand;    /* a user or a template wrote the Triton: its names promise nothing */
  bool by_user;    /* a user wrote the Triton */
  const char *why; /* what was not understood, NULL where all was */
  unsigned why_line;
  size_t nparams; /* they are the first of `variables` */
  arena_list(tree_variable) variables;
  tree_block *body;
} kernel_tree;

/* Reads the C++ function `name` that is defined in the n bytes at `text`. */
void kernel_tree_read_cpp(kernel_tree *t, const char *text, size_t n, const char *name, arena *a);

/* Reads the Triton function `name` that is defined in the n bytes of Python at `text`: a kernel, or
 * a helper. If there is none, `why` is kernel_tree_no_definition; for a text longer than
 * KERNEL_TREE_TEXT_MAX it is kernel_tree_long. */
extern const char kernel_tree_no_definition[], kernel_tree_long[];
void kernel_tree_read_triton(kernel_tree *t, const char *text, size_t n, const char *name,
                             arena *a);

/* An expression of C++, in which every name is free; NULL if it is not understood. */
const tree_expr *kernel_tree_read_expression(const char *text, size_t n, arena *a);

/* "full" of `tl.full` and of `at::full`: a name or a member without its qualifiers; "" for another
 * expression. */
const char *kernel_tree_name(const tree_expr *e);

/* Argument number i, from 0, of a call; NULL if there is none. Keywords do not count. */
tree_expr *kernel_tree_argument(const tree_expr *call, int i);
/* The value of the argument `name = value`; NULL if there is none. */
tree_expr *kernel_tree_keyword(const tree_expr *call, const char *name);

/* True for decltype(x). As the object of a call it is a type, and the call is no method call. */
bool kernel_tree_is_decltype(const tree_expr *e);
/* True for a call of a method of an object of the kernel's own, not of a module such as tl. */
bool kernel_tree_is_method(const tree_expr *call);
/* True for a call of a function of the module `name`, such as tl. */
bool kernel_tree_is_module(const tree_expr *call, const char *name);
/* Calls `visit` with each variable that a block, which may be NULL, assigns. True if the block may
 * leave the kernel or a loop. */
typedef void kernel_tree_variable(void *data, int variable);
bool kernel_tree_each_assigned(const tree_block *b, kernel_tree_variable *visit, void *data);

/* The variable with the state of a sum in chunks: of cascade_sum_combine(x, &helper), which changes
 * it, and cascade_sum_final(&helper); NULL for another expression, and for none. */
const tree_expr *kernel_tree_sum_helper(const tree_expr *e);

#endif
