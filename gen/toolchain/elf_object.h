/* elf_object.h - writes an object file that holds nothing but some bytes between two symbols, such
 * as a model's weights. */
#ifndef GEN_TOOLCHAIN_ELF_OBJECT_H
#define GEN_TOOLCHAIN_ELF_OBJECT_H

#include "base/diag.h"
#include <elf.h>
#include <stdint.h>

/* The machine that object files are read and written for. */
#if defined __aarch64__
#define ELF_OBJECT_MACHINE EM_AARCH64
#else
#define ELF_OBJECT_MACHINE EM_X86_64
#endif

/* Bytes of an open file between the symbols NAME_start and NAME_end. */
typedef struct elf_bytes {
  int fd;
  uint64_t offset, size; /* size 0: none, and fd is not used */
  const char *name;      /* at most 500 characters */
  bool writable;         /* the model writes to them */
} elf_bytes;

/* Writes `object`, replacing what is there. False with an error in `d`. */
bool elf_object_write(const char *object, const elf_bytes *b, diags *d);

/* Copies n bytes of `from` to the position of `to`, within the kernel. False with errno set. */
bool elf_object_copy_bytes(int from, uint64_t offset, int to, uint64_t n);

#endif
