/* wrapper_kind.c - see wrapper_kind.h. */
#include "command/wrapper_kind.h"
#include <ctype.h>
#include <string.h>

static bool is_in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool begins(const char *at, const char *end, const char *with, size_t n) {
  return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

/* The bytes of the name of a model's class of which the text defines this function, or, with NULL,
 * the constructor: "AOTInductorModelX::run_impl(". The name begins at *found. 0 if there is none.
 */
static size_t find_model_class(const char *text, size_t n, const char *function,
                               const char **found) {
  const char *end = text + n;
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), WRAPPER_MODEL_CLASS,
                                           sizeof WRAPPER_MODEL_CLASS - 1));) {
    const char *name = at, *own = function ? function : name;
    while (at < end && is_in_name(*at)) at++;
    const size_t length = (size_t)(at - name), own_length = function ? strlen(function) : length;
    *found = name;
    if (begins(at, end, "::", 2) && begins(at + 2, end, own, own_length) &&
        begins(at + 2 + own_length, end, "(", 1))
      return length;
  }
  return 0;
}

enum wrapper_kind wrapper_kind_read(const char *text, size_t n) {
  static const char jit[] = "void inductor_entry_impl(";
  const char *found;
  if (find_model_class(text, n, "run_impl", &found)) return WRAPPER_MODEL;
  return memmem(text, n, jit, sizeof jit - 1) ? WRAPPER_JIT : WRAPPER_NONE;
}

const char *wrapper_model_class(const char *text, size_t n, arena *a) {
  const char *found;
  const size_t length = find_model_class(text, n, "run_impl", &found);
  return length ? arena_strndup(a, found, length) : NULL;
}

size_t wrapper_find_constructor(const char *text, size_t n) {
  const char *found;
  const size_t length = find_model_class(text, n, NULL, &found);
  return length ? (size_t)(found - text) + length + 2 + length : n;
}

void wrapper_kind_refuse(const char *file, diags *d) {
  diag_error(d, STATUS_INPUT, file,
             "is not a wrapper that AOTInductor emitted: it defines neither "
             "'AOTInductorModel::run_impl' nor 'inductor_entry_impl'; give the '.wrapper.cpp' that "
             "torch emitted");
}
