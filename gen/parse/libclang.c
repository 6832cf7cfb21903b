/* libclang.c - see libclang.h. Defines each function of libclang that is called here as one that
 * calls on: a new one gets a row. */
#include "parse/libclang.h"
#include "parse/translation_unit.h"
#include <dlfcn.h>
#include <stdlib.h>

#define FUNCTION(type, name, parameters, arguments) INDEX_##name,
enum {
#include "parse/libclang.def"
  FUNCTIONS
};
#undef FUNCTION

#define FUNCTION(type, name, parameters, arguments) "clang_" #name,
static const char *const names[] = {
#include "parse/libclang.def"
};
#undef FUNCTION

static void *functions[FUNCTIONS];

bool libclang_load(diags *d) {
  if (functions[FUNCTIONS - 1]) return true;
  void *library = dlopen(AOTIGEN_LIBCLANG_NAME, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    diag_error(d, STATUS_INPUT, NULL, "libclang, which parses wrappers, cannot be loaded: %s",
               dlerror());
    diag_note(d, NULL, "Debian has it in the package 'libclang1-19'");
    return false;
  }
  for (int i = 0; i < FUNCTIONS; i++) {
    functions[i] = dlsym(library, names[i]);
    if (functions[i]) continue;
    diag_error(d, STATUS_INPUT, AOTIGEN_LIBCLANG_NAME,
               "is no libclang that aotigen can use: it lacks '%s'", names[i]);
    functions[FUNCTIONS - 1] = NULL;
    return false;
  }
  return true;
}

/* Where nothing has loaded it before: the units. */
static void *find(int i) {
  if (!functions[i]) {
    arena *a = arena_new();
    diags *d = diags_new(a);
    const bool ok = libclang_load(d);
    diags_print(d, stderr, false);
    arena_free(a);
    if (!ok) exit(STATUS_INPUT);
  }
  return functions[i];
}

#define FUNCTION(type, name, parameters, arguments)                                                \
  type clang_##name parameters {                                                                   \
    type(*call) parameters;                                                                        \
    *(void **)&call = find(INDEX_##name);                                                          \
    return call arguments;                                                                         \
  }
#include "parse/libclang.def"
