/* save_npy.c - numpy's .npy, version 1.0: a header and the elements in row-major order. A type that
 * numpy lacks is saved as its bits. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "output/save_format.h"
#include "base/file_write.h"

enum { CHUNK = 1 << 20, ALIGN = 64 };

static const char *bits_of(int size) {
  return size == 1 ? "|u1" : size == 2 ? "<u2" : size == 4 ? "<u4" : "<u8";
}

static void add_header(ag_text *t, const ag_view *view) {
  const char *descr = ag_dtype_spelling(view->t.dtype)->numpy;
  ag_text dict = {0};
  ag_text_addf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': ",
               descr ? descr : bits_of(view->t.dtype->item_size));
  ag_text_add_list(&dict, view->t.sizes, view->t.ndim, "(", ", ",
                   view->t.ndim == 1 ? ",), }" : "), }");
  while ((10 + dict.length + 1) % ALIGN) ag_text_add(&dict, " ");
  ag_text_add(&dict, "\n");
  const unsigned char head[10] = {0x93,
                                  'N',
                                  'U',
                                  'M',
                                  'P',
                                  'Y',
                                  1,
                                  0,
                                  (unsigned char)(dict.length & 255),
                                  (unsigned char)(dict.length >> 8)};
  ag_text_add_bytes(t, head, sizeof head);
  ag_text_add_bytes(t, dict.data, dict.length);
  ag_text_free(&dict);
}

const char *ag_save_npy(int fd, ag_reader *reader, const ag_view *view, int64_t *data) {
  ag_text header = {0};
  char *chunk = malloc(CHUNK);
  int64_t size = view->t.dtype->item_size, most = CHUNK / size, offset;
  const char *why = chunk ? NULL : "out of memory";
  add_header(&header, view);
  if (!why) why = ag_file_write_at(fd, header.data, header.length, 0);
  *data = offset = (int64_t)header.length;
  for (int64_t first = 0; !why && first < view->t.numel; first += most) {
    int64_t n = view->t.numel - first < most ? view->t.numel - first : most;
    why = ag_reader_read(reader, first, n, chunk);
    if (!why) why = ag_file_write_at(fd, chunk, (size_t)(n * size), offset + first * size);
  }
  free(chunk);
  ag_text_free(&header);
  return why;
}
