/* debug_library.c - see debug_library.h. The file lies in the directory of the watched model: what
 * lies there can be loaded, and the loader removes it with the rest. */
#define _GNU_SOURCE
#include "watch/debug_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/background.h"
#include "base/thread.h"
#include "watch/identity.h"
#include "watch/replay_command.h"

enum { POLL_US = 10 * 1000, SAID_MOST = 400, SECOND_US = 1000 * 1000 };

/* The longest that it may take. Tests shorten it. */
extern int64_t ag_debug_library_limit_us;
int64_t ag_debug_library_limit_us = 10 * 60 * (int64_t)SECOND_US;

/* An empty file, which nothing else has. */
static bool make_file(ag_text *file, ag_text *why) {
  static const char ending[] = ".so";
  Dl_info info;
  const bool is_known = dladdr(&ag_debug_library_limit_us, &info) && info.dli_fname;
  const char *slash = is_known ? strrchr(info.dli_fname, '/') : NULL;
  if (slash) ag_text_add_bytes(file, info.dli_fname, (size_t)(slash - info.dli_fname) + 1);
  ag_text_add(file, "aotigen_debug_XXXXXX");
  ag_text_add(file, ending);
  int fd = file->data ? mkostemps(file->data, sizeof ending - 1, O_CLOEXEC) : -1;
  if (fd >= 0) close(fd);
  if (fd < 0) ag_text_addf(why, "'%s': %s", ag_text_string(file), strerror(errno));
  if (fd < 0) ag_text_clear(file);
  return fd >= 0;
}

/* What it said of its failure: one line. */
static void add_said(ag_text *why, int out) {
  char said[SAID_MOST + 1];
  const ssize_t n = pread(out, said, SAID_MOST, 0);
  said[n > 0 ? n : 0] = '\0';
  said[strcspn(said, "\n")] = '\0';
  ag_text_add(why, *said ? said : "it says nothing");
}

static void wait_for(ag_background *child, bool *late) {
  const int64_t begun = ag_time_us();
  *late = false;
  while (ag_background_runs(child)) {
    if (ag_time_us() - begun > ag_debug_library_limit_us) {
      *late = true;
      ag_background_signal(child, SIGTERM);
      ag_time_sleep_us(POLL_US);
      if (ag_time_us() - begun > ag_debug_library_limit_us + 5 * SECOND_US)
        ag_background_signal(child, SIGKILL);
    }
    ag_time_sleep_us(POLL_US);
  }
}

/* Has the command write the file. A host may wait for all of its children: then the file tells. */
static bool run(const ag_replay_command *command, const char *file, ag_text *why) {
  ag_background child = {.keeps_priority = true};
  struct stat st;
  bool late;
  int out = memfd_create("aotigen", MFD_CLOEXEC);
  const char *failure = out < 0 ? strerror(errno)
                                : ag_background_start(&child, command->program, command->arguments,
                                                      command->environment, out);
  if (failure)
    ag_text_addf(why, "'%s': %s", command->program, failure);
  else
    wait_for(&child, &late);
  const bool made = !failure && !late && !stat(file, &st) && st.st_size &&
                    (child.status == -1 || (WIFEXITED(child.status) && !WEXITSTATUS(child.status)));
  if (!failure && late)
    ag_text_addf(why, "'%s' took more than 10 minutes", command->program);
  else if (!failure && !made)
    add_said(why, out);
  if (out >= 0) close(out);
  return made;
}

static bool make(const char *file, ag_text *why) {
  ag_replay_command command = {0};
  ag_text hash = {0}, model = {0};
  char *package = ag_watch_identity_text("package"), *name = ag_watch_identity_text("model"),
       *build = ag_watch_identity_text("so_hash");
  ag_text_addf(&hash, "--library-of=%s", build ? build : "");
  ag_text_addf(&model, "--model=%s", name ? name : "");
  const char *const arguments[] = {
      "-q", ag_text_string(&hash), ag_text_string(&model), "-o", file, "--", package, NULL};
  const char *refused = ag_command_make(&command, arguments);
  if (refused) ag_text_add(why, refused);
  const bool made = !refused && run(&command, file, why);
  ag_replay_command_free(&command);
  ag_text_free(&hash);
  ag_text_free(&model);
  free(package);
  free(name);
  free(build);
  return made;
}

void ag_debug_library_remove_file(ag_debug_library *l) {
  if (l->file.length) unlink(ag_text_string(&l->file));
  ag_text_free(&l->file);
}

bool ag_debug_library_open(ag_debug_library *l, ag_text *why) {
  *l = (ag_debug_library){0};
  if (!make_file(&l->file, why)) return false;
  if (make(ag_text_string(&l->file), why) &&
      !(l->handle = dlopen(ag_text_string(&l->file), RTLD_NOW | RTLD_LOCAL)))
    ag_text_add(why, dlerror());
  if (!l->handle) ag_debug_library_remove_file(l);
  return l->handle != NULL;
}
