/* watched_run.c - see watched_run.h. Knows the names that a watched model gives its capsules
 * (runtime/watch/capsule.c): that of AOTIGEN_CAPSULE, and further ones with a number behind it. */
#include "replay/watched_run.h"
#include "base/file.h"
#include "replay/capsule.h"
#include "run/diagnosis_json.h"
#include "run/diagnosis_parts.h"
#include "shared/variables.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN = 3, SEEN_MOST = 1000 };

typedef struct watched_run {
  const options *o;
  const char *pattern; /* of the capsules' names, for glob() */
  glob_t before;       /* those that are there */
  struct stat *were;   /* each of them */
  arena *a;
} watched_run;

#define VARIABLE(field, NAME, kind, words, fallback) [VARIABLE_##NAME] = fallback,
static const char *const fallbacks[] = {
#include "shared/variables.def"
};

/* ---- before the command */

/* The name as a pattern: a tag such as %p may become any text. */
static const char *make_pattern(const char *name, arena *a) {
  strbuf t = {0};
  for (; *name; name++) {
    if (strchr("*?[]\\", *name)) strbuf_puts(&t, "\\");
    if (*name != '%') {
      strbuf_add(&t, name, 1);
    } else if (name[1] == '%') {
      strbuf_add(&t, name++, 1);
    } else {
      strbuf_puts(&t, "*");
      if (name[1]) name++;
    }
  }
  strbuf_puts(&t, "*");
  return strbuf_take(&t, a);
}

/* The name in the directory of now, where the program may change its own. */
static const char *find_absolute(const char *name, arena *a) {
  char *here = *name == '/' ? NULL : getcwd(NULL, 0);
  if (!here) return name;
  strbuf t = {0};
  for (const char *c = here; *c; c++) {
    strbuf_add(&t, c, 1);
    if (*c == '%') strbuf_puts(&t, "%");
  }
  strbuf_printf(&t, "/%s", name);
  free(here);
  return strbuf_take(&t, a);
}

/* The environment with AOTIGEN_CAPSULE as an absolute name, which is put into *name. */
static char *const *make_environment(char *const *given, const char **name, arena *a) {
  const char *variable = arena_printf(a, "%s=", variable_name(VARIABLE_AOTIGEN_CAPSULE));
  size_t n = 0, k = 0;
  while (given[n]) n++;
  char **all = arena_alloc(a, (n + 2) * sizeof *all);
  *name = fallbacks[VARIABLE_AOTIGEN_CAPSULE];
  for (size_t i = 0; i < n; i++) {
    const bool is_it = text_begins(given[i], variable);
    if (is_it && given[i][strlen(variable)]) *name = given[i] + strlen(variable);
    if (!is_it) all[k++] = given[i];
  }
  *name = find_absolute(*name, a);
  all[k] = arena_printf(a, "%s%s", variable, *name);
  return all;
}

/* ---- after it */

static bool is_new(const watched_run *w, const char *path, const struct stat *s) {
  for (size_t i = 0; i < w->before.gl_pathc; i++) {
    const struct stat *was = &w->were[i];
    if (!strcmp(w->before.gl_pathv[i], path))
      return was->st_ino != s->st_ino || was->st_mtim.tv_sec != s->st_mtim.tv_sec ||
             was->st_mtim.tv_nsec != s->st_mtim.tv_nsec;
  }
  return true;
}

/* The capsules that are there now, and were not, or were others. */
static strings find_new(const watched_run *w) {
  strings list = {0};
  struct stat s;
  glob_t now;
  if (glob(w->pattern, 0, NULL, &now) != 0) return list;
  for (size_t i = 0; i < now.gl_pathc; i++)
    if (stat(now.gl_pathv[i], &s) == 0 && S_ISREG(s.st_mode) && is_new(w, now.gl_pathv[i], &s))
      *arena_push(w->a, &list) = arena_strdup(w->a, now.gl_pathv[i]);
  globfree(&now);
  return list;
}

/* What is no capsule is left out: the name may be that of other files too. */
static bool say_capsule(const watched_run *w, screen *s, const char *path) {
  capsule c;
  if (!capsule_read(&c, path, w->o, w->a, diags_new(w->a))) return false;
  screen_path(s, "capsule", "%s", path);
  screen_whole(s, "what", "%s, in run %lld of process %lld", capsule_describe_findings(&c, w->a),
               c.run, c.pid);
  strbuf command = {0};
  strbuf_puts(&command, "aotigen replay");
  advice_add_word(&command, path, w->a);
  screen_command(s, strbuf_take(&command, w->a));
  return true;
}

static void say_packages(const watched_run *w, screen *s, const evidence *e) {
  for (size_t i = 0; i < e->nmodels; i++)
    if (!model_use_is_complete(&e->models[i]))
      screen_whole(s, "package", "'%s': %s", e->models[i].model,
                   model_use_describe(&e->models[i], w->a));
}

static bool any_was_opened(const evidence *e) {
  for (size_t i = 0; i < e->nmodels; i++)
    if (e->models[i].opened) return true;
  return false;
}

static void say_none(screen *s, const event_log *log) {
  if (log->findings)
    screen_whole(s, "what", "%lld finding%s, and no capsule was written: %s", log->findings,
                 log->findings == 1 ? "" : "s",
                 log->not_kept ? log->not_kept : "the log does not tell why");
  else
    screen_whole(s, "what", "no finding, and so no capsule");
}

static void print_json(const screen *s, const evidence *e, const strings *capsules) {
  diagnosis_notes notes = {.facts = cJSON_CreateObject()};
  evidence with = *e;
  cJSON *list = cJSON_AddArrayToObject(notes.facts, "capsules");
  for (size_t i = 0; i < capsules->n; i++)
    cJSON_AddItemToArray(list, cJSON_CreateString(capsules->at[i]));
  cJSON_AddNumberToObject(notes.facts, "findings", (double)e->log->findings);
  with.notes = &notes;
  diagnosis_json_print(&with, NULL, s, stdout);
  cJSON_Delete(notes.facts);
}

static bool watched_run_tell(void *data, const evidence *e, diagnosis_notes *notes, arena *a) {
  const watched_run *w = data;
  const strings capsules = find_new(w);
  screen s = {.a = a, .alarms = capsules.n > 0};
  strings command = {0};
  size_t told = 0, i = 0;
  (void)notes;
  for (char *const *p = w->o->run.command; *p; p++) *arena_push(a, &command) = *p;
  screen_head(&s, "aotigen: watched run of '%s'", strings_join(a, &command, " "));
  for (; i < capsules.n && told < SHOWN; i++) told += say_capsule(w, &s, capsules.at[i]);
  if (i < capsules.n) screen_whole(&s, "", "and %zu more files of such a name", capsules.n - i);
  if (!told && any_was_opened(e)) say_none(&s, e->log);
  say_packages(w, &s, e);
  if (w->o->json)
    print_json(&s, e, &capsules);
  else
    screen_print(&s,
                 screen_wants_colours(isatty(STDERR_FILENO), w->o->env.no_color, w->o->env.term),
                 stderr);
  return true;
}

run *watched_run_prepare(const options *o, char *const *given, arena *a, diags *d) {
  watched_run *w = arena_alloc(a, sizeof *w);
  const char *name;
  char *const *environment = make_environment(given, &name, a);
  *w = (watched_run){.o = o, .pattern = make_pattern(name, a), .a = a};
  run *made = run_prepare(o, environment, a, d);
  if (!made) return NULL;
  if (glob(w->pattern, 0, NULL, &w->before) != 0) w->before = (glob_t){0};
  w->were = arena_alloc(a, (w->before.gl_pathc + 1) * sizeof *w->were);
  for (size_t i = 0; i < w->before.gl_pathc; i++) stat(w->before.gl_pathv[i], &w->were[i]);
  run_add_sequel(made, &(run_sequel){.tell = watched_run_tell, .data = w, .alone = true});
  return made;
}
