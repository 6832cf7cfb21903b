/* elf_links.h - what a shared object asks the loader for, and the versions that it gives.
 *
 * The file may be hostile: what is not inside of it, or goes in a circle, is left out.
 */
#ifndef GEN_TOOLCHAIN_ELF_LINKS_H
#define GEN_TOOLCHAIN_ELF_LINKS_H

#include "base/arena.h"
#include "toolchain/elf_symbols.h"

/* A version that is asked of a library: "GLIBC_2.34" of "libc.so.6". */
typedef struct elf_wanted {
  const char *library, *name;
} elf_wanted;

typedef struct elf_links {
  strings needed; /* the libraries: "libc.so.6" */
  struct {
    elf_wanted *at;
    size_t n, cap;
  } wanted;
  strings paths; /* where it has them looked for: "/a:/b" */
  strings given; /* the versions that the file defines */
} elf_links;

/* Texts are copied into the arena. */
void elf_links_read(elf_links *l, elf_file *f, arena *a);

#endif
