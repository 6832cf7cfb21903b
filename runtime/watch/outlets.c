/* outlets.c - see outlets.h. */
#define _GNU_SOURCE
#include "watch/outlets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/own_path.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "watch/identity.h"

enum { MESSAGE_MOST = 4096 }; /* bytes that Kubernetes reads */

void ag_outlet_log(const ag_watched_run *r, const char *kind, int64_t output,
                   const ag_capsule *capsule) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_begin(&event, EVENT_FINDING);
  ag_event_add_string(&event, "model", ag_watch_identity_name());
  ag_event_add_number(&event, "run", (int64_t)r->number);
  ag_event_add_string(&event, "kind", kind);
  if (output >= 0) ag_event_add_number(&event, "output", output);
  ag_event_add_string(&event, "capsule",
                      capsule->file.length ? ag_text_string(&capsule->file) : NULL);
  if (capsule->failure.length)
    ag_event_add_string(&event, "no_capsule", ag_text_string(&capsule->failure));
  ag_event_end(&event);
}

/* As many bytes of whole lines as there is room for; of a line alone a part. */
static size_t measure_message(const char *text) {
  size_t n = strlen(text);
  if (n <= MESSAGE_MOST) return n;
  for (n = MESSAGE_MOST; n && text[n - 1] != '\n'; n--) continue;
  if (n) return n;
  for (n = MESSAGE_MOST; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--) continue;
  return n;
}

static const char not_regular[] = "it is no regular file";

/* NULL, or why it is not written. Nothing but a regular file is opened: a device may do something
 * when it is. */
static const char *write_in_place(const char *path, const char *text) {
  struct stat st;
  if (lstat(path, &st)) return strerror(errno);
  if (!S_ISREG(st.st_mode)) return not_regular;
  int fd = ag_own_path_open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (fd < 0) return ag_own_path_error(errno);
  const char *why = NULL;
  if (fstat(fd, &st))
    why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    why = not_regular;
  else if (ftruncate(fd, 0))
    why = strerror(errno);
  else
    why = ag_file_write(fd, text, measure_message(text));
  close(fd);
  return why;
}

void ag_outlet_terminate(const char *text) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  const char *path = ag_settings_get()->termination_log;
  const char *why = path ? write_in_place(path, text) : NULL;
  if (why && !atomic_flag_test_and_set(&said))
    ag_warn("AOTIGEN_TERMINATION_LOG is not written: '%s': %s", path, why);
}
