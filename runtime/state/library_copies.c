/* library_copies.c - see library_copies.h. */
#define _GNU_SOURCE
#include "state/library_copies.h"

#include <stdio.h>
#include <time.h>

#include "base/copy_notes.h"
#include "base/sink.h"

AG_COPY_NOTE(".note.aotigen", 1, ag_this_library_copy);

ag_library_copy ag_this_library_copy __attribute__((used)) = {
    .version = AG_COPIES_VERSION,
    .size = sizeof(ag_library_copy),
    .say_own = ag_in_flight_say_own,
    .say_others = ag_in_flight_say_others,
};

typedef struct search {
  void (*change)(ag_library_copy *const *others, int n);
  ag_library_copy *found[AG_COPIES];
  int n;
} search;

static void take_copy(void *object, void *p) {
  search *s = p;
  ag_library_copy *copy = object;
  if (copy == &ag_this_library_copy || copy->version != AG_COPIES_VERSION ||
      copy->size != sizeof *copy || s->n == AG_COPIES)
    return;
  s->found[s->n++] = copy;
}

static void change_found(void *p) {
  search *s = p;
  s->change(s->found, s->n);
}

void ag_library_copies_change(void (*change)(ag_library_copy *const *others, int n)) {
  search s = {.change = change};
  ag_copy_notes_visit(AG_NOTE_COPY, take_copy, change_found, &s);
}

void ag_library_copies_add(ag_library_copy *handler, ag_library_copy *copy) {
  for (int i = 0; i < AG_COPIES; i++) {
    if (handler->all[i]) continue;
    handler->all[i] = copy;
    copy->handler = handler;
    return;
  }
  char line[256];
  snprintf(line, sizeof line,
           "aotigen: warning: a crash in the model that is being loaded will not be named: this "
           "process has %d models that aotigen checks; unload some, and load it again\n",
           AG_COPIES);
  ag_sink_write_stderr(line);
}

/* Waits for signal handlers that may look at the copy; they take microseconds, unless nothing reads
 * what they write. */
void ag_library_copies_remove(ag_library_copy *handler, ag_library_copy *copy) {
  static const struct timespec pause = {0, 1000 * 1000};
  for (int i = 0; i < AG_COPIES; i++)
    if (handler->all[i] == copy) handler->all[i] = NULL;
  copy->handler = NULL;
  for (int waited = 0; atomic_load(&handler->readers) && waited < 1000; waited++)
    nanosleep(&pause, NULL);
}
