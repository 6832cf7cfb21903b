/* replay_command.c - see replay_command.h. */
#define _GNU_SOURCE
#include "watch/replay_command.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own_path.h"
#include "base/settings.h"
#include "base/text.h"
#include "tensor/shim.h"
#include "watch/identity.h"

extern char **environ;

/* ---- the program ----------------------------------------------------------------------------- */

/* The first file of that name which PATH has, or NULL. */
static char *find_on_path(const char *name) {
  const char *at = ag_settings_get()->path;
  while (at && *at) {
    const size_t n = strcspn(at, ":");
    ag_text file = {0};
    ag_text_add_bytes(&file, at, n);
    ag_text_addf(&file, "/%s", name);
    char *real = *at == '/' && !access(ag_text_string(&file), X_OK)
                     ? realpath(ag_text_string(&file), NULL)
                     : NULL; /* "." of a PATH is anyone's */
    ag_text_free(&file);
    if (real) return real;
    at += n + (at[n] == ':');
  }
  return NULL;
}

static char *find_program(void) {
  const char *given = ag_settings_get()->program;
  if (given) return strchr(given, '/') ? realpath(given, NULL) : find_on_path(given);
  char *noted = ag_watch_identity_text("program");
  char *program = noted && *noted == '/' ? realpath(noted, NULL) : NULL;
  free(noted);
  return program ? program : find_on_path("aotigen");
}

/* ---- what it is told ------------------------------------------------------------------------- */

/* "--torch=DIR" of the torch that this process has loaded; NULL: it lies elsewhere than in a
 * directory of its own, as lib/ of DIR. */
static char *find_torch(void) {
  static const char lib[] = "/lib/";
  Dl_info info;
  ag_text t = {0};
  void *const of_torch = (void *)(uintptr_t)&AOTIGEN_SHIM(layout_strided);
  if (!of_torch || !dladdr(of_torch, &info) || !info.dli_fname) return NULL;
  char *file = realpath(info.dli_fname, NULL), *slash = file ? strrchr(file, '/') : NULL;
  if (slash) slash[1] = '\0';
  const size_t n = slash ? strlen(file) : 0, least = sizeof lib - 1;
  if (n > least && !strcmp(file + n - least, lib)) {
    file[n - least] = '\0';
    ag_text_addf(&t, "%s/include/torch", file);
    const bool has_headers = !access(ag_text_string(&t), R_OK);
    ag_text_clear(&t);
    if (has_headers) ag_text_addf(&t, "--torch=%s", file);
  }
  free(file);
  if (!t.length) ag_text_free(&t);
  return t.data;
}

/* "PYTHON=FILE" of the Python that this process is, by the name that it was started by: that of a
 * virtual environment is a link, and has its torch. NULL: it is none. */
static char *find_python(void) {
  char name[PATH_MAX] = "";
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
  if (fd >= 0) close(fd);
  const char *slash = n > 0 ? strrchr(name, '/') : NULL;
  ag_text t = {0};
  if (*name == '/' && slash && !strncmp(slash + 1, "python", 6) && !access(name, X_OK))
    ag_text_addf(&t, "PYTHON=%s", name);
  return t.data;
}

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

/* This process's without what is meant for it alone: the replay is neither watched nor diagnosed,
 * and loads no library of the host's. */
static char **make_environment(char *python) {
  size_t n = 0;
  for (char **v = environ; v && *v; v++) n++;
  char **all = calloc(n + 2, sizeof *all);
  if (!all) return NULL;
  size_t used = 0;
  bool has_python = false;
  for (char **v = environ; v && *v; v++) {
    if (begins(*v, "AOTIGEN_") || begins(*v, "LD_PRELOAD=")) continue;
    has_python |= begins(*v, "PYTHON=");
    all[used++] = *v;
  }
  if (!has_python && python) all[used++] = python;
  return all;
}

const char *ag_command_make(ag_replay_command *c, const char *const *arguments) {
  *c = (ag_replay_command){.program = find_program()};
  if (!c->program)
    return ag_settings_get()->program ? "the program of AOTIGEN_PROGRAM was not found"
                                      : "no program 'aotigen' was found; AOTIGEN_PROGRAM names one";
  const char *why = ag_own_path_refuse_program(c->program);
  if (why) return why;
  c->python = find_python();
  c->environment = make_environment(c->python);
  c->arguments = calloc(AG_COMMAND_MOST + 3, sizeof *c->arguments);
  if (!c->arguments || !c->environment) return "out of memory";
  size_t n = 0;
  c->arguments[n++] = strdup(c->program);
  for (size_t i = 0; i < AG_COMMAND_MOST && arguments[i]; i++) {
    c->arguments[n++] = strdup(arguments[i]);
    if (!i && (c->arguments[n] = find_torch())) n++;
  }
  for (size_t i = 0; i < n; i++)
    if (!c->arguments[i]) return "out of memory";
  return NULL;
}

const char *ag_replay_command_make(ag_replay_command *c, const char *capsule) {
  return ag_command_make(c, (const char *const[]){"replay", capsule, NULL});
}

void ag_replay_command_free(ag_replay_command *c) {
  for (size_t i = 0; c->arguments && i < AG_COMMAND_MOST + 3; i++) free(c->arguments[i]);
  free(c->program);
  free(c->python);
  free(c->arguments);
  free(c->environment);
}
