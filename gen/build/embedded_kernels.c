/* embedded_kernels.c - see embedded_kernels.h. */
#include "build/embedded_kernels.h"
#include "build/elf_symbols.h"
#include <stdlib.h>
#include <string.h>

/* Symbols that some files leave undefined, and which of them another file defines. */
typedef struct undefined_symbols {
  arena *a;
  strings names; /* sorted and unique after find_undefined() */
  bool *defined; /* one for each name */
} undefined_symbols;

static void visit_undefined(const char *name, const GElf_Sym *symbol, void *data) {
  undefined_symbols *u = data;
  if (*name && symbol->st_shndx == SHN_UNDEF && strlen(name) <= ELF_SYMBOLS_NAME_MAX)
    *arena_push(u->a, &u->names) = arena_strdup(u->a, name);
}

static int compare_strings(const void *x, const void *y) {
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void visit_defined(const char *name, const GElf_Sym *symbol, void *data) {
  undefined_symbols *u = data;
  if (symbol->st_shndx == SHN_UNDEF || u->names.n == 0) return;
  const char **found = bsearch(&name, u->names.at, u->names.n, sizeof name, compare_strings);
  if (found) u->defined[found - u->names.at] = true;
}

static void visit_file(const char *path, elf_symbol_visit *visit, void *data) {
  elf_file f;
  if (elf_symbols_open(&f, path)) elf_symbols_visit(&f, visit, data);
  elf_symbols_close(&f);
}

/* The symbols that `files` leave undefined, and which of them `so` defines. A file that cannot be
 * read has none. */
static void find_undefined(undefined_symbols *u, const strings *files, const char *so, arena *a) {
  size_t n = 0;
  *u = (undefined_symbols){.a = a};
  for (size_t i = 0; i < files->n; i++) visit_file(files->at[i], visit_undefined, u);
  const char **at = u->names.at;
  if (u->names.n) qsort(at, u->names.n, sizeof *at, compare_strings);
  for (size_t i = 0; i < u->names.n; i++)
    if (n == 0 || strcmp(at[n - 1], at[i]) != 0) at[n++] = at[i];
  u->names.n = n;
  u->defined = arena_alloc(a, n + 1);
  visit_file(so, visit_defined, u);
}

/* "X" of "X_start", or NULL. The weights end in "_start" too, but are not a kernel. */
static const char *kernel_name(const char *symbol, arena *a) {
  static const char suffix[] = "_start";
  size_t n = strlen(symbol), k = sizeof suffix - 1;
  if (n <= k || strcmp(symbol + n - k, suffix) != 0) return NULL;
  return strcmp(symbol, "_binary_constants_bin_start") ? arena_strndup(a, symbol, n - k) : NULL;
}

bool embedded_kernels_extract(const char *so, const char *name, const strings *objects,
                              const char *dir, strings *made, arena *a, diags *d) {
  undefined_symbols u;
  elf_file f;
  find_undefined(&u, objects, so, a);
  bool ok = elf_symbols_open(&f, so);
  for (size_t i = 0; ok && i < u.names.n; i++) {
    elf_bytes b;
    const char *kernel = u.defined[i] ? kernel_name(u.names.at[i], a) : NULL;
    if (!kernel) continue;
    const char *object = arena_printf(a, "%s/embedded%zu.o", dir, made->n);
    if (elf_symbols_find_bytes(&f, kernel, &b)) {
      ok = elf_object_write(object, &b, d);
      *arena_push(a, made) = object;
    } else {
      diag_error(d, STATUS_INPUT, name, "the bytes of kernel '%.200s' cannot be taken from it: %s",
                 kernel, f.why);
      ok = false;
    }
  }
  elf_symbols_close(&f);
  return ok;
}

bool embedded_kernels_check(const char *so, const char *old_so, const char *name, arena *a,
                            diags *d) {
  const strings linked = {(const char *[]){so}, 1, 1};
  undefined_symbols u;
  find_undefined(&u, &linked, old_so, a);
  for (size_t i = 0; i < u.names.n; i++) {
    if (!u.defined[i]) continue;
    diag_error(d, STATUS_INPUT, name,
               "needs '%.200s', which was linked into its '.so' from a file that the package does "
               "not hold: it cannot be linked again",
               u.names.at[i]);
    return false;
  }
  return true;
}
