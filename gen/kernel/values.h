/* values.h - what may decide the value of each variable of a kernel, and of the memory
 * behind each pointer, while reach.c walks the text. Part of the model stage. */
#ifndef GEN_KERNEL_VALUES_H
#define GEN_KERNEL_VALUES_H

#include "kernel/bad.h"

typedef struct kernel_value {
  uint64_t bits;     /* the parameters that may decide it */
  uint8_t constants; /* AG_NAN and so on: it may be one of these */
  kernel_bad bad;    /* what becomes of a NaN or an Inf of the parameters */
} kernel_value;

typedef struct kernel_class {
  int parent;        /* variables that may point to the same memory are one class */
  uint64_t reaches;  /* the parameters that may decide what it holds */
  uint64_t members;  /* the parameters that are in the class */
  kernel_bad bad;    /* as of a value */
  uint8_t constants; /* as of a value */
  bool pointer;
  bool stored_before; /* by a statement that stands before the one that is read */
  bool loaded, stored, fills, vectors;
} kernel_class;

typedef struct kernel_reader {
  const kernel_tree *t;
  bool *accumulates; /* by variable: it is computed from its own value */
  kernel_class *of;  /* by variable */
  bool changed, last;
  uint64_t control; /* that decide whether a statement is executed */
  uint64_t left;    /* that decide whether the kernel, or a loop, was left before */
  unsigned lambdas; /* how many the statement is in */
  kernel_value returned;
  const char *why; /* what was not understood, or NULL */
  unsigned loads, stores;
} kernel_reader;

kernel_class *kernel_values_class(kernel_reader *r, int v);
void kernel_values_join_classes(kernel_reader *r, int v, int w);

void kernel_values_fail(kernel_reader *r, const char *why);
void kernel_values_set_flag(kernel_reader *r, bool *flag, bool on);

/* One of the two, or computed from both. */
kernel_value kernel_values_join(kernel_value x, kernel_value y);

/* The parameters whose elements are read: the others are numbers. */
uint64_t kernel_values_pointers(kernel_reader *r);

/* What it held when the kernel began is there for sure only before the kernel stores to it. */
kernel_value kernel_values_read(kernel_reader *r, int v);
void kernel_values_put(kernel_reader *r, int v, kernel_value x);

/* Is the value of the expression a pointer, as far as its form tells. */
bool kernel_values_is_pointer(kernel_reader *r, tree_expr *e);
void kernel_values_note_pointer(kernel_reader *r, tree_expr *e);

void kernel_values_note_load(kernel_reader *r, tree_expr *from);
void kernel_values_store(kernel_reader *r, tree_expr *to, kernel_value x);
/* A vector is loaded at `from` under a mask, without a count of its elements. */
void kernel_values_note_vector(kernel_reader *r, tree_expr *from);

/* What is stored at `to`, at places and on conditions that `bits` decide: if none of them is an
 * element, then the loops around the store, or the grid, go over all places. */
void kernel_values_note_place(kernel_reader *r, tree_expr *to, uint64_t bits);

#endif
