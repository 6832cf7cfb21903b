/* blob.c - see blob.h. Knows the layout of a relocatable ELF file:
 *
 *   header | weights (aligned as torch aligns them) | symbols | their names | section names |
 * section headers
 */
#include "build/elf_object.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum { ALIGN = 64, NONE = 0, DATA, SYMBOLS, STRINGS, NAMES, STACK, SECTIONS };

enum { NAMES_MAX = 1100 };

/* "\0NAME_start\0NAME_end\0", and its size. */
static size_t symbol_names(char to[NAMES_MAX], const char *name) {
  to[0] = '\0';
  return 2 + (size_t)snprintf(to + 1, NAMES_MAX - 1, "%.500s_start%c%.500s_end", name, '\0', name);
}

static const char names[] = "\0.lrodata\0.ldata\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack";

bool blob_copy(int from, uint64_t offset, int to, uint64_t n) {
  off_t at = (off_t)offset;
  while (n > 0) {
    ssize_t k = sendfile(to, from, &at, n < (1u << 30) ? (size_t)n : 1u << 30);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = EIO; /* the file became shorter */
    if (k <= 0) return false;
    n -= (uint64_t)k;
  }
  return true;
}

/* The offset of a section's name in `names`. */
static Elf64_Word name_of(const char *name) {
  const char *at = memmem(names, sizeof names, name, strlen(name) + 1);
  return (Elf64_Word)(at - names);
}

static uint64_t align_up(uint64_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static void fill_sections(Elf64_Shdr h[SECTIONS], const blob *b, uint64_t size,
                          size_t strings_size) {
  uint64_t symbols = align_up(ALIGN + size), strings_at = symbols + 3 * sizeof(Elf64_Sym),
           names_at = strings_at + strings_size;
  h[DATA] = (Elf64_Shdr){.sh_name = name_of(b->writable ? ".ldata" : ".lrodata"),
                         .sh_type = SHT_PROGBITS,
                         .sh_offset = ALIGN,
                         .sh_size = size,
                         .sh_addralign = ALIGN};
  h[DATA].sh_flags = SHF_ALLOC | (b->writable ? SHF_WRITE : 0u);
  h[SYMBOLS] = (Elf64_Shdr){.sh_name = name_of(".symtab"),
                            .sh_type = SHT_SYMTAB,
                            .sh_offset = symbols,
                            .sh_size = 3 * sizeof(Elf64_Sym),
                            .sh_link = STRINGS,
                            .sh_info = 1,
                            .sh_addralign = 8,
                            .sh_entsize = sizeof(Elf64_Sym)};
  h[STRINGS] = (Elf64_Shdr){.sh_name = name_of(".strtab"),
                            .sh_type = SHT_STRTAB,
                            .sh_offset = strings_at,
                            .sh_size = strings_size,
                            .sh_addralign = 1};
  h[NAMES] = (Elf64_Shdr){.sh_name = name_of(".shstrtab"),
                          .sh_type = SHT_STRTAB,
                          .sh_offset = names_at,
                          .sh_size = sizeof names,
                          .sh_addralign = 1};
  h[STACK] = (Elf64_Shdr){.sh_name = name_of(".note.GNU-stack"),
                          .sh_type = SHT_PROGBITS,
                          .sh_offset = names_at + sizeof names,
                          .sh_addralign = 1};
}

static Elf64_Ehdr header(const Elf64_Shdr *h) {
  Elf64_Ehdr e = {.e_type = ET_REL,
                  .e_machine = BLOB_MACHINE,
                  .e_version = EV_CURRENT,
                  .e_ehsize = sizeof e,
                  .e_shentsize = sizeof *h,
                  .e_shnum = SECTIONS,
                  .e_shstrndx = NAMES};
  memcpy(e.e_ident, ELFMAG, SELFMAG);
  e.e_ident[EI_CLASS] = ELFCLASS64;
  e.e_ident[EI_DATA] = ELFDATA2LSB;
  e.e_ident[EI_VERSION] = EV_CURRENT;
  e.e_shoff = align_up(h[STACK].sh_offset);
  return e;
}

static bool put(int fd, uint64_t offset, const void *at, size_t n) {
  ssize_t k = pwrite(fd, at, n, (off_t)offset);
  if (k >= 0 && (size_t)k < n) errno = ENOSPC;
  return k == (ssize_t)n;
}

bool blob_write(const char *object, const blob *b, diags *d) {
  Elf64_Shdr h[SECTIONS] = {{0}};
  uint64_t size = b->size ? b->size : 1; /* a section of no bytes would be left out by the linker */
  char symbol_strings[NAMES_MAX];
  size_t strings_size = symbol_names(symbol_strings, b->name);
  fill_sections(h, b, size, strings_size);
  Elf64_Ehdr e = header(h);
  const unsigned char info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
  const Elf64_Sym symbols[3] = {
      {0},
      {1, info, STV_HIDDEN, DATA, 0, 0},
      {(Elf64_Word)strlen(symbol_strings + 1) + 2, info, STV_HIDDEN, DATA, size, 0}};
  int fd = open(object, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && put(fd, 0, &e, sizeof e) && lseek(fd, ALIGN, SEEK_SET) == ALIGN;
  ok = ok && (b->size ? blob_copy(b->fd, b->offset, fd, b->size) : put(fd, ALIGN, "", 1));
  ok = ok && put(fd, h[SYMBOLS].sh_offset, symbols, sizeof symbols) &&
       put(fd, h[STRINGS].sh_offset, symbol_strings, strings_size);
  ok = ok && put(fd, h[NAMES].sh_offset, names, sizeof names) && put(fd, e.e_shoff, h, sizeof h);
  int error = errno;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (!ok) diag_error(d, STATUS_INPUT, object, "cannot be written: %s", strerror(error));
  return ok;
}
