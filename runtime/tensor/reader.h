/* reader.h - the elements of a tensor, on whatever device they are.
 *
 * A reader is opened on a view, used, and closed, all on one thread and before anything writes to
 * the tensor. The CPU and CUDA are read in place; of any other device torch itself makes one copy
 * on the host, which the reader owns.
 */
#ifndef AOTIGEN_READER_H
#define AOTIGEN_READER_H

#include "tensor/tensor.h"

typedef struct ag_reader {
  const ag_backend *backend;
  const ag_tensor *tensor;
  void *stream;
  void *owned; /* the copy's handle, or NULL */
  ag_view copy;
  ag_scan_result seen; /* look.c's: what was kept of a tensor that may be gone; `stream` is then the
                          reader itself */
  const ag_scan_target *target;
} ag_reader;

/* Our own backend for a device type, or NULL. */
const ag_backend *ag_backend_of(int32_t device_type);

/* NULL, or why the elements cannot be had; then there is nothing to close. view: AG_VIEW_OK, and
 * alive while r is. */
const char *ag_reader_open(ag_reader *r, const ag_view *view, void *stream);
void ag_reader_close(ag_reader *r);

const char *ag_reader_stats(ag_reader *r, unsigned want, ag_stats *out);
const char *ag_reader_read(ag_reader *r, int64_t first, int64_t count, void *to);

/* Opened, asked, closed. */
const char *ag_view_stats(const ag_view *view, unsigned want, void *stream, ag_stats *out);
const char *ag_view_read(const ag_view *view, int64_t first, int64_t count, void *stream, void *to);

#endif
