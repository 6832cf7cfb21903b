/* process_object.c - see process_object.h. */
#define _GNU_SOURCE
#include "base/process_object.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"

/* "ADDRESS-ADDRESS r--p OFFSET DEVICE INODE    /memfd:NAME (deleted)": a file that could have this
 * name has to be in the root directory, and mapped so. */
static void *read_line(const char *line, const char *file) {
  uintptr_t begin;
  void *object;
  const char *at = strchr(line, '/');
  if (!at || strcmp(at, file) != 0 || sscanf(line, "%" SCNxPTR "-%*x r--p ", &begin) != 1)
    return NULL;
  memcpy(&object, (const void *)begin, sizeof object);
  return object;
}

void *ag_process_object_find(const char *name) {
  FILE *maps = fopen("/proc/self/maps", "re");
  ag_text file = {0};
  char *line = NULL;
  size_t room = 0;
  void *found = NULL;
  ag_text_addf(&file, "/memfd:%s (deleted)\n", name);
  while (maps && !found && getline(&line, &room, maps) > 0)
    found = read_line(line, ag_text_string(&file));
  free(line);
  ag_text_free(&file);
  if (maps) fclose(maps);
  return found;
}

void ag_process_object_leave(const char *name, void *object) {
  int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, &object, sizeof object) == (ssize_t)sizeof object)
    mmap(NULL, sizeof object, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
}
