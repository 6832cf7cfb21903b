/* here.c - see here.h. Unpacks what the rows are made of, and adds them. */
#include "here/here.h"
#include "base/file.h"
#include "base/shown.h"
#include "command/includes.h"
#include "command/locate.h"
#include "command/torch_version.h"
#include "here/here_rows.h"
#include "package/archive.h"
#include "package/package.h"
#include "system/budget.h"
#include "system/cleanup.h"
#include <cjson/cJSON.h>
#include <string.h>
#include <unistd.h>

enum { KERNEL_MAX = 64 << 20, KERNELS_MAX = 20000, METADATA_MAX = 64 << 10, PACKAGES_ON_DISK = 2 };

/* The state while one package is read. */
typedef struct listing {
  const options *o;
  arena *a;
  diags *d;
  archive archive;
  const char *dir; /* private */
  gpus gpus;
  bool asked; /* for the GPUs */
  library_places places;
} listing;

static const char *member_path(const listing *l, size_t i) {
  return archive_member_path(&l->archive, i, l->a);
}

/* True if member i is in the model's directory, and its name ends so. */
static bool is_of_model(const listing *l, const package_model *p, size_t i, const char *end) {
  const char *name = l->archive.members.at[i].name;
  size_t n = strlen(p->dir);
  return !strncmp(name, p->dir, n) && !strchr(name + n, '/') && file_ends_with(name, end);
}

/* ---- reading */

/* What torch recorded of the machine, next to the wrapper as NAME_metadata.json. */
static bool read_metadata(listing *l, const package_model *p, here_model *m) {
  const char *wrapper = l->archive.members.at[p->wrapper].name;
  const char *name =
      arena_printf(l->a, "%.*s_metadata.json", (int)(strlen(wrapper) - strlen(".cpp")), wrapper);
  size_t n;
  for (size_t i = 0; i < l->archive.members.n; i++)
    if (!strcmp(l->archive.members.at[i].name, name)) {
      m->metadata = archive_read_long_text(
          &l->archive, i, METADATA_MAX, "is more than torch writes of a machine", &n, l->a, l->d);
      if (!m->metadata) return false;
      cJSON *tree = cJSON_ParseWithOpts(m->metadata, NULL, true); /* nothing behind it */
      m->files.odd_metadata = !cJSON_IsObject(tree);
      cJSON_Delete(tree);
      return true;
    }
  return true;
}

static bool read_ops(listing *l, const package_model *p, here_model *m) {
  custom_ops *ops = arena_alloc(l->a, sizeof *ops);
  companion_texts companions = {.ops_packaged = true};
  size_t n;
  m->custom = ops;
  if (p->ops == PACKAGE_NO_MEMBER) return true;
  companions.ops_path = member_path(l, p->ops);
  companions.ops = archive_read_text(&l->archive, p->ops, &n, l->a, l->d);
  if (!companions.ops) return false;
  custom_ops_read(ops, &companions, l->a, l->d);
  return diags_status(l->d) == STATUS_OK;
}

/* One word for each flag: "-D X" is "-DX". */
static strings join_words(const strings *words, arena *a) {
  strings joined = {0};
  for (size_t i = 0; i < words->n; i++) {
    bool two = i + 1 < words->n && (!strcmp(words->at[i], "-D") || !strcmp(words->at[i], "-I"));
    const char *word = two ? arena_printf(a, "%s%s", words->at[i], words->at[i + 1]) : words->at[i];
    *arena_push(a, &joined) = word;
    i += two;
  }
  return joined;
}

static bool read_wrapper(listing *l, const package_model *p, here_model *m) {
  const char *path = member_path(l, p->wrapper);
  m->source = archive_read_text(&l->archive, p->wrapper, &m->n, l->a, l->d);
  if (!m->source) return false;
  const command_input in = {path, m->source, m->n, l->o, NULL, true};
  const strings words = command_recorded_words(&in, l->a);
  m->words = join_words(&words, l->a);
  return read_metadata(l, p, m) && read_ops(l, p, m);
}

static bool extract(listing *l, size_t member, const char *name, const char **to) {
  *to = arena_printf(l->a, "%s/%s", l->dir, name);
  return archive_extract(&l->archive, member, *to, l->a, l->d) && !budget_report(l->o->input, l->d);
}

static bool read_kernel(listing *l, size_t member, here_model *m) {
  gpu_kernel k = {.name = file_name(l->archive.members.at[member].name), .read = GPU_CODE_DAMAGED};
  const char *file;
  strbuf t = {0};
  if (!extract(l, member, "kernel", &file)) return false;
  if (file_read(file, KERNEL_MAX, &t) && t.at) k.read = gpu_code_read(&k.codes, t.at, t.n, l->a);
  strbuf_free(&t);
  unlink(file);
  *arena_push(l->a, &m->kernels) = k;
  return true;
}

static bool is_directory_of_model(const listing *l, const package_model *p, size_t i) {
  const char *name = l->archive.members.at[i].name;
  return text_begins(name, p->dir) && name[strlen(name) - 1] == '/';
}

static bool read_members(listing *l, const package_model *p, here_model *m) {
  static const char *const kernels[] = {".cubin", ".fatbin", ".ptx"};
  for (size_t i = 0; i < l->archive.members.n; i++) {
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
      if (is_of_model(l, p, i, kernels[k]) && m->kernels.n < KERNELS_MAX && !read_kernel(l, i, m))
        return false;
    m->files.directory = m->files.directory || is_directory_of_model(l, p, i);
    m->files.metadata = m->files.metadata || is_of_model(l, p, i, "_metadata.json");
    m->files.flags = m->files.flags || is_of_model(l, p, i, "_compile_flags.json");
    if (is_of_model(l, p, i, ".blob")) {
      m->blob = file_name(l->archive.members.at[i].name);
      m->blob_size = l->archive.members.at[i].size;
    }
  }
  m->files.no_folder = text_begins(p->dir, "data/");
  m->files.ops = p->ops != PACKAGE_NO_MEMBER;
  m->files.object = p->objects.n > 0;
  const size_t so = p->original == PACKAGE_NO_MEMBER ? p->so : p->original;
  if (so == PACKAGE_NO_MEMBER) return true;
  if (!extract(l, so, "model.so", &m->so)) return false;
  embedded_codes_read(&m->kernels, m->so, l->a);
  return true;
}

/* ---- the machine */

/* The torch that the program is likely to use: that of --torch, of the recorded directories, or of
 * python3. False if --torch names none. */
static bool find_torch(listing *l, here_model *m) {
  static const char *const flags[] = {"-I", "-isystem"};
  strings dirs = {0};
  command c = {.untrusted = true, .recorded = m->words.n > 0, .compile = m->words};
  includes list = {0};
  place p;
  for (size_t i = 0; i < m->words.n; i++)
    for (size_t k = 0; k < 2; k++)
      if (text_begins(m->words.at[i], flags[k]))
        *arena_push(l->a, &dirs) = m->words.at[i] + strlen(flags[k]);
  const locate_request request = {.recorded = &dirs, .untrusted = true};
  bool found = locate_torch(&p, &request, l->o, l->a, l->o->torch ? l->d : diags_new(l->a));
  if (!found && l->o->torch) return false;
  if (includes_read(&list, m->source, m->n, l->a)) {
    torch_version_guess(&c, m->source, m->n, &list);
    m->emitted = torch_version_range(&c, l->a);
  }
  m->torch = found ? p.torch : NULL;
  m->torch_version = found ? p.version : NULL;
  c.torch = m->torch;
  c.torch_version = m->torch_version;
  m->mismatch = found && torch_version_mismatch(&c, l->a);
  return true;
}

static void ask_for_gpus(listing *l, const here_model *m) {
  if (l->asked || !here_is_cuda(m)) return;
  l->asked = true;
  gpu_ask(&l->gpus, l->a);
}

/* ---- all models */

static bool list_model(listing *l, const package_model *p, here_table *t) {
  here_model m = {.o = l->o, .a = l->a, .t = t, .places = &l->places, .gpus = &l->gpus};
  if (!read_wrapper(l, p, &m) || !read_members(l, p, &m) || !find_torch(l, &m)) return false;
  find_library_begin(&l->places, m.torch, l->o, l->a);
  ask_for_gpus(l, &m);
  m.device = here_find_device(&m);
  here_add_processor(&m);
  here_add_files(&m);
  here_add_torch(&m);
  here_add_libraries(&m);
  here_add_gpu(&m);
  here_add_weights(&m);
  here_add_ops(&m);
  if (m.so) unlink(m.so);
  return true;
}

static void list_models(listing *l, const package_models *models) {
  size_t misfits = 0;
  FILE *to = shown_open(stdout);
  for (size_t i = 0; i < models->n; i++) {
    here_table t = {.model = models->at[i].name, .a = l->a};
    if (!list_model(l, &models->at[i], &t)) break;
    misfits += here_table_misfits(&t);
    here_table_print(&t, l->o->json, to);
  }
  fclose(to);
  if (misfits)
    diag_error(l->d, STATUS_INPUT, l->o->input,
               "does not run on this machine: %zu of its needs %s not met", misfits,
               misfits == 1 ? "is" : "are");
}

void here_list(const options *o, arena *a, diags *d) {
  listing l = {.o = o, .a = a, .d = d};
  package_models models;
  if (o->confining != CONFINING_OFF) budget_begin(&o->limits);
  if (archive_open(&l.archive, o->input, o, a, d) &&
      package_find_models(&models, &l.archive, o->model, a, d) &&
      (l.dir = cleanup_private_dir(d))) {
    if (o->confining != CONFINING_OFF) budget_watch(l.dir, PACKAGES_ON_DISK * file_size(o->input));
    list_models(&l, &models);
  }
  archive_close(&l.archive);
}
