/* library_copies.c - the ELF note, and the search for those of other copies. */
#define _GNU_SOURCE
#include "state/library_copies.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sink.h"

enum { NOTE_TYPE = 1, MOST_FOUND = AG_COPIES };

/* The note's contents: the offset of ag_this_library_copy from it, which the linker computes. */
__asm__(".pushsection .note.aotigen,\"a\",%note\n"
        ".balign 4\n"
        ".long 8, 8, 1\n"
        ".asciz \"aotigen\"\n"
        "1: .quad ag_this_library_copy - 1b\n"
        ".popsection\n");

ag_library_copy ag_this_library_copy __attribute__((used)) = {
    .version = AG_COPIES_VERSION,
    .size = sizeof(ag_library_copy),
    .say_own = ag_in_flight_say_own,
    .say_others = ag_in_flight_say_others,
};

typedef struct search {
  void (*change)(ag_library_copy *const *others, int n);
  ag_library_copy *found[MOST_FOUND];
  int n;
} search;

static void add_copy(search *s, const char *contents) {
  int64_t distance;
  memcpy(&distance, contents, sizeof distance);
  ag_library_copy *copy = (ag_library_copy *)((intptr_t)contents + (intptr_t)distance);
  if (copy == &ag_this_library_copy || copy->version != AG_COPIES_VERSION ||
      copy->size != sizeof *copy || s->n == MOST_FOUND)
    return;
  s->found[s->n++] = copy;
}

static void read_notes(search *s, const char *at, const char *end) {
  ElfW(Nhdr) note;
  while ((size_t)(end - at) >= sizeof note) {
    memcpy(&note, at, sizeof note);
    size_t name = (note.n_namesz + 3u) & ~3u, contents = (note.n_descsz + 3u) & ~3u;
    at += sizeof note;
    if (name > (size_t)(end - at) || contents > (size_t)(end - at) - name) return;
    if (note.n_type == NOTE_TYPE && note.n_namesz == 8 && note.n_descsz == 8 &&
        !memcmp(at, "aotigen", 8))
      add_copy(s, at + name);
    at += name + contents;
  }
}

static int read_object(struct dl_phdr_info *object, size_t size, void *p) {
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &object->dlpi_phdr[i];
    const char *at = (const char *)(uintptr_t)(object->dlpi_addr + h->p_vaddr);
    if (h->p_type == PT_NOTE && h->p_align <= 4) read_notes(p, at, at + h->p_memsz);
  }
  return 0;
}

/* The loader calls this with its lock held, which all copies share; it may be taken again. */
static int change_locked(struct dl_phdr_info *object, size_t size, void *p) {
  search *s = p;
  (void)object;
  (void)size;
  dl_iterate_phdr(read_object, s);
  s->change(s->found, s->n);
  return 1;
}

void ag_library_copies_change(void (*change)(ag_library_copy *const *others, int n)) {
  search s = {.change = change};
  dl_iterate_phdr(change_locked, &s);
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
