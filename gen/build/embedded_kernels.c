/* embedded_kernels.c - see embedded_kernels.h. */
#include "build/embedded_kernels.h"
#include "build/elf_symbols.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_MAX = 20000 };

/* Symbols that some files leave undefined, and which of them another file defines. */
typedef struct undefined_symbols {
  arena *a;
  bool starts;   /* only those that end in "_start" */
  strings names; /* sorted and unique after find_undefined() */
  bool *defined; /* one for each name */
} undefined_symbols;

static const char start_suffix[] = "_start", end_suffix[] = "_end";

/* Where the suffix begins; NULL where the name has none, or nothing before it. */
static const char *find_suffix(const char *name, const char *suffix) {
  size_t n = strlen(name), k = strlen(suffix);
  return n > k && strcmp(name + n - k, suffix) == 0 ? name + n - k : NULL;
}

static void visit_undefined(const char *name, const GElf_Sym *symbol, void *data) {
  undefined_symbols *u = data;
  if (*name && symbol->st_shndx == SHN_UNDEF && strlen(name) <= ELF_SYMBOLS_NAME_MAX &&
      (!u->starts || find_suffix(name, start_suffix)))
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
  u->a = a;
  for (size_t i = 0; i < files->n; i++) visit_file(files->at[i], visit_undefined, u);
  const char **at = u->names.at;
  if (u->names.n) qsort(at, u->names.n, sizeof *at, compare_strings);
  for (size_t i = 0; i < u->names.n; i++)
    if (n == 0 || strcmp(at[n - 1], at[i]) != 0) at[n++] = at[i];
  u->names.n = n;
  u->defined = arena_alloc(a, n + 1);
  visit_file(so, visit_defined, u);
}

/* ---- the kernels that are linked in --------------------------------------------------------- */

/* Of each name of `u` its symbols in the '.so': all of them are found in one pass. */
typedef struct kernel_symbols {
  const undefined_symbols *u;
  elf_pair *pairs;
} kernel_symbols;

static elf_pair *find_kernel(const kernel_symbols *k, const char *start) {
  const strings *names = &k->u->names;
  const char **found =
      names->n ? bsearch(&start, names->at, names->n, sizeof start, compare_strings) : NULL;
  return found ? &k->pairs[found - names->at] : NULL;
}

static void visit_kernel(const char *name, const GElf_Sym *symbol, void *data) {
  const kernel_symbols *k = data;
  char start[ELF_SYMBOLS_NAME_MAX + sizeof start_suffix];
  const char *end = find_suffix(name, end_suffix);
  if (symbol->st_shndx == SHN_UNDEF) return;
  if (end) snprintf(start, sizeof start, "%.*s%s", (int)(end - name), name, start_suffix);
  elf_pair *p = find_kernel(k, end ? start : name);
  if (p) elf_pair_add(p, symbol, end != NULL);
}

/* left: bytes that the kernels may yet have; of a sound file they do not overlap. */
static bool take_kernel(elf_file *f, const elf_pair *p, const char *kernel, uint64_t *left,
                        elf_bytes *b) {
  if (!elf_symbols_read_bytes(f, kernel, p, b)) return false;
  f->why = "the kernels are larger than the file";
  if (b->size > *left) return false;
  *left -= b->size;
  return true;
}

bool embedded_kernels_extract(const char *so, const char *name, const strings *objects,
                              const char *dir, strings *made, arena *a, diags *d) {
  undefined_symbols u = {.starts = true};
  elf_file f;
  find_undefined(&u, objects, so, a);
  const kernel_symbols k = {&u, arena_alloc(a, (u.names.n + 1) * sizeof *k.pairs)};
  bool ok = elf_symbols_open(&f, so);
  if (ok) elf_symbols_visit(&f, visit_kernel, (void *)(uintptr_t)&k);
  uint64_t left = f.size;
  for (size_t i = 0; ok && i < u.names.n; i++) {
    elf_bytes b;
    const char *symbol = u.names.at[i];
    if (!u.defined[i] || strcmp(symbol, "_binary_constants_bin_start") == 0) continue;
    const char *kernel =
        arena_strndup(a, symbol, (size_t)(find_suffix(symbol, start_suffix) - symbol));
    const char *object = arena_printf(a, "%s/embedded%zu.o", dir, made->n);
    f.why = "it has more of them than a model has";
    if (made->n < KERNELS_MAX && take_kernel(&f, &k.pairs[i], kernel, &left, &b)) {
      ok = elf_object_write(object, &b, d);
      if (ok) *arena_push(a, made) = object;
      continue;
    }
    diag_error(d, STATUS_INPUT, name, "the bytes of kernel '%.200s' cannot be taken from it: %s",
               kernel, f.why);
    ok = false;
  }
  elf_symbols_close(&f);
  return ok;
}

bool embedded_kernels_check(const char *so, const char *old_so, const char *name, arena *a,
                            diags *d) {
  const strings linked = {(const char *[]){so}, 1, 1};
  undefined_symbols u = {.starts = false};
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
