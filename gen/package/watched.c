/* watched.c - see watched.h. */
#include "package/watched.h"
#include "base/file.h"
#include "base/shown.h"
#include "shared/version.h"
#include "package/archive_write.h"
#include "package/package.h"
#include "system/atomic_output.h"
#include "system/budget.h"
#include "system/confine_policy.h"
#include "system/progress.h"
#include "toolchain/elf_file.h"
#include "toolchain/watch_library.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The entries that a warning names. */
enum { UNNOTICED_SHOWN = 6 };

/* The state while one package is made. */
typedef struct watching {
  const options *o;
  arena *a;
  diags *d;
  archive archive;
  package_models models;
  watch_library library;
  archive_replacement *with; /* one for each member */
  archive_additions more;
  uint64_t kept;     /* the bytes of the models' '.so' */
  so_hash hash;      /* of the '.so' that is written */
  strings unnoticed; /* entries that update weights, and that the library does not export */
  const char *input; /* its absolute path */
  progress progress;
} watching;

typedef struct watched_model {
  watching *w;
  const package_model *m;
  archive_written written; /* its '.so' */
} watched_model;

static const archive_member *so_of(const watched_model *x) {
  return &x->w->archive.members.at[x->m->so];
}

static bool refuse_member(const watching *w, size_t member, const char *why) {
  diag_error(w->d, STATUS_INPUT, archive_member_path(&w->archive, member, w->a), "%s", why);
  return false;
}

/* ---- the '.so', which is read where it was copied to */

/* A debug model's library leaves this section. */
static bool is_debug_model(const elf_file *f) {
  for (size_t i = 0; i < f->contents.sections.n; i++)
    if (!strcmp(f->contents.sections.at[i].name, ".note.aotigen")) return true;
  return false;
}

static bool is_watched(const elf_file *f) {
  const strings *needed = &f->contents.links.needed;
  for (size_t i = 0; i < needed->n; i++)
    if (file_ends_with(needed->at[i], "/" WATCHED_ORIGINAL)) return true;
  return false;
}

typedef struct entries {
  strings list;
  arena *a;
} entries;

static void add_entry(const char *name, const GElf_Sym *symbol, void *data) {
  entries *e = data;
  const unsigned bind = GELF_ST_BIND(symbol->st_info);
  if (symbol->st_shndx != SHN_UNDEF && symbol->st_value && bind != STB_LOCAL &&
      text_begins(name, WATCH_ENTRIES))
    *arena_push(e->a, &e->list) = name;
}

/* Why this '.so' is not watched, or NULL. */
static const char *check_so(const elf_file *f, const strings *exported, arena *a) {
  if (f->why)
    return arena_printf(a, "is no shared object of a model that this machine can load: %s", f->why);
  if (f->header.e_type != ET_DYN) return "is no shared object: the linker did not finish it";
  if (is_watched(f)) return "is watched already: give the package that it was made from";
  if (is_debug_model(f))
    return "belongs to a debug package of aotigen, which checks more than a watch package does: "
           "give the package that it was made from";
  if (!strings_has(exported, "AOTInductorModelContainerRun"))
    return "does not export 'AOTInductorModelContainerRun': it is no model of AOTInductor";
  return NULL;
}

/* True of an entry of a container by its name. What only reads begins with another verb. */
static bool updates_weights(const char *entry) {
  static const char *const verbs[] = {"Update", "Swap", "Load", "SetConst", "Replace", "Reload"};
  static const char container[] = "AOTInductorModelContainer";
  for (size_t i = 0; text_begins(entry, container) && i < sizeof verbs / sizeof *verbs; i++)
    if (text_begins(entry + sizeof container - 1, verbs[i])) return true;
  return false;
}

/* Keeps the first of them. */
static void note_unnoticed(watching *w, const strings *exported) {
  for (size_t i = 0; i < exported->n && w->unnoticed.n <= UNNOTICED_SHOWN; i++) {
    const char *entry = exported->at[i];
    if (updates_weights(entry) && !watch_library_has(&w->library, entry) &&
        !strings_has(&w->unnoticed, entry))
      *arena_push(w->a, &w->unnoticed) = arena_strdup(w->a, entry);
  }
}

static bool make_library(void *data, int written, char *to, size_t n) {
  watched_model *x = data;
  watching *w = x->w;
  elf_file f;
  entries exported = {.a = w->a};
  elf_symbols_open_inside(&f, written, x->written.offset, so_of(x)->size, ELF_DYNAMIC | ELF_LINKS);
  elf_symbols_visit_dynamic(&f, add_entry, &exported);
  const char *why = check_so(&f, &exported.list, w->a);
  (void)n; /* the library's */
  if (why) refuse_member(w, x->m->so, why);
  if (!why) {
    watch_library_copy(&w->library, &exported.list, to);
    note_unnoticed(w, &exported.list);
  }
  elf_symbols_close(&f);
  return !why;
}

/* ---- which model it is */

/* The text for a hash of that many digits as this one. */
static char *note_text(const watched_model *x, uint64_t hash) {
  char *text = NULL;
  size_t n;
  FILE *to = open_memstream(&text, &n);
  cJSON *j = cJSON_CreateObject();
  shown_add_json(j, "aotigen", AOTIGEN_VERSION);
  cJSON_AddNumberToObject(j, "format", 1);
  shown_add_json(j, "model", x->m->name);
  shown_add_json(j, "package", x->w->input);
  shown_add_json(j, "so", file_name(so_of(x)->name));
  cJSON_AddNumberToObject(j, "so_bytes", (double)so_of(x)->size);
  shown_add_json(j, "so_hash", so_hash_format(hash, x->w->a));
  if (file_program_dir(x->w->a))
    shown_add_json(j, "program", arena_printf(x->w->a, "%s/aotigen", file_program_dir(x->w->a)));
  if (to) shown_print_json(j, to);
  if (to) fclose(to);
  char *copy = arena_strdup(x->w->a, text ? text : "");
  free(text);
  return copy;
}

static bool make_note(void *data, int written, char *to, size_t n) {
  const watched_model *x = data;
  (void)written;
  memcpy(to, note_text(x, so_hash_end(x->written.hash)), n);
  return true;
}

/* ---- all models */

/* Refuses a model's directory that has one of the names which are added to it. */
static bool check_names(const watching *w, const package_model *m) {
  const char *note = arena_printf(w->a, "%s" WATCHED_NOTE, m->dir);
  if (package_refuse_watched(m, &w->archive, w->a, w->d)) return false;
  for (size_t i = 0; i < w->archive.members.n; i++)
    if (!strcmp(w->archive.members.at[i].name, note))
      return refuse_member(w, i, "is of a watch package: give the package that it was made from");
  return true;
}

static bool add_model(watching *w, const package_model *m) {
  watched_model *x = arena_alloc(w->a, sizeof *x);
  *x = (watched_model){.w = w, .m = m, .written = {.hash = &w->hash}};
  if (!check_names(w, m)) return false;
  w->kept += so_of(x)->size;
  w->with[m->so] = (archive_replacement){.name = arena_printf(w->a, "%s" WATCHED_ORIGINAL, m->dir),
                                         .written = &x->written};
  *arena_push(w->a, &w->more) = (archive_addition){
      .name = so_of(x)->name, .after = m->so, .make = make_library, .data = x, .n = w->library.n};
  *arena_push(w->a, &w->more) =
      (archive_addition){.name = arena_printf(w->a, "%s" WATCHED_NOTE, m->dir),
                         .after = m->so,
                         .make = make_note,
                         .data = x,
                         .n = strlen(note_text(x, 0))};
  return true;
}

static const char *find_absolute(const char *path, arena *a) {
  char *here = *path == '/' ? NULL : getcwd(NULL, 0);
  const char *absolute = here ? arena_printf(a, "%s/%s", strcmp(here, "/") ? here : "", path)
                              : path;
  free(here);
  return absolute;
}

static bool open_package(watching *w) {
  const options *o = w->o;
  progress_begin(&w->progress, o->verbosity);
  if (o->confining != CONFINING_OFF) budget_begin(&o->limits);
  w->input = find_absolute(o->input, w->a);
  return archive_open(&w->archive, o->input, o, w->a, w->d) &&
         confine_policy_check_kernel(o, w->d) &&
         package_find_compiled(&w->models, &w->archive, o->model, w->a, w->d);
}

static bool write_package(watching *w) {
  w->with = arena_alloc(w->a, w->archive.members.n * sizeof *w->with);
  for (size_t i = 0; i < w->models.n; i++)
    if (!add_model(w, &w->models.at[i])) return false;
  progress_step(&w->progress, "write the package");
  return archive_write(&w->archive, w->with, &w->more, w->o->output.path, w->a, w->d);
}

static void warn_unnoticed(watching *w) {
  strings shown = w->unnoticed;
  const bool more = shown.n > UNNOTICED_SHOWN;
  if (!shown.n) return;
  if (more) shown.n--;
  diag_warning(w->d, w->o->input,
               "updates of weights by %s%s are not noticed: capsules will call them 'as loaded'",
               strings_join(w->a, &shown, ", "), more ? " and others" : "");
}

static void tell(watching *w) {
  const option_output *to = &w->o->output;
  warn_unnoticed(w);
  if (w->o->verbosity >= 0)
    fprintf(stderr, "aotigen: '%s': %zu model%s watched, %s of torch's '.so' kept as %s, %.1f s\n",
            shown_text(to->shown ? to->shown : to->path, w->a), w->models.n,
            w->models.n == 1 ? "" : "s", byte_count_format(w->kept, w->a),
            w->models.n == 1 ? "it is" : "they are", progress_seconds(&w->progress));
}

/* False, with an error, for what is no package, and for an output that cannot be. */
static bool check_files(const options *o, bool package, diags *d) {
  if (!strcmp(o->output.path, "-")) {
    diag_error(d, STATUS_USAGE, NULL, "the output of a package must be a file");
    return false;
  }
  if (access(o->input, R_OK) != 0) {
    diag_error(d, STATUS_INPUT, o->input, "cannot be read: %s", strerror(errno));
    return false;
  }
  if (!package) {
    diag_error(d, STATUS_INPUT, o->input,
               "is no package: 'watch' takes a '.pt2' whose models have their '.so', as torch's "
               "aoti_compile_and_package writes it");
    return false;
  }
  return atomic_output_check(o->output.path, o->input, d) &&
         atomic_output_check_regular(o->output.path, d);
}

void watched_make(const options *o, bool package, arena *a, diags *d) {
  watching w = {.o = o, .a = a, .d = d};
  if (!check_files(o, package, d) || !watch_library_read(&w.library, a, d)) return;
  bool ok = open_package(&w) && write_package(&w);
  progress_step(&w.progress, NULL);
  archive_close(&w.archive);
  if (ok) tell(&w);
}
