/* elf_reader.h - libelf, in a confined child that has the file open and nothing else: what it makes
 * of a file comes back as data, within the parser's limits. A child that was taken over may answer
 * anything: what its answer says of places in the file has still to be checked. Not thread-safe.
 */
#ifndef GEN_TOOLCHAIN_ELF_READER_H
#define GEN_TOOLCHAIN_ELF_READER_H

#include "base/options.h"
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>

/* What is asked for, besides the sections. */
enum {
  ELF_SYMBOLS = 1, /* all of them */
  ELF_DYNAMIC = 2, /* those that the loader looks up, and that others find */
  ELF_LINKS = 4
};

/* Longer symbols are ignored. */
enum { ELF_SYMBOLS_NAME_MAX = 500 };

typedef struct elf_section {
  uint64_t type, flags, address, offset, size;
  const char *name; /* "" if it is not `named`: it cannot be read */
  uint64_t named;
} elf_section;

typedef struct elf_symbol {
  const char *name;
  GElf_Sym symbol;
  bool dynamic;
} elf_symbol;

/* A version that a library must define: "GLIBC_2.34" of "libc.so.6". */
typedef struct elf_wanted {
  const char *library, *name;
} elf_wanted;

typedef struct elf_links {
  strings needed; /* the libraries: "libc.so.6" */
  arena_list(elf_wanted) wanted;
  strings paths; /* the search path that it gives the loader: "/a:/b" */
  strings given; /* the versions that the file defines */
} elf_links;

/* The texts live until elf_reader_free(). */
typedef struct elf_contents {
  arena_list(elf_section) sections; /* by their number */
  arena_list(elf_symbol) symbols;
  elf_links links;
  arena *a; /* its own */
  strbuf answer;
} elf_contents;

/* Reads the `size` bytes at `offset` of an open file. False if libelf cannot, or took more than it
 * may. Call elf_reader_free() in either case. */
bool elf_reader_read(elf_contents *c, int fd, uint64_t offset, uint64_t size, unsigned parts);
void elf_reader_free(elf_contents *c);

/* What the child answers. For itself, and for fuzzers, which see no other process. */
void elf_reader_answer(int file, uint64_t offset, uint64_t size, unsigned parts, FILE *to);

/* Sets the limits of all that follow; without it they are the default ones. */
void elf_reader_limit(const options *o);

#endif
