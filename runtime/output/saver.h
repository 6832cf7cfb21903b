/* saver.h - a tensor as a file. Inside the library only. */
#ifndef AOTIGEN_SAVER_H
#define AOTIGEN_SAVER_H

#include "tensor/reader.h"

/* Write a tensor to fd, a new and empty file: NULL, or why it could not be. The caller closes and,
 * on failure, removes it. pt: an archive of torch.save's format, with the tensor's shape and
 * strides. npy: in row-major order. */
const char *ag_write_pt(int fd, ag_reader *r, const ag_view *v);
const char *ag_write_npy(int fd, ag_reader *r, const ag_view *v);

/* For both. */
const char *ag_write_at(int fd, const void *bytes, size_t n, int64_t offset);

#endif
