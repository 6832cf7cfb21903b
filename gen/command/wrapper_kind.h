/* wrapper_kind.h - finds out from the text of a C++ source whether it is a wrapper, and which kind.
 */
#ifndef GEN_WRAPPER_KIND_H
#define GEN_WRAPPER_KIND_H

#include "base/diag.h"
#include <stddef.h>

enum wrapper_kind {
  WRAPPER_NONE,  /* any other text: kernels, for one */
  WRAPPER_MODEL, /* AOTInductor's: it defines AOTInductorModel::run_impl */
  WRAPPER_JIT    /* from torch.compile's cpp-wrapper mode: it defines inductor_entry_impl */
};

/* Reads n bytes of text, which need not be C++ that compiles. */
enum wrapper_kind wrapper_kind_read(const char *text, size_t n);

/* The error that the file is WRAPPER_NONE, where a wrapper was asked for. */
void wrapper_kind_refuse(const char *file, diags *d);

#endif
