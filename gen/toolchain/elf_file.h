/* elf_file.h - 64-bit ELF files of this machine: objects that are written, symbols and sections
 * that are read, through libelf in a confined child (elf_reader.h).
 *
 * A file that is read may be truncated or hostile: every offset and size is checked against the
 * file. What does not fit is skipped or refused with a reason. Not thread-safe.
 */
#ifndef GEN_TOOLCHAIN_ELF_FILE_H
#define GEN_TOOLCHAIN_ELF_FILE_H

#include "base/diag.h"
#include "toolchain/elf_reader.h"
#include <elf.h>
#include <gelf.h>
#include <stdint.h>

/* ---- writes an object file that holds nothing but some bytes between two symbols, such
 * as a model's weights */

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

/* ---- symbols and sections of a 64-bit ELF file for this machine, read through libelf.
 *
 * The file may be truncated or hostile: every offset and size is checked against the file. What
 * does not fit is skipped or refused with a reason. Not thread-safe. */

typedef struct elf_file {
  int fd;
  uint64_t offset, size; /* in bytes; the offset is 0 unless the file lies in another */
  elf_contents contents;
  Elf64_Ehdr header;
  const char *why; /* after a failure: the reason, "it ..." or an error of the system */
  char cut[160];   /* the text of `why` for a truncated file */
} elf_file;

/* False, with f->why, if it cannot be read, is not such a file, or is truncated. Call
 * elf_symbols_close() in either case. */
bool elf_symbols_open(elf_file *f, const char *path);
void elf_symbols_close(elf_file *f);

/* The same with some parts alone, of elf_reader.h; 0: only the header, without libelf. */
bool elf_symbols_open_parts(elf_file *f, const char *path, unsigned parts);

/* The same of the `size` bytes at `offset` of the regular file `file`, which stays open. */
bool elf_symbols_open_inside(elf_file *f, int file, uint64_t offset, uint64_t size, unsigned parts);

/* Sets *end to where the file ends by its header: behind its header tables and segments. False if
 * the header cannot be read, or gives an end beyond 2^62. */
bool elf_symbols_find_end(const elf_file *f, uint64_t *end);

/* Calls visit() for each entry of each symbol table. `name` lives until elf_symbols_close(). */
typedef void elf_symbol_visit(const char *name, const GElf_Sym *symbol, void *data);
void elf_symbols_visit(elf_file *f, elf_symbol_visit *visit, void *data);

/* The same for the dynamic symbols only: those that the loader looks up, and that others find. */
void elf_symbols_visit_dynamic(elf_file *f, elf_symbol_visit *visit, void *data);

/* True if the file defines both NAME_start and NAME_end. */
bool elf_symbols_has_bytes(elf_file *f, const char *name);

/* The symbols NAME_start and NAME_end of a file, as far as they are found. */
typedef struct elf_pair {
  GElf_Sym start, end;
  bool has_start, has_end;
} elf_pair;

/* Adds one of the two, where the pair does not have it yet. */
void elf_pair_add(elf_pair *p, const GElf_Sym *symbol, bool end);

/* The bytes between two symbols of the file. False with f->why if one is missing, or the bytes do
 * not lie inside of a section with contents in the file. */
bool elf_symbols_read_bytes(elf_file *f, const char *name, const elf_pair *p, elf_bytes *b);

/* The same of the symbols NAME_start and NAME_end. */
bool elf_symbols_find_bytes(elf_file *f, const char *name, elf_bytes *b);

/* ---- the libraries that a shared object asks the loader for, and the versions that it
 * defines.
 *
 * The file may be hostile: entries outside of it, or in a circle, are skipped. */

/* Texts are copied into the arena. */
void elf_links_read(elf_links *l, elf_file *f, arena *a);

/* ---- binaries of kernels that torch linked into an old '.so': each stands between the symbols
 * NAME_start and NAME_end. A package does not hold them as files, so they are copied out of the
 * '.so' to be linked again. */

/* Copies each binary that one of the `objects` refers to and that `so` holds into an object file of
 * its own in `dir`, and adds the file's name to `made`. `name` stands for `so` in messages. */
bool embedded_kernels_extract(const char *so, const char *name, const strings *objects,
                              const char *dir, strings *made, arena *a, diags *d);

/* Refuses a newly linked `so` in which a symbol is undefined that `old_so` defined: what was linked
 * into that one cannot be copied out of it. `name` stands for `old_so` in the message. */
bool embedded_kernels_check(const char *so, const char *old_so, const char *name, diags *d);

#endif
