/* compare.c - see compare.h. */
#define _GNU_SOURCE
#include "compare/compare.h"
#include "base/file.h"
#include "base/shown.h"
#include "package/package.h"
#include "replay/host_kinds.h"
#include "run/environment.h"
#include "shared/variables.h"
#include "system/cleanup.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The scripts, embedded by the Makefile. */
#define SCRIPTS(X)                                                                                 \
  X(compare) X(bisection) X(matching) X(comparison) X(reference) X(runs) X(pairing) X(judgement)
#define DECLARE(name) extern const unsigned char name##_script[];
SCRIPTS(DECLARE)
#undef DECLARE
#define DECLARE(name) extern const size_t name##_script_size;
SCRIPTS(DECLARE)
#undef DECLARE

typedef struct comparison {
  const options *o;
  const char *dir;   /* the private one */
  const char *saved; /* the directory of what the launches read and wrote */
  arena *a;
  diags *d;
} comparison;

/* ---- what the script is told */

/* The options that change what `aotigen list` reads of the package. */
static cJSON *describe_options(const comparison *c) {
  static const char *const words[] = {"auto", "require", "off"};
  const options *o = c->o;
  cJSON *list = cJSON_CreateArray();
  const char *all[] = {
      o->model ? arena_printf(c->a, "--model=%s", o->model) : NULL,
      o->torch ? arena_printf(c->a, "--torch=%s", o->torch) : NULL,
      o->files.provenance ? arena_printf(c->a, "--provenance=%s", o->files.provenance) : NULL,
      arena_printf(c->a, "--confine=%s", words[o->confining]), "--quiet"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]) cJSON_AddItemToArray(list, cJSON_CreateString(all[i]));
  return list;
}

static void add_path(cJSON *to, const char *name, const char *path) {
  cJSON_AddItemToObject(to, name, path ? cJSON_CreateString(path) : cJSON_CreateNull());
}

static cJSON *describe_request(const comparison *c) {
  const options *o = c->o;
  const char *self = file_program(c->a);
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "aotigen", self ? self : "aotigen");
  cJSON_AddItemToObject(json, "given", describe_options(c));
  add_path(json, "package", o->compare.package);
  add_path(json, "good", o->compare.good);
  add_path(json, "exported", o->files.exported);
  add_path(json, "inputs", o->compare.inputs);
  cJSON_AddStringToObject(json, "saved", c->saved);
  cJSON_AddItemToObject(json, "libraries", python_host_describe_libraries(o));
  cJSON_AddBoolToObject(json, "json", o->json);
  cJSON_AddBoolToObject(json, "verbose", o->verbosity > 0);
  return json;
}

static bool write_scripts(const comparison *c) {
#define ROW(name) {#name ".py", name##_script, name##_script_size},
  const struct {
    const char *name;
    const unsigned char *text;
    size_t n;
  } rows[] = {SCRIPTS(ROW)};
#undef ROW
  bool ok = python_host_write_shared(c->dir, c->a, c->d);
  for (size_t i = 0; i < sizeof rows / sizeof *rows && ok; i++)
    ok = host_write_file(arena_printf(c->a, "%s/%s", c->dir, rows[i].name),
                         (const char *)rows[i].text, rows[i].n, c->d);
  return ok;
}

/* The command; NULL with an error. */
static char **make_command(const comparison *c) {
  const char *python = python_host_find(c->o->compare.good ? "the two packages are run by"
                                                           : "the exported program is run by",
                                        c->o, c->a, c->d);
  if (!python) return NULL;
  const char *request = arena_printf(c->a, "%s/compare.json", c->dir);
  const bool ok = host_write_json(request, describe_request(c), c->d) && write_scripts(c);
  const char *script =
      arena_printf(c->a, "%s/%s.py", c->dir, c->o->compare.good ? "bisection" : "compare");
  return ok ? python_host_command(python, script, request, c->a) : NULL;
}

/* The user's variables for debug models are for the user's own runs: here each launch is saved, of
 * compare in the first run alone. */
static char *const *make_environment(const comparison *c, char *const *given) {
  char *settings[3] = {
      arena_printf(c->a, "%s=%s", variable_name(VARIABLE_AOTIGEN_OUTPUT_DIR), c->saved)};
  if (!c->o->compare.good)
    settings[1] = arena_printf(c->a, "%s=1", variable_name(VARIABLE_AOTIGEN_RUNS));
  return environment_apart(given, settings, c->a);
}

/* ---- after it */

/* All else was said by the script. */
static bool tell(void *data, const evidence *e, diagnosis_notes *notes, arena *a) {
  const comparison *c = data;
  (void)notes;
  if (!e->signal) return true;
  const char *package = shown_text(c->o->compare.package, a);
  fprintf(stderr,
          "aotigen: error: '%s' was not compared: the run ended by %s; 'aotigen run "
          "--model=%s -- COMMAND' tells where\n",
          package, e->signal, package);
  return true;
}

/* ---- the verb */

static bool check_files(const comparison *c) {
  const options *o = c->o;
  const char *const packages[] = {o->compare.good, o->compare.package};
  const char *const files[] = {packages[0], packages[1], o->files.exported, o->compare.inputs};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (files[i] && access(files[i], R_OK) != 0) {
      diag_error(c->d, STATUS_USAGE, files[i], "cannot be read: %s", strerror(errno));
      return false;
    }
  for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
    if (packages[i] && !archive_detect(packages[i])) {
      diag_error(c->d, STATUS_USAGE, packages[i],
                 "is not a package: '%s' takes the '.pt2' that AOTInductor made",
                 o->compare.good ? "bisect" : "compare");
      return false;
    }
  return true;
}

/* Only what is saved: a wrong number is no matter of guards and asserts. What bisect replaces is
 * saved before that: its runs wait for their device. */
static const options *make_options(const comparison *c, char **command) {
  options *of_run = arena_alloc(c->a, sizeof *of_run);
  *of_run = *c->o;
  of_run->run.nmodels = 0;
  of_run->run.models[of_run->run.nmodels++] = c->o->compare.package;
  if (c->o->compare.good) {
    of_run->run.models[of_run->run.nmodels++] = c->o->compare.good;
    of_run->files.exported = NULL; /* one of the two may have nodes of its own, as a frozen one */
  }
  of_run->run.command = command;
  of_run->replay.only = c->o->model;
  of_run->levels.printer = 1;
  of_run->levels.check_inputs = 0;
  of_run->levels.nan_asserts = 0;
  of_run->levels.sync = 1; /* `how` is of what memory held right behind the launch */
  of_run->levels_set |= LEVEL_PRINTER | LEVEL_CHECK_INPUTS | LEVEL_NAN_ASSERTS | LEVEL_SYNC;
  return of_run;
}

run *compare_prepare(const options *o, char *const *given, arena *a, diags *d) {
  comparison *c = arena_alloc(a, sizeof *c);
  *c = (comparison){.o = o, .a = a, .d = d, .dir = cleanup_private_dir(d)};
  if (!c->dir || !check_files(c)) return NULL;
  c->saved = arena_printf(a, "%s/saved", c->dir);
  if (mkdir(c->saved, 0700) != 0) {
    diag_error(d, STATUS_INPUT, c->saved, "cannot be written: %s", strerror(errno));
    return NULL;
  }
  char **command = make_command(c);
  if (!command) return NULL;
  run *made = run_prepare(make_options(c, command), make_environment(c, given), a, d);
  if (made) run_add_sequel(made, &(run_sequel){.tell = tell, .data = c, .alone = true});
  return made;
}
