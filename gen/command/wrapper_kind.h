/* wrapper_kind.h - tells from its text whether a C++ source is a wrapper, and of which kind. */
#ifndef GEN_WRAPPER_KIND_H
#define GEN_WRAPPER_KIND_H

#include <stddef.h>

enum wrapper_kind {
  WRAPPER_NONE,  /* any other text: kernels, for one */
  WRAPPER_MODEL, /* AOTInductor's: it defines AOTInductorModel::run_impl */
  WRAPPER_JIT    /* of torch.compile's cpp-wrapper mode: it defines inductor_entry_impl */
};

/* Reads n bytes of text, which need not be C++ that compiles. */
enum wrapper_kind wrapper_kind_of(const char *text, size_t n);

#endif
