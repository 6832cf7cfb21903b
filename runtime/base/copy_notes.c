/* copy_notes.c - see copy_notes.h. */
#define _GNU_SOURCE
#include "base/copy_notes.h"

#include <elf.h>
#include <link.h>
#include <string.h>

typedef struct visit {
  uint32_t type;
  void (*take)(void *object, void *data);
  void (*use)(void *data);
  void *data;
} visit;

static void take_object(const visit *v, const char *contents) {
  int64_t distance;
  memcpy(&distance, contents, sizeof distance);
  v->take((void *)((intptr_t)contents + (intptr_t)distance), v->data);
}

static void read_notes(const visit *v, const char *at, const char *end) {
  ElfW(Nhdr) note;
  while ((size_t)(end - at) >= sizeof note) {
    memcpy(&note, at, sizeof note);
    size_t name = (note.n_namesz + 3u) & ~3u, contents = (note.n_descsz + 3u) & ~3u;
    at += sizeof note;
    if (name > (size_t)(end - at) || contents > (size_t)(end - at) - name) return;
    if (note.n_type == v->type && note.n_namesz == 8 && note.n_descsz == 8 &&
        !memcmp(at, "aotigen", 8))
      take_object(v, at + name);
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
static int visit_locked(struct dl_phdr_info *object, size_t size, void *p) {
  visit *v = p;
  (void)object;
  (void)size;
  dl_iterate_phdr(read_object, v);
  v->use(v->data);
  return 1;
}

void ag_copy_notes_visit(uint32_t type, void (*take)(void *object, void *data),
                         void (*use)(void *data), void *data) {
  visit v = {type, take, use, data};
  dl_iterate_phdr(visit_locked, &v);
}
