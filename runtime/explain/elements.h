/* elements.h - single elements of tensors that lie in a device's memory. Inside the library only.
 *
 * What was recorded when the launch ran is preferred. The rest is read now, in pieces that are kept
 * as long as the explanation goes on.
 */
#ifndef AOTIGEN_ELEMENTS_H
#define AOTIGEN_ELEMENTS_H

#include "state/launch.h"

/* Where an explanation has such elements from. */
typedef struct ag_element_source {
  /* Element `flat`, as the launch read it. False where that was not recorded. NULL: none was. */
  bool (*recorded)(void *data, const ag_arg *a, int64_t flat, void *to);
  /* `size` bytes of the storage, `at` bytes from the first element, as they are now. *late: they
   * may have changed since the launch. NULL, or in words why they cannot be read. */
  const char *(*read)(void *data, const ag_arg *a, int64_t at, size_t size, void *to, bool *late);
  /* The element that is explained, as the launch left it. False where that is not known. */
  bool (*stored)(void *data, const ag_arg *a, int64_t flat, void *to);
  void *data;
} ag_element_source;

enum { AG_ELEMENT_PIECES = 64, AG_ELEMENT_PIECE = 16 << 10 };

typedef struct ag_elements {
  const ag_element_source *from;
  bool late;     /* something was read that may have changed */
  char why[160]; /* why the last one could not be read */
  struct ag_element_piece {
    uintptr_t begin; /* its address; 0: none */
    size_t size;
    unsigned char *bytes;
  } pieces[AG_ELEMENT_PIECES];
} ag_elements;

/* One element, of `size` bytes, which lies in the storage `at` bytes from the first one. flat: its
 * index, -1 where it has none. False where it cannot be read. */
bool ag_elements_read(ag_elements *e, const ag_arg *a, int64_t flat, int64_t at, size_t size,
                      void *to);
void ag_elements_end(ag_elements *e);

#endif
