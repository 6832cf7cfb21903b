/* storage.h - which variable owns the memory behind each variable of a wrapper, and what is known
 * of that memory while the calls are read in source order. Part of the model stage: indices are
 * those of facts.vars.
 *
 * storage_root() only says which variable owns the memory. A storage_walk shows, step by step, how
 * another variable was made from it: by fact_var.from for views and aliases, and by `source` for
 * second handles.
 */
#ifndef GEN_STORAGE_H
#define GEN_STORAGE_H

#include "model/op_table.h"
#include "parse/facts.h"
#include <stdint.h>

typedef struct storage_entry {
  int source;          /* for a second handle: the variable it was made from, else -1 */
  const char *via;     /* for a second handle: the function that made it from `source` */
  bool allocated;      /* new memory */
  bool empty;          /* a tensor without storage, which the first call that is passed it makes */
  bool touched;        /* a launch was passed it since */
  int loop;            /* the innermost loop it is declared in, 0 for none */
  const char *dtype;   /* as it was allocated, or NULL */
  const char *sizes;   /* as it was allocated: "s77, 10"; NULL if unknown */
  const char *strides; /* likewise */
  size_t offset;       /* the offset of the allocation, at which the names in `sizes` are read */
} storage_entry;

typedef struct storage storage;

/* One entry for each variable. */
storage *storage_create(const facts *f, arena *a);

/* The variable that owns the memory behind `var`; -1 for -1. */
int storage_root(storage *s, int var);

/* What is known of a variable's own memory. For what owns it, pass storage_root(). */
storage_entry *storage_at(storage *s, int var);

/* The way from a variable to the one that owns its memory: each variable on it is an alias, a view
 * or a second handle of the next.
 *
 *   for (storage_walk w = storage_walk_from(s, var); w.var >= 0; storage_walk_on(&w))
 *
 * A wrapper may pass tensors on in a circle: then the walk is cut after some steps, and `cut` is
 * set. */
typedef struct storage_walk {
  const storage *s;
  int var, steps;
  bool cut;
} storage_walk;

storage_walk storage_walk_from(const storage *s, int var);
void storage_walk_on(storage_walk *walk);

/* True for a second handle of the same tensor as `source`, false for one of a view. */
bool storage_is_same(const storage_entry *e);

/* The last variable with the name of n bytes at `name` that is declared at or before offset `at`,
 * or -1. */
int storage_find(const storage *s, const char *name, size_t n, size_t at);

/* Reads the numbers of the array that the n bytes at `name` name at offset `at`, INT64_MIN for each
 * that is not a literal. Returns their count; -1 if there is no such array, or it is longer than
 * `room`. */
int storage_read_array(const storage *s, const char *name, size_t n, size_t at, int64_t *to,
                       int room);

/* The same for numbers in the text, separated by commas. */
int storage_read_numbers(const char *text, size_t at, size_t end, int64_t *to, int room);

/* Notes what a call that launches nothing does to its outputs. Call it in source order. */
void storage_note_call(storage *s, const fact_call *c, enum effect effect);

/* output_handles[1] = buf3.release(); */
typedef struct handed_over {
  size_t offset; /* the offset of the statement */
  unsigned long index;
  span name; /* the name of the variable */
} handed_over;

/* Finds the next one from out->at on. */
bool storage_next_output(const facts *f, handed_over *out, size_t end);

/* buf4 = std::move(while_loop_body_graph_0_buf4), and `auto buf4 = ...` likewise. The source may be
 * a view that is made there. */
typedef struct moved {
  size_t offset; /* the offset of the `std::move` */
  span to, from;
  bool again; /* it begins a statement: `to` was declared before, and had another tensor */
} moved;

/* Finds the next one from x->at on, to the end of the text. */
bool storage_next_moved(const facts *f, moved *x);

/* A variable that a statement with `output_handles` names, in whichever way it is handed over. */
typedef struct named_output {
  size_t offset;         /* the search continues there */
  size_t statement, end; /* the statement begins at `output_handles` */
  int var;
} named_output;

/* Finds the next one from out->at on; out->end is 0 before the first. */
bool storage_next_named_output(const storage *s, named_output *out, size_t end);

#endif
