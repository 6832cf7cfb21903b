/* text.h - what the text of a compiled kernel says of its parameters: which are loaded and
 * stored, which loads reach which store, the NaN that it stores on purpose, and how many elements
 * it touches at least. Part of the model stage.
 *
 * The text decides, not a parameter's name. Nothing is said of a kernel that is not understood. A
 * dependence may be named that does not exist, never the reverse; an extent may be too small, never
 * too large.
 */
#ifndef GEN_KERNEL_TEXT_H
#define GEN_KERNEL_TEXT_H

#include "kernel/tree.h"
#include "shared/bad.h"

enum { KERNEL_PARAMS_MAX = 64 };

typedef struct kernel_param {
  const char *name;
  bool loaded, stored;
  /* VecMask<float,1>::from(mask).loadu(pointer): it has no count of elements, so that the last one
   * of a loop may go beyond the end, where nothing is used. */
  bool vectors;
  bool fills; /* one of its stores goes over all places, whatever the elements that are loaded */
  uint64_t reached_by; /* a bit for each parameter whose elements may decide what is stored here */
  /* Of these, the parameters whose NaN, +Inf, -Inf may be selected away, or be lost in a function:
   * what is stored need not be bad. */
  uint64_t selected_by[3];
  bool moves; /* what is stored is bad only where an element that was read is, or by `constants` */
  uint8_t constants;    /* enum ag_bad: stored here on purpose, or selected for it */
  int64_t least;        /* elements from its first that every dense launch touches; 0: not known */
  const char *least_of; /* the same as a function of scalar parameters, or NULL: extent.h */
  /* In the same language: how many elements from its first one on are all loaded, or all stored;
   * NULL where that is not known. */
  const char *loads_all, *stores_all;
} kernel_param;

typedef struct kernel_facts {
  const char *why; /* what was not understood; NULL where all was */
  bool by_user;    /* it is Triton that a user wrote: its stores need not go over all places */
  unsigned loads, stores; /* in the text: a unit compares them with the corpus */
  size_t nparams;
  kernel_param params[KERNEL_PARAMS_MAX]; /* the last: kernels.c keeps those that are used */
} kernel_facts;

/* The C++ function `name` defined in the n bytes at `text`. */
void kernel_text_read_cpp(kernel_facts *f, const char *text, size_t n, const char *name, arena *a);
/* The Triton function `name` defined in the n bytes of Python at `text`. */
void kernel_text_read_triton(kernel_facts *f, const char *text, size_t n, const char *name,
                             arena *a);

/* NULL where it has no such parameter. */
const kernel_param *kernel_text_find(const kernel_facts *f, const char *name);

#endif
