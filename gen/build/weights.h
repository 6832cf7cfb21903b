/* weights.h - the weights of a model as an object file that can be linked.
 *
 * They stand in the old .so between the symbols _binary_constants_bin_start and _end. Where they
 * are large torch appended them to the file instead (USE_MMAP_SELF), and what stands between the
 * symbols is their size and a magic number.
 */
#ifndef GEN_WEIGHTS_H
#define GEN_WEIGHTS_H

#include "base/diag.h"
#include <stdint.h>

typedef struct weights {
  const char *object; /* to be linked: the object file named, or the one that was made */
  const char *from;   /* the file named, or NULL */
  const char *name;   /* what messages call that */
  uint64_t size;      /* bytes between the symbols */
  uint64_t tail; /* bytes at the end of `from` that belong at the end of the result, page aligned;
                    0: none */
} weights;

/* What the wrapper's constructor says of its constants. */
typedef struct weights_declared {
  uint64_t bytes; /* their sizes together, folded ones aside */
  bool left_out;  /* it was emitted without weights: who loads it hands them in */
  bool model;     /* there is such a constructor: a JIT wrapper has none */
} weights_declared;

void weights_declare(weights_declared *w, const char *at, size_t n);

/* Where a wrapper compiled with these flags finds its weights. */
enum weights_place {
  WEIGHTS_LINKED,   /* between the symbols */
  WEIGHTS_APPENDED, /* USE_MMAP_SELF: behind the ELF file; between the symbols are their size and a
                       magic number */
  WEIGHTS_EXTERNAL  /* USE_MMAP_EXTERNAL: who loads it maps a file of them; between the symbols is
                       their size */
};
enum weights_place weights_place(const strings *compile);

/* Is what was taken as large as what the wrapper declares; an error that names `from` where it is
 * not. */
bool weights_fit(const weights *w, const weights_declared *want, enum weights_place place,
                 const char *from, diags *d);

/* From an object file, which is linked as it is, or from a shared object: then they are copied into
 * the object file `made`. `name` is who a message is about. Streamed: memory does not grow with
 * them. */
bool weights_take(weights *w, const char *from, const char *made, enum weights_place place,
                  const char *name, arena *a, diags *d);

/* An object file with no weights in it. */
bool weights_none(weights *w, const char *made, diags *d);

/* Does this object file define them. */
bool weights_defines(const char *object);

/* What torch links into a .so beside the weights: a kernel's binary between NAME_start and
 * NAME_end. Each such pair that one of the object files wants and that the .so `from` holds is
 * copied into an object file of its own in `dir`, whose name is added to `made`. `name` is who a
 * message is about. */
bool weights_embedded(const char *from, const char *name, const strings *objects, const char *dir,
                      strings *made, arena *a, diags *d);

/* Refuses a linked `so` that wants a symbol which the old .so `from` defined: what was linked into
 * that cannot be had from it. `name` is who the message is about. */
bool weights_complete(const char *so, const char *from, const char *name, arena *a, diags *d);

/* Refuses an object file, compiled of a stranger's source `name`, that holds sections for the
 * link-time compiler. */
bool weights_ordinary(const char *object, const char *name, diags *d);

/* Appends the tail, if there is one, to the linked `so`. */
bool weights_append(const weights *w, const char *so, diags *d);

#endif
