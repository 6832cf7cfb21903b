/* elf_object.c - see elf_file.h. The layout of the file:
 *
 *   header | bytes (aligned as torch aligns weights) | symbols | their names | section names |
 *   section headers
 */
#include "toolchain/elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum { ALIGNMENT = 64, SYMBOLS = 3, SYMBOL_NAMES_MAX = 1100 };

enum {
  SECTION_NONE,
  SECTION_DATA,
  SECTION_SYMBOLS,
  SECTION_STRINGS,
  SECTION_NAMES,
  SECTION_STACK,
  SECTIONS
};

/* Large-model sections, so that gigabytes of weights do not push code and data apart. */
static const char section_names[] =
    "\0.lrodata\0.ldata\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack";

bool elf_object_copy_bytes(int from, uint64_t offset, int to, uint64_t n) {
  const uint64_t most = 1u << 30;
  off_t at = (off_t)offset;
  while (n > 0) {
    ssize_t k = sendfile(to, from, &at, n < most ? n : most);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = EIO; /* the file became shorter */
    if (k <= 0) return false;
    n -= (uint64_t)k;
  }
  return true;
}

/* Writes "\0NAME_start\0NAME_end\0", and gives its size. */
static size_t write_symbol_names(char to[SYMBOL_NAMES_MAX], const char *name) {
  to[0] = '\0';
  return 2 + (size_t)snprintf(to + 1, SYMBOL_NAMES_MAX - 1, "%.500s_start%c%.500s_end", name, '\0',
                              name);
}

static Elf64_Word section_name(const char *name) {
  const char *at = memmem(section_names, sizeof section_names, name, strlen(name) + 1);
  return (Elf64_Word)(at - section_names);
}

static uint64_t align_up(uint64_t n) { return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void fill_sections(Elf64_Shdr h[SECTIONS], const elf_bytes *b, uint64_t size,
                          size_t strings_size) {
  const uint64_t symbols_size = SYMBOLS * sizeof(Elf64_Sym),
                 symbols_at = align_up(ALIGNMENT + size), strings_at = symbols_at + symbols_size,
                 names_at = strings_at + strings_size;
  h[SECTION_DATA] = (Elf64_Shdr){.sh_name = section_name(b->writable ? ".ldata" : ".lrodata"),
                                 .sh_type = SHT_PROGBITS,
                                 .sh_flags = SHF_ALLOC | (b->writable ? SHF_WRITE : 0u),
                                 .sh_offset = ALIGNMENT,
                                 .sh_size = size,
                                 .sh_addralign = ALIGNMENT};
  h[SECTION_SYMBOLS] = (Elf64_Shdr){.sh_name = section_name(".symtab"),
                                    .sh_type = SHT_SYMTAB,
                                    .sh_offset = symbols_at,
                                    .sh_size = symbols_size,
                                    .sh_link = SECTION_STRINGS,
                                    .sh_info = 1,
                                    .sh_addralign = 8,
                                    .sh_entsize = sizeof(Elf64_Sym)};
  h[SECTION_STRINGS] = (Elf64_Shdr){.sh_name = section_name(".strtab"),
                                    .sh_type = SHT_STRTAB,
                                    .sh_offset = strings_at,
                                    .sh_size = strings_size,
                                    .sh_addralign = 1};
  h[SECTION_NAMES] = (Elf64_Shdr){.sh_name = section_name(".shstrtab"),
                                  .sh_type = SHT_STRTAB,
                                  .sh_offset = names_at,
                                  .sh_size = sizeof section_names,
                                  .sh_addralign = 1};
  h[SECTION_STACK] = (Elf64_Shdr){.sh_name = section_name(".note.GNU-stack"),
                                  .sh_type = SHT_PROGBITS,
                                  .sh_offset = names_at + sizeof section_names,
                                  .sh_addralign = 1};
}

static Elf64_Ehdr make_header(const Elf64_Shdr *h) {
  Elf64_Ehdr e = {.e_type = ET_REL,
                  .e_machine = ELF_OBJECT_MACHINE,
                  .e_version = EV_CURRENT,
                  .e_shoff = align_up(h[SECTION_STACK].sh_offset),
                  .e_ehsize = sizeof e,
                  .e_shentsize = sizeof *h,
                  .e_shnum = SECTIONS,
                  .e_shstrndx = SECTION_NAMES};
  memcpy(e.e_ident, ELFMAG, SELFMAG);
  e.e_ident[EI_CLASS] = ELFCLASS64;
  e.e_ident[EI_DATA] = ELFDATA2LSB;
  e.e_ident[EI_VERSION] = EV_CURRENT;
  return e;
}

static bool write_at(int fd, uint64_t offset, const void *at, size_t n) {
  ssize_t k = pwrite(fd, at, n, (off_t)offset);
  if (k >= 0 && (size_t)k < n) errno = ENOSPC;
  return k == (ssize_t)n;
}

static bool write_data(int fd, const elf_bytes *b) {
  if (b->size == 0) return write_at(fd, ALIGNMENT, "", 1);
  return lseek(fd, ALIGNMENT, SEEK_SET) == ALIGNMENT &&
         elf_object_copy_bytes(b->fd, b->offset, fd, b->size);
}

bool elf_object_write(const char *object, const elf_bytes *b, diags *d) {
  Elf64_Shdr h[SECTIONS] = {{0}};
  uint64_t size = b->size ? b->size : 1; /* the linker would drop a section of no bytes */
  char names[SYMBOL_NAMES_MAX];
  size_t names_size = write_symbol_names(names, b->name);
  fill_sections(h, b, size, names_size);
  Elf64_Ehdr e = make_header(h);
  const unsigned char info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
  const Elf64_Word end_name = (Elf64_Word)strlen(names + 1) + 2;
  const Elf64_Sym symbols[SYMBOLS] = {{0},
                                      {1, info, STV_HIDDEN, SECTION_DATA, 0, 0},
                                      {end_name, info, STV_HIDDEN, SECTION_DATA, size, 0}};
  int fd = open(object, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && write_at(fd, 0, &e, sizeof e) && write_data(fd, b) &&
            write_at(fd, h[SECTION_SYMBOLS].sh_offset, symbols, sizeof symbols) &&
            write_at(fd, h[SECTION_STRINGS].sh_offset, names, names_size) &&
            write_at(fd, h[SECTION_NAMES].sh_offset, section_names, sizeof section_names) &&
            write_at(fd, e.e_shoff, h, sizeof h);
  int error = errno;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (!ok) diag_error(d, STATUS_INPUT, object, "cannot be written: %s", strerror(error));
  return ok;
}
