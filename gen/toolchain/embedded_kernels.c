/* embedded_kernels.c - see elf_file.h. */
#include "toolchain/elf_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_MAX = 20000 };

/* Symbols that a file defines, and which of them others leave undefined. The names are the file's:
 * what the others refer to may be far more, and is not kept. */
typedef struct defined_symbols {
  arena *a;
  bool starts;   /* only those that end in "_start" */
  strings names; /* sorted and unique after find_defined() */
  bool *missed;  /* one for each name: another file leaves it undefined */
} defined_symbols;

static const char start_suffix[] = "_start", end_suffix[] = "_end";

/* The suffix within the name; NULL if the name has none, or nothing before it. */
static const char *find_suffix(const char *name, const char *suffix) {
  size_t n = strlen(name), k = strlen(suffix);
  return n > k && strcmp(name + n - k, suffix) == 0 ? name + n - k : NULL;
}

static void count_defined(const char *name, const GElf_Sym *symbol, void *data) {
  defined_symbols *x = data;
  x->names.cap += *name && symbol->st_shndx != SHN_UNDEF &&
                  (!x->starts || find_suffix(name, start_suffix));
}

static void visit_defined(const char *name, const GElf_Sym *symbol, void *data) {
  defined_symbols *x = data;
  if (*name && symbol->st_shndx != SHN_UNDEF && (!x->starts || find_suffix(name, start_suffix)))
    x->names.at[x->names.n++] = name;
}

static int compare_strings(const void *x, const void *y) {
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* f lives as long as the names are used. */
static void find_defined(defined_symbols *symbols, elf_file *f) {
  size_t n = 0;
  elf_symbols_visit(f, count_defined, symbols);
  symbols->names.at = arena_alloc(symbols->a, (symbols->names.cap + 1) * sizeof *symbols->names.at);
  elf_symbols_visit(f, visit_defined, symbols);
  const char **at = symbols->names.at;
  if (symbols->names.n) qsort(at, symbols->names.n, sizeof *at, compare_strings);
  for (size_t i = 0; i < symbols->names.n; i++)
    if (n == 0 || strcmp(at[n - 1], at[i]) != 0) at[n++] = at[i];
  symbols->names.n = n;
  symbols->missed = arena_alloc(symbols->a, n + 1);
}

/* The index of a name, or its number where it is none of them. */
static size_t find_name(const strings *names, const char *name) {
  const char **found = names->n ? bsearch(&name, names->at, names->n, sizeof name, compare_strings)
                                : NULL;
  return found ? (size_t)(found - names->at) : names->n;
}

static void visit_undefined(const char *name, const GElf_Sym *symbol, void *data) {
  const defined_symbols *x = data;
  if (symbol->st_shndx == SHN_UNDEF) x->missed[find_name(&x->names, name)] = true;
}

/* A file that cannot be read leaves none undefined. */
static void find_missed(defined_symbols *symbols, const char *path) {
  elf_file f;
  if (elf_symbols_open(&f, path)) elf_symbols_visit(&f, visit_undefined, symbols);
  elf_symbols_close(&f);
}

/* ---- the kernels that are linked in --------------------------------------------------------- */

/* The kernels that are missed, with their symbols in the '.so': all of them are found in one pass.
 */
typedef struct kernels {
  strings starts; /* their first symbols, sorted */
  elf_pair *pairs;
} kernels;

/* False where there are too many. */
static bool list_kernels(kernels *k, const defined_symbols *symbols) {
  *k = (kernels){.starts = {0}};
  for (size_t i = 0; i < symbols->names.n; i++) {
    if (!symbols->missed[i] || strcmp(symbols->names.at[i], "_binary_constants_bin_start") == 0)
      continue;
    if (k->starts.n == KERNELS_MAX) return false;
    *arena_push(symbols->a, &k->starts) = symbols->names.at[i];
  }
  k->pairs = arena_alloc(symbols->a, (k->starts.n + 1) * sizeof *k->pairs);
  return true;
}

static void visit_kernel(const char *name, const GElf_Sym *symbol, void *data) {
  const kernels *k = data;
  char start[ELF_SYMBOLS_NAME_MAX + sizeof start_suffix];
  const char *end = find_suffix(name, end_suffix);
  if (symbol->st_shndx == SHN_UNDEF) return;
  if (end) snprintf(start, sizeof start, "%.*s%s", (int)(end - name), name, start_suffix);
  size_t i = find_name(&k->starts, end ? start : name);
  if (i < k->starts.n) elf_pair_add(&k->pairs[i], symbol, end != NULL);
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

/* Writes each to an object file. */
static bool extract_kernels(elf_file *f, const kernels *k, const char *name, const char *dir,
                            strings *made, arena *a, diags *d) {
  uint64_t left = f->size;
  for (size_t i = 0; i < k->starts.n; i++) {
    elf_bytes b;
    const char *symbol = k->starts.at[i];
    const char *kernel =
        arena_strndup(a, symbol, (size_t)(find_suffix(symbol, start_suffix) - symbol));
    const char *object = arena_printf(a, "%s/embedded%zu.o", dir, made->n);
    if (!take_kernel(f, &k->pairs[i], kernel, &left, &b)) {
      diag_error(d, STATUS_INPUT, name, "the bytes of kernel '%.200s' cannot be taken from it: %s",
                 kernel, f->why);
      return false;
    }
    if (!elf_object_write(object, &b, d)) return false;
    *arena_push(a, made) = object;
  }
  return true;
}

static bool extract_missed(elf_file *f, const char *name, const strings *objects, const char *dir,
                           strings *made, arena *a, diags *d) {
  defined_symbols x = {.a = arena_new(), .starts = true};
  kernels k;
  find_defined(&x, f);
  for (size_t i = 0; i < objects->n && x.names.n; i++) find_missed(&x, objects->at[i]);
  bool ok = list_kernels(&k, &x);
  if (!ok)
    diag_error(d, STATUS_INPUT, name,
               "has more than %d kernels linked in that its sources use: torch makes no such file",
               KERNELS_MAX);
  if (ok) elf_symbols_visit(f, visit_kernel, &k);
  ok = ok && extract_kernels(f, &k, name, dir, made, a, d);
  arena_free(x.a);
  return ok;
}

bool embedded_kernels_extract(const char *so, const char *name, const strings *objects,
                              const char *dir, strings *made, arena *a, diags *d) {
  elf_file f;
  bool ok = elf_symbols_open(&f, so);
  if (ok)
    ok = extract_missed(&f, name, objects, dir, made, a, d);
  else
    diag_error(d, STATUS_INPUT, name, "the kernels cannot be taken from it: %s", f.why);
  elf_symbols_close(&f);
  return ok;
}

/* ---- what else is linked in ----------------------------------------------------------------- */

bool embedded_kernels_check(const char *so, const char *old_so, const char *name, diags *d) {
  defined_symbols x = {.a = arena_new()};
  elf_file f;
  size_t i = 0;
  if (elf_symbols_open(&f, old_so)) {
    find_defined(&x, &f);
    if (x.names.n) find_missed(&x, so);
  }
  while (i < x.names.n && !x.missed[i]) i++;
  bool ok = i == x.names.n;
  if (!ok)
    diag_error(d, STATUS_INPUT, name,
               "needs '%.200s', which was linked into its '.so' from a file that the package does "
               "not hold: it cannot be linked again",
               x.names.at[i]);
  elf_symbols_close(&f);
  arena_free(x.a);
  return ok;
}
