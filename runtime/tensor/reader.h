/* reader.h - reads the elements of a tensor, on any device.
 *
 * A reader is opened on a view, used and closed on one thread, before anything writes to the
 * tensor. It reads memory in place if the device has a backend. Otherwise torch makes one copy on
 * the host, which the reader owns. Functions return NULL, or the reason for a failure in words. */
#ifndef AOTIGEN_READER_H
#define AOTIGEN_READER_H

#include "tensor/tensor.h"

typedef struct ag_reader {
  const ag_backend *backend;
  const ag_tensor *tensor;
  void *stream;
  void *owned; /* the handle of torch's copy, or NULL */
  ag_view copy;
  /* launch/scan_results.c's: results of a scan, read in place of a tensor that may no longer exist;
   * `stream` then points to the reader itself. */
  ag_scan_result seen;
  const ag_scan_target *target;
} ag_reader;

/* Makes a device's backend known to ag_backend_of_device_type(), as long as the process lives.
 * Repeating it is harmless. find: returns the backend, or NULL if the device's driver is not
 * loaded. At most 4. */
void ag_backend_register(const ag_backend *(*find)(void));

/* The CPU's backend, or the registered one for a c10::DeviceType, or NULL. */
const ag_backend *ag_backend_of_device_type(int32_t device_type);

/* view: AG_VIEW_OK, and valid until the reader is closed. A reader that failed to open must not be
 * closed. */
const char *ag_reader_open(ag_reader *reader, const ag_view *view, void *stream);
void ag_reader_close(ag_reader *reader);

/* As ag_backend's stats() and read(). */
const char *ag_reader_stats(ag_reader *reader, unsigned want, ag_stats *out);
const char *ag_reader_read(ag_reader *reader, int64_t first, int64_t count, void *to);

/* Each opens a reader, uses it, and closes it. */
const char *ag_view_stats(const ag_view *view, unsigned want, void *stream, ag_stats *out);
const char *ag_view_read(const ag_view *view, int64_t first, int64_t count, void *stream, void *to);

#endif
