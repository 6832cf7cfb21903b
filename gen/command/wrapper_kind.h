/* wrapper_kind.h - finds out from the text of a C++ source whether it is a wrapper, and which kind.
 */
#ifndef GEN_WRAPPER_KIND_H
#define GEN_WRAPPER_KIND_H

#include "base/arena.h"
#include "base/diag.h"
#include <stddef.h>

enum wrapper_kind {
  WRAPPER_NONE,  /* any other text: kernels, for one */
  WRAPPER_MODEL, /* AOTInductor's: it defines run_impl() of a wrapper_model_class() */
  WRAPPER_JIT    /* from torch.compile's cpp-wrapper mode: it defines inductor_entry_impl */
};

/* Reads n bytes of text, which need not be C++ that compiles. */
enum wrapper_kind wrapper_kind_read(const char *text, size_t n);

#define WRAPPER_MODEL_CLASS "AOTInductorModel"

/* The class whose run_impl() the text defines: that, or, where torch was to link the
 * model statically (aot_inductor.dynamic_linkage=False), that and the name of the model. NULL if
 * there is none. */
const char *wrapper_model_class(const char *text, size_t n, arena *a);

/* The offset of the "(" of the constructor of such a class, whether run_impl() is defined or not; n
 * if there is none. */
size_t wrapper_find_constructor(const char *text, size_t n);

/* The error that the file is WRAPPER_NONE, where a wrapper was asked for. */
void wrapper_kind_refuse(const char *file, diags *d);

#endif
