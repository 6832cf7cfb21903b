/* elf_links.h - the libraries that a shared object asks the loader for, and the versions that it
 * defines.
 *
 * The file may be hostile: entries outside of it, or in a circle, are skipped.
 */
#ifndef GEN_TOOLCHAIN_ELF_LINKS_H
#define GEN_TOOLCHAIN_ELF_LINKS_H

#include "base/arena.h"
#include "toolchain/elf_symbols.h"

/* A version that a library must define: "GLIBC_2.34" of "libc.so.6". */
typedef struct elf_wanted {
  const char *library, *name;
} elf_wanted;

typedef struct elf_links {
  strings needed; /* the libraries: "libc.so.6" */
  struct {
    elf_wanted *at;
    size_t n, cap;
  } wanted;
  strings paths; /* the search path that it gives the loader: "/a:/b" */
  strings given; /* the versions that the file defines */
} elf_links;

/* Texts are copied into the arena. */
void elf_links_read(elf_links *l, elf_file *f, arena *a);

#endif
