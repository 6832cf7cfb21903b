/* weights.h - the weights of a model as an object file that can be linked.
 *
 * An old '.so' holds them between the symbols _binary_constants_bin_start and _end. How they are
 * stored depends on the flags that the wrapper was compiled with: enum weights_place.
 */
#ifndef GEN_TOOLCHAIN_WEIGHTS_H
#define GEN_TOOLCHAIN_WEIGHTS_H

#include "base/diag.h"
#include "model/weights_declared.h"

/* The place where a compiled wrapper finds its weights. */
enum weights_place {
  WEIGHTS_LINKED,   /* between the symbols */
  WEIGHTS_APPENDED, /* USE_MMAP_SELF: at the end of the file; between the symbols are their size and
                       a magic number */
  WEIGHTS_EXTERNAL  /* USE_MMAP_EXTERNAL: in a file that the loader maps; between the symbols is
                       their size */
};

typedef struct weights {
  const char *object; /* to be linked: the object file given, or the one that was made */
  const char *from;   /* the file given, or NULL */
  const char *name;   /* the name of `from`, for messages */
  uint64_t size;      /* bytes between the symbols */
  uint64_t tail;      /* bytes at the end of `from` that the linked file needs at its end, or 0 */
} weights;

/* By the flags of the recorded compile command. */
enum weights_place weights_find_place(const strings *compile);

/* Takes the weights from `from`: an object file is linked as it is, of a shared object they are
 * copied into the new object file `made`. `name` stands for `from` in messages. Memory does not
 * grow with the weights. */
bool weights_extract(weights *w, const char *from, const char *made, enum weights_place place,
                     const char *name, arena *a, diags *d);

/* Sets w->size to the bytes of weights that `so` declares between its symbols, behind it, or in a
 * file beside it, by `place`. False with the reason in *why. */
bool weights_measure(weights *w, const char *so, enum weights_place place, const char **why,
                     arena *a);

/* Makes an object file that defines the symbols, with no weights between them. */
bool weights_make_empty(weights *w, const char *made, diags *d);

/* Refuses weights that are smaller than the wrapper declares. */
bool weights_check_size(const weights *w, const weights_declared *declared,
                        enum weights_place place, diags *d);

/* True if this object file defines the symbols. */
bool weights_are_defined(const char *object);

/* Appends the tail, if there is one, to the linked `so`. */
bool weights_append(const weights *w, const char *so, diags *d);

#endif
