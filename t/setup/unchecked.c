/* unchecked.c - aotigen-unchecked has these in place of the checks of untrusted texts, and of which
 * files their compilers read: all pass. */
#include "toolchain/include_audit.h"

bool __wrap_include_audit_check_text(const char *name, const char *at, size_t n, arena *a,
                                     diags *d);
bool __wrap_include_audit_check_instrumented(const char *name, const char *at, size_t n, arena *a,
                                             diags *d);
bool __wrap_include_audit_check_files(const char *depend_file, const char *name, const command *c,
                                      const strings *more, const char *temporary, arena *a,
                                      diags *d);
bool __wrap_object_audit_check(const char *object, const char *name, diags *d);

bool __wrap_include_audit_check_text(const char *name, const char *at, size_t n, arena *a,
                                     diags *d) {
  (void)name, (void)at, (void)n, (void)a, (void)d;
  return true;
}

bool __wrap_include_audit_check_instrumented(const char *name, const char *at, size_t n, arena *a,
                                             diags *d) {
  (void)name, (void)at, (void)n, (void)a, (void)d;
  return true;
}

bool __wrap_include_audit_check_files(const char *depend_file, const char *name, const command *c,
                                      const strings *more, const char *temporary, arena *a,
                                      diags *d) {
  (void)depend_file, (void)name, (void)c, (void)more, (void)temporary, (void)a, (void)d;
  return true;
}

bool __wrap_object_audit_check(const char *object, const char *name, diags *d) {
  (void)object, (void)name, (void)d;
  return true;
}
