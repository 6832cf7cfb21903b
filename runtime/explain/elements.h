/* elements.h - single elements of tensors that lie in a device's memory. Inside the library only.
 *
 * Values that were recorded when the launch ran are preferred. The rest is read now, in pieces that
 * are stored until the explanation ends. */
#ifndef AOTIGEN_ELEMENTS_H
#define AOTIGEN_ELEMENTS_H

#include "state/launch.h"

/* The source from which an explanation reads such elements. */
typedef struct ag_element_source {
  /* Reads element `flat` as the launch read it. False if that was not recorded. NULL: none was. */
  bool (*recorded)(void *data, const ag_arg *a, int64_t flat, void *to);
  /* Reads `size` bytes of the storage, `at` bytes from the first element, as they are now. *late:
   * they may have changed since the launch. Returns NULL, or the reason why they cannot be read. */
  const char *(*read)(void *data, const ag_arg *a, int64_t at, size_t size, void *to, bool *late);
  /* Reads the explained element as the launch left it. False if that is not known. */
  bool (*stored)(void *data, const ag_arg *a, int64_t flat, void *to);
  void *data;
} ag_element_source;

enum { AG_ELEMENT_PIECES = 64, AG_ELEMENT_PIECE = 16 << 10 };

typedef struct ag_elements {
  const ag_element_source *from;
  bool late;            /* something was read that may have changed */
  uint64_t pieces_read; /* the caller may set it to 0 */
  char why[160];        /* the reason why the last one could not be read */
  struct ag_element_piece {
    uintptr_t begin; /* its address, or 0 if there is none */
    size_t size;
    unsigned char *bytes;
  } pieces[AG_ELEMENT_PIECES];
} ag_elements;

/* Reads one element of `size` bytes, which lies in the storage `at` bytes from the first one. flat:
 * its index, -1 if it has none. False if it cannot be read. */
bool ag_elements_read(ag_elements *e, const ag_arg *a, int64_t flat, int64_t at, size_t size,
                      void *to);
void ag_elements_end(ag_elements *e);

#endif
