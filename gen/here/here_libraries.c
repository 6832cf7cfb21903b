/* here_libraries.c - see here_rows.h. Looks symbols up as the loader does: in the libraries that
 * the '.so' asks for, and those that they ask for. */
#include "base/string_map.h"
#include "toolchain/elf_file.h"
#include "here/here_rows.h"
#include "parse/lex.h"
#include <string.h>

enum { LIBRARIES_MAX = 200, PATHS_MAX = 50, SHOWN = 5, SYMBOLS_MAX = 200000, DECLARED_MAX = 100 };

/* A symbol that the '.so' leaves undefined. */
typedef struct wanted_symbol {
  const char *name;
  bool found;
} wanted_symbol;

typedef struct lookup {
  here_model *m;
  elf_links links;       /* those of the '.so'; `needed` has each library once */
  library_places places; /* also those that it names itself */
  arena_list(wanted_symbol) wanted;
  string_map *index; /* entries of `wanted`, by name */
  bool symbols;      /* some dynamic symbols were read */
  strings queue;     /* the names of libraries, each once */
  strings gone;      /* the missing libraries that the '.so' itself asks for */
} lookup;

/* "a, b, c and 7 more" */
static const char *list_some(const strings *s, arena *a) {
  strings some = *s;
  if (s->n <= SHOWN) return strings_join(a, s, ", ");
  some.n = SHOWN;
  return arena_printf(a, "%s and %zu more", strings_join(a, &some, ", "), s->n - SHOWN);
}

/* ---- versions */

/* True if `x` is the newer of two versions of one family ("GLIBC_2.4", "GLIBC_2.34"). */
static bool is_newer(const char *x, const char *y) { return strverscmp(x, y) > 0; }

/* "GLIBC_" of "GLIBC_2.34" */
static size_t family_length(const char *version) {
  const char *end = strrchr(version, '_');
  return end ? (size_t)(end - version) + 1 : strlen(version);
}

/* The newest version of a family that the library defines, or NULL. */
static const char *find_newest(const strings *given, const char *version) {
  const size_t n = family_length(version);
  const char *newest = NULL;
  for (size_t i = 0; i < given->n; i++)
    if (family_length(given->at[i]) == n && !strncmp(given->at[i], version, n) &&
        given->at[i][n] >= '0' && given->at[i][n] <= '9' &&
        (!newest || is_newer(given->at[i], newest)))
      newest = given->at[i];
  return newest;
}

/* The versions that one library must define: the newest, and the newest that is missing. */
typedef struct demand {
  const char *newest, *missing;
  size_t missing_n;
} demand;

static demand sum_demand(const lookup *l, const char *library, const strings *given) {
  demand d = {0};
  for (size_t i = 0; i < l->links.wanted.n; i++) {
    const elf_wanted *v = &l->links.wanted.at[i];
    if (strcmp(v->library, library) != 0) continue;
    if (!d.newest || is_newer(v->name, d.newest)) d.newest = v->name;
    if (strings_has(given, v->name)) continue;
    d.missing_n++;
    if (!d.missing || is_newer(v->name, d.missing)) d.missing = v->name;
  }
  return d;
}

static const char *cure_of_version(const char *library) {
  if (!strncmp(library, "libc.so", 7) || !strncmp(library, "libm.so", 7))
    return "compile the model on a machine whose glibc is not newer than this one's, or run it in "
           "a container with such a system";
  if (!strncmp(library, "libstdc++", 9) || !strncmp(library, "libgcc", 6))
    return "install a newer libstdc++ (of conda: libstdcxx-ng), or compile the model with an "
           "older g++";
  return "install a newer version of this library, or compile the model on this machine";
}

static const char *name_without_suffix(const char *library, arena *a) {
  if (!strcmp(library, "libc.so.6")) return "glibc";
  return arena_strndup(a, library, strcspn(library, "."));
}

/* The loader does not require versions of a library that defines none. */
static void add_versions(lookup *l, const char *library, const char *path) {
  here_model *m = l->m;
  elf_file f;
  elf_links its = {.needed = {0}};
  if (elf_symbols_open_parts(&f, path, ELF_LINKS)) elf_links_read(&its, &f, m->a);
  elf_symbols_close(&f);
  const demand d = sum_demand(l, library, &its.given);
  if (!d.newest) return;
  here_row row = {.what = name_without_suffix(library, m->a), .needs = d.newest};
  if (!its.given.n) {
    row.fits = FITS_UNKNOWN;
    row.cure = "this library tells no versions: run the model to see whether it loads";
  } else if (d.missing_n) {
    row.fits = FITS_NO;
    row.needs = d.missing;
    row.has = find_newest(&its.given, d.missing);
    row.cure = cure_of_version(library);
  } else {
    row.has = find_newest(&its.given, d.newest);
  }
  here_table_add(m->t, row);
}

/* ---- libraries */

static bool is_of_torch(const char *name) {
  return !strncmp(name, "libtorch", 8) || !strncmp(name, "libc10", 6);
}

static const char *cure_of_library(const here_model *m, const char *name) {
  if (!strncmp(name, "libcudart", 9) || !strncmp(name, "libnvrtc", 8))
    return arena_printf(m->a,
                        "install a torch for CUDA %.20s, or compile the model again with the torch "
                        "of this machine",
                        strstr(name, ".so.") ? strstr(name, ".so.") + 4 : "of that version");
  if (!m->torch && (strstr(name, "cuda") || is_of_torch(name)))
    return "install torch, or name it with --torch=DIR";
  if (strstr(name, "cuda")) return "the torch here is built without it: install a torch with CUDA";
  if (is_of_torch(name))
    return "the torch here is built without it: install a torch for the device that the model was "
           "compiled for";
  return "install the library, or name its directory in LD_LIBRARY_PATH";
}

static void add_runtime(here_model *m, const char *name, const char *path) {
  here_row row = {.what = "CUDA runtime", .needs = name, .has = path};
  if (!path) {
    row.fits = FITS_NO;
    row.cure = cure_of_library(m, name);
  }
  here_table_add(m->t, row);
}

/* If no torch was found, its own row says so. The driver has a row of its own. */
static void add_library_rows(lookup *l) {
  here_model *m = l->m;
  for (size_t i = 0; i < l->links.needed.n; i++) {
    const char *name = l->links.needed.at[i], *path = find_library(&l->places, name, m->a);
    bool driver = !strncmp(name, "libcuda.so", 10);
    if (!path) *arena_push(m->a, &l->gone) = name;
    if (!strncmp(name, "libcudart", 9))
      add_runtime(m, name, path);
    else if (!path && !driver && (m->torch || !is_of_torch(name)))
      here_table_add(m->t, (here_row){.fits = FITS_NO,
                                      .what = "library",
                                      .needs = name,
                                      .has = "none of that name",
                                      .cure = cure_of_library(m, name)});
  }
  if (!l->gone.n)
    here_table_add(m->t, (here_row){.what = "libraries",
                                    .needs = arena_printf(m->a, "%zu", l->links.needed.n),
                                    .has = "all of them"});
}

/* ---- symbols */

static void visit_undefined(const char *name, const GElf_Sym *symbol, void *data) {
  lookup *l = data;
  l->symbols = true;
  if (symbol->st_shndx != SHN_UNDEF || !*name || GELF_ST_BIND(symbol->st_info) == STB_WEAK ||
      l->wanted.n >= SYMBOLS_MAX)
    return;
  const char *copy = arena_strdup(l->m->a, name);
  if (string_map_put_index(l->index, copy, l->wanted.n))
    *arena_push(l->m->a, &l->wanted) = (wanted_symbol){.name = copy};
}

static void visit_defined(const char *name, const GElf_Sym *symbol, void *data) {
  lookup *l = data;
  const unsigned bind = GELF_ST_BIND(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF || bind == STB_LOCAL) return;
  size_t i = string_map_index(l->index, name);
  if (i != STRING_MAP_NONE) l->wanted.at[i].found = true;
}

static void queue_libraries(lookup *l, const strings *names) {
  for (size_t i = 0; i < names->n && l->queue.n < LIBRARIES_MAX; i++)
    if (!strings_has(&l->queue, names->at[i])) *arena_push(l->m->a, &l->queue) = names->at[i];
}

static bool is_any_missing(const lookup *l) {
  for (size_t i = 0; i < l->wanted.n; i++)
    if (!l->wanted.at[i].found) return true;
  return false;
}

/* True if each library could be read. */
static bool look_up(lookup *l) {
  bool all = true;
  queue_libraries(l, &l->links.needed);
  for (size_t i = 0; i < l->queue.n && is_any_missing(l); i++) {
    const char *path = find_library(&l->places, l->queue.at[i], l->m->a);
    elf_file f;
    elf_links its;
    if (!path) {
      all = false;
      continue;
    }
    if (elf_symbols_open_parts(&f, path, ELF_DYNAMIC | ELF_LINKS)) {
      elf_symbols_visit_dynamic(&f, visit_defined, l);
      elf_links_read(&its, &f, l->m->a);
      queue_libraries(l, &its.needed);
    } else {
      all = false;
    }
    elf_symbols_close(&f);
  }
  return all;
}

/* True if the wrapper declares the function itself, as torch writes the C shims of custom ops:
 * `extern AOTITorchError NAME(...)`. */
static bool is_declared(const here_model *m, const char *name) {
  size_t at = lex_find_word(m->source, 0, m->n, name), line = at;
  if (at >= m->n) return false;
  while (line > 0 && m->source[line - 1] != '\n') line--;
  size_t word = lex_skip_space(m->source, line, at);
  return word < at && lex_is_word(m->source, word, at, "extern");
}

static void add_symbols(lookup *l) {
  here_model *m = l->m;
  strings missing = {0}, shims = {0};
  bool all = look_up(l);
  for (size_t i = 0; i < l->wanted.n; i++) {
    const char *name = l->wanted.at[i].name;
    if (l->wanted.at[i].found) continue;
    bool declared = missing.n + shims.n < DECLARED_MAX && is_declared(m, name);
    *arena_push(m->a, declared ? &shims : &missing) = name;
  }
  here_row row = {.what = "functions", .needs = arena_printf(m->a, "%zu", l->wanted.n)};
  row.has = arena_printf(m->a, "%zu of them", l->wanted.n - missing.n - shims.n);
  if (missing.n && (l->gone.n || !all || !m->torch)) {
    row.fits = FITS_UNKNOWN;
    row.cure = "some of the libraries above were not found: the others may stand there";
  } else if (missing.n) {
    row.fits = FITS_NO;
    row.cure = arena_printf(m->a,
                            "no library here has %s: they are of another torch; install the one "
                            "that compiled the model%s%s, or compile it again with this one",
                            list_some(&missing, m->a), m->emitted ? ", " : "",
                            m->emitted ? m->emitted : "");
  }
  here_table_add(m->t, row);
  if (shims.n)
    here_table_add(m->t,
                   (here_row){.fits = FITS_UNKNOWN,
                              .what = "C shims",
                              .needs = list_some(&shims, m->a),
                              .cure = "functions of custom ops: the program must load the library "
                                      "that defines them before the model, for all to see "
                                      "(RTLD_GLOBAL)"});
}

/* A '.so' needs tens of libraries. Of a hostile one with more, only the first are read. */
static void read_links(lookup *l, elf_file *f) {
  elf_links_read(&l->links, f, l->m->a);
  strings once = {0};
  for (size_t i = 0; i < l->links.needed.n && once.n < LIBRARIES_MAX; i++)
    if (!strings_has(&once, l->links.needed.at[i]))
      *arena_push(l->m->a, &once) = l->links.needed.at[i];
  l->links.needed = once;
  l->places = *l->m->places;
  for (size_t i = 0; i < l->links.paths.n && i < PATHS_MAX; i++)
    find_library_add(&l->places, l->links.paths.at[i], l->m->a);
}

void here_add_libraries(here_model *m) {
  lookup l = {.m = m, .index = string_map_create(m->a)};
  elf_file f;
  if (!m->so) return;
  bool ok = elf_symbols_open_parts(&f, m->so, ELF_DYNAMIC | ELF_LINKS);
  if (ok) {
    read_links(&l, &f);
    elf_symbols_visit_dynamic(&f, visit_undefined, &l);
  }
  elf_symbols_close(&f);
  if (!ok) return;
  if (!l.symbols) {
    here_table_add(m->t, (here_row){.fits = FITS_UNKNOWN,
                                    .what = "libraries",
                                    .cure = "the '.so' has no section with its symbols: run the "
                                            "model to see whether it loads"});
    return;
  }
  add_library_rows(&l);
  for (size_t i = 0; i < l.links.needed.n; i++) {
    const char *path = find_library(&l.places, l.links.needed.at[i], m->a);
    if (path) add_versions(&l, l.links.needed.at[i], path);
  }
  add_symbols(&l);
}
