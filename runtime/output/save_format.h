/* save_format.h - the formats of saved tensors. Inside the library only. */
#ifndef AOTIGEN_SAVE_FORMAT_H
#define AOTIGEN_SAVE_FORMAT_H

#include "tensor/reader.h"

/* Write a tensor to fd, a new and empty file; *data: where its elements begin. NULL, or why that
 * failed. The caller closes the file and, on failure, removes it. pt: an archive of torch.save's
 * format, with the tensor's shape and strides. npy: in row-major order. */
const char *ag_save_pt(int fd, ag_reader *reader, const ag_view *view, int64_t *data);
const char *ag_save_npy(int fd, ag_reader *reader, const ag_view *view, int64_t *data);

#endif
