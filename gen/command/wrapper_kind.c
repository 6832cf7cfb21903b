/* wrapper_kind.c - see wrapper_kind.h. */
#include "command/wrapper_kind.h"
#include <ctype.h>
#include <string.h>

static bool is_in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The bytes of the name of the model's class, which begins at *found; 0 if there is none. */
static size_t find_model_class(const char *text, size_t n, const char **found) {
  static const char begin[] = WRAPPER_MODEL_CLASS, member[] = "::run_impl(";
  const char *end = text + n;
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1));) {
    size_t length = sizeof begin - 1, left = (size_t)(end - at);
    while (length < left && is_in_name(at[length])) length++;
    *found = at;
    if (left - length >= sizeof member - 1 && !memcmp(at + length, member, sizeof member - 1))
      return length;
    at += length;
  }
  return 0;
}

enum wrapper_kind wrapper_kind_read(const char *text, size_t n) {
  static const char jit[] = "void inductor_entry_impl(";
  const char *found;
  if (find_model_class(text, n, &found)) return WRAPPER_MODEL;
  return memmem(text, n, jit, sizeof jit - 1) ? WRAPPER_JIT : WRAPPER_NONE;
}

const char *wrapper_model_class(const char *text, size_t n, arena *a) {
  const char *found;
  const size_t length = find_model_class(text, n, &found);
  return length ? arena_strndup(a, found, length) : NULL;
}

void wrapper_kind_refuse(const char *file, diags *d) {
  diag_error(d, STATUS_INPUT, file,
             "is not a wrapper that AOTInductor emitted: it defines neither "
             "'AOTInductorModel::run_impl' nor 'inductor_entry_impl'; give the '.wrapper.cpp' that "
             "torch emitted");
}
