/* blob.h - writes an object file that holds nothing but some bytes between their two symbols: a
 * model's weights. */
#ifndef GEN_BLOB_H
#define GEN_BLOB_H

#include "base/diag.h"
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
  const char *name; /* the symbols are NAME_start and NAME_end; at most 500 characters */
  bool writable;    /* the model changes them */
} blob;

bool blob_write(const char *object, const blob *b, diags *d);

/* n bytes of `from` to where `to` stands, in the kernel. False with errno set. */
bool blob_copy(int from, uint64_t offset, int to, uint64_t n);

#endif
