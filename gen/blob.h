/* blob.h - writes an object file that holds nothing but a model's weights between their two symbols. */
#ifndef GEN_BLOB_H
#define GEN_BLOB_H

#include "diag.h"
#include <elf.h>
#include <stdint.h>

#if defined __aarch64__
#define BLOB_MACHINE EM_AARCH64
#else
#define BLOB_MACHINE EM_X86_64
#endif

/* The bytes, in an open file; size 0 for none. */
typedef struct blob {
  int fd;
  uint64_t offset, size;
  bool writable; /* the model changes them */
} blob;

bool blob_write(const char *object, const blob *b, diags *d);

/* n bytes of `from` to where `to` stands, in the kernel. False with errno set. */
bool blob_copy(int from, uint64_t offset, int to, uint64_t n);

#endif
