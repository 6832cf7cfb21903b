/* identity.c - see identity.h. */
#define _GNU_SOURCE
#include "watch/identity.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST = 64 << 10 }; /* bytes */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ag_text json, name;
static atomic_bool updated, updated_first;

/* Reads FILE of the directory that the library lies in. The loader may remove it later. */
static void read_beside(ag_text *t, const char *file) {
  Dl_info info;
  ag_text path = {0};
  char part[4096];
  ssize_t n = 0;
  if (!dladdr(&json, &info) || !info.dli_fname) return;
  const char *slash = strrchr(info.dli_fname, '/');
  ag_text_add_bytes(&path, info.dli_fname, slash ? (size_t)(slash - info.dli_fname) + 1 : 0);
  ag_text_add(&path, file);
  int fd = open(ag_text_string(&path), O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && t->length < MOST && (n = read(fd, part, sizeof part)) > 0)
    ag_text_add_bytes(t, part, (size_t)n);
  if (fd >= 0) close(fd);
  ag_text_free(&path);
}

/* Adds the string of that field, as it stands. */
static void add_field(ag_text *t, const char *field) {
  char named[64];
  snprintf(named, sizeof named, "\"%s\":", field);
  const char *at = strstr(ag_text_string(&json), named);
  at = at ? at + strlen(named) + strspn(at + strlen(named), " \t\n") : NULL;
  if (!at || *at != '"') {
    ag_text_add(t, "?");
    return;
  }
  const char *end = ++at;
  while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
  ag_text_add_bytes(t, at, (size_t)(end - at));
}

static void find_identity(void) {
  read_beside(&json, "aotigen_watch.json");
  bool is_object = json.length && json.length < MOST && json.data[0] == '{' &&
                   strlen(json.data) == json.length;
  if (!is_object) {
    ag_text_clear(&json);
    ag_text_add(&json, "null");
    ag_text_add(&name, "of a package without aotigen_watch.json");
    return;
  }
  ag_text_add(&name, "'");
  add_field(&name, "model");
  ag_text_add(&name, "' of '");
  add_field(&name, "package");
  ag_text_add(&name, "'");
}

const char *ag_watch_identity(void) {
  pthread_once(&once, find_identity);
  return ag_text_string(&json);
}

const char *ag_watch_identity_name(void) {
  pthread_once(&once, find_identity);
  return ag_text_string(&name);
}

/* Takes what JSON escapes with one letter back. Others stay as they are. */
char *ag_watch_identity_text(const char *field) {
  static const char escaped[] = "\"\\/nt", meant[] = "\"\\/\n\t";
  ag_text written = {0}, t = {0};
  ag_watch_identity();
  add_field(&written, field);
  for (const char *s = ag_text_string(&written); *s; s++) {
    const char *at = *s == '\\' && s[1] ? strchr(escaped, s[1]) : NULL;
    ag_text_add_bytes(&t, at ? &meant[at - escaped] : s, 1);
    s += at != NULL;
  }
  ag_text_free(&written);
  return t.data;
}

void ag_watch_note_update(bool has_run) { atomic_store(has_run ? &updated : &updated_first, true); }

const char *ag_watch_weights(void) {
  if (atomic_load(&updated)) return "updated";
  return atomic_load(&updated_first) ? "updated before the first run" : "as loaded";
}
