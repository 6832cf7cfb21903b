/* wrapper_kind.c - see wrapper_kind.h. */
#include "command/wrapper_kind.h"
#include <string.h>

enum wrapper_kind wrapper_kind_read(const char *text, size_t n) {
  static const char model[] = "AOTInductorModel::run_impl", jit[] = "void inductor_entry_impl(";
  if (memmem(text, n, model, sizeof model - 1)) return WRAPPER_MODEL;
  return memmem(text, n, jit, sizeof jit - 1) ? WRAPPER_JIT : WRAPPER_NONE;
}

void wrapper_kind_refuse(const char *file, diags *d) {
  diag_error(d, STATUS_INPUT, file,
             "is not a wrapper that AOTInductor emitted: it defines neither "
             "'AOTInductorModel::run_impl' nor 'inductor_entry_impl'; give the '.wrapper.cpp' that "
             "torch emitted");
}
