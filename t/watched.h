/* watched.h - runs of a watched model on the fake torch, for units of runtime/watch/. */
#ifndef AOTIGEN_T_WATCHED_H
#define AOTIGEN_T_WATCHED_H

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../runtime/watch/watcher.h"
#include "shim.h"

/* The library's hooks for tests. */
void ag_output_report_forget(void);
void ag_capsule_forget(void);
void ag_output_bounds_forget(void);

static char dir[512], capsule[600];
static int handles; /* that the library was given */

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own) {
  *own = malloc(sizeof **own);
  **own = *tensor;
  (*own)->storage = NULL; /* the other handle's */
  handles++;
  return 0;
}

static fake *in, *out;

BEFORE_EACH {
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(capsule, sizeof capsule, "%s/c", dir);
  environment("AOTIGEN_CAPSULE", capsule);
  environment("AOTIGEN_REPORTS", NULL);
  environment("AOTIGEN_SIGNALS", "0"); /* the handlers are the harness's */
  ag_output_report_forget();
  ag_capsule_forget();
  ag_output_bounds_forget();
  handles = fake_deletions = 0;
  in = fake_new("float32", 2, 3, -1);
  out = fake_new("float32", 2, 3, -1);
}

AFTER_EACH {
  assert_int_equal(fake_deletions, handles);
  char path[1024];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
  const char *const names[] = {"AOTIGEN_CAPSULE",      "AOTIGEN_CAPSULES",   "AOTIGEN_KEEP_BYTES",
                               "AOTIGEN_ON_FAULT",     "AOTIGEN_EVERY",      "AOTIGEN_SIGNALS",
                               "AOTIGEN_WATCH_LIMITS", "AOTIGEN_WATCH_DEAD", "AOTIGEN_AFTER_CRASH",
                               "AOTIGEN_CAPSULE_BYTES"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) environment(names[i], NULL);
  fake_free(in);
  fake_free(out);
}

static inline int count_files(void) {
  DIR *d = opendir(dir);
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
  if (d) closedir(d);
  return n;
}

static bool ends_run;

/* A run that gives `input` to the model, which writes `to_input` to its first element. What is
 * reported of it is the caller's. */
static inline char *run_once(float input, float to_input) {
  void *inputs[] = {in}, *outputs[] = {out};
  FLOATS(in)[0] = input;
  capture(2);
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  assert_non_null(r);
  FLOATS(in)[0] = to_input;
  ends_run = ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
  return captured(2);
}

static inline size_t read_capsule(const char *name, char **bytes) {
  FILE *f = fopen(name, "rb");
  struct stat st;
  assert_non_null(f);
  assert_int_equal(fstat(fileno(f), &st), 0);
  *bytes = calloc(1, (size_t)st.st_size + 1);
  assert_int_equal(fread(*bytes, 1, (size_t)st.st_size, f), st.st_size);
  fclose(f);
  return (size_t)st.st_size;
}

static inline bool has(const char *bytes, size_t n, const void *part, size_t size) {
  for (size_t i = 0; i + size <= n; i++)
    if (!memcmp(bytes + i, part, size)) return true;
  return false;
}

static inline bool has_text(const char *bytes, size_t n, const char *text) {
  return has(bytes, n, text, strlen(text));
}

#endif
