/* elf_symbols.c - see elf_file.h. */
#include "toolchain/elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libelf holds tables in memory; those of a wrapper's '.so' take about 1 MB. It also holds about
 * 200 bytes for each section: a '.so' has about 40, and an object one for each function. */
enum { TABLE_MAX = 32 << 20, TABLES_MAX = 2 * TABLE_MAX, SECTIONS_MAX = 200000 };

/* Raises *end to the end of `size` bytes at `offset`. False if that is no place in a file. */
static bool include_bytes(uint64_t *end, uint64_t offset, uint64_t size) {
  const uint64_t most = 1ull << 62;
  if (offset > most || size > most - offset) return false;
  if (offset + size > *end) *end = offset + size;
  return true;
}

static bool include_segments(const elf_file *f, const Elf64_Ehdr *h, uint64_t *end) {
  Elf64_Phdr segment;
  for (unsigned i = 0; i < h->e_phnum && h->e_phentsize == sizeof segment; i++) {
    off_t at = (off_t)(h->e_phoff + i * sizeof segment);
    if (pread(f->fd, &segment, sizeof segment, at) != sizeof segment) return true;
    if (!include_bytes(end, segment.p_offset, segment.p_filesz)) return false;
  }
  return true;
}

bool elf_symbols_find_end(const elf_file *f, uint64_t *end) {
  Elf64_Ehdr h;
  *end = sizeof h;
  if (pread(f->fd, &h, sizeof h, 0) != sizeof h || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
      h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB)
    return false;
  return include_bytes(end, h.e_shoff, (uint64_t)h.e_shnum * h.e_shentsize) &&
         include_bytes(end, h.e_phoff, (uint64_t)h.e_phnum * h.e_phentsize) &&
         include_segments(f, &h, end);
}

/* Called before libelf allocates for the sections. The first section has their number if that is
 * 65280 or more. */
static bool has_many_sections(const elf_file *f) {
  Elf64_Ehdr h;
  Elf64_Shdr first;
  return pread(f->fd, &h, sizeof h, 0) == sizeof h && h.e_shnum == 0 && h.e_shoff != 0 &&
         pread(f->fd, &first, sizeof first, (off_t)h.e_shoff) == sizeof first &&
         first.sh_size > SECTIONS_MAX;
}

/* libelf reads a truncated file as one without sections. */
static const char *find_cut(elf_file *f, uint64_t size) {
  uint64_t end;
  if (!elf_symbols_find_end(f, &end) || end <= size) return NULL;
  snprintf(f->cut, sizeof f->cut,
           "it is cut off: its ELF header describes %llu bytes, the last %llu of which are missing",
           (unsigned long long)end, (unsigned long long)(end - size));
  return f->cut;
}

bool elf_symbols_open(elf_file *f, const char *path) {
  struct stat st;
  *f = (elf_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  elf_version(EV_CURRENT);
  if (f->fd < 0 || fstat(f->fd, &st) != 0)
    f->why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    f->why = "it is not a regular file";
  else if (has_many_sections(f))
    f->why = "it has more sections than a compiler makes";
  else if (!(f->elf = elf_begin(f->fd, ELF_C_READ, NULL)) || elf_kind(f->elf) != ELF_K_ELF ||
           gelf_getclass(f->elf) != ELFCLASS64 || !gelf_getehdr(f->elf, &f->header))
    f->why = "it is not a 64-bit ELF file";
  else if (f->header.e_ident[EI_DATA] != ELFDATA2LSB)
    f->why = "its bytes are in the order of no processor that torch runs on";
  else if (f->header.e_machine != ELF_OBJECT_MACHINE)
    f->why = "it was made for another processor";
  else
    f->why = find_cut(f, (uint64_t)st.st_size);
  f->size = f->why ? 0 : (uint64_t)st.st_size;
  return !f->why;
}

void elf_symbols_close(elf_file *f) {
  if (f->elf) elf_end(f->elf);
  if (f->fd >= 0) close(f->fd);
}

/* True if a section's contents lie inside of the file. */
static bool is_inside(const elf_file *f, const GElf_Shdr *h) {
  return h->sh_type == SHT_NOBITS ||
         (h->sh_offset <= f->size && h->sh_size <= f->size - h->sh_offset);
}

static bool is_readable_table(const elf_file *f, const GElf_Shdr *h) {
  return is_inside(f, h) && h->sh_size <= TABLE_MAX;
}

const char *elf_symbols_read_name(const Elf_Data *names, uint64_t offset) {
  if (!names || !names->d_buf || offset >= names->d_size) return NULL;
  const char *name = (const char *)names->d_buf + offset;
  uint64_t left = names->d_size - offset;
  return memchr(name, '\0', left < ELF_SYMBOLS_NAME_MAX + 1 ? left : ELF_SYMBOLS_NAME_MAX + 1)
             ? name
             : NULL;
}

Elf_Data *elf_symbols_read_section(elf_file *f, Elf_Scn *section) {
  GElf_Shdr h;
  return section && gelf_getshdr(section, &h) && h.sh_type != SHT_NOBITS && is_readable_table(f, &h)
             ? elf_getdata(section, NULL)
             : NULL;
}

/* `left` limits the bytes of all tables that are read: sections may overlap. */
static void visit_table(elf_file *f, Elf_Scn *section, const GElf_Shdr *h, uint64_t *left,
                        elf_symbol_visit *visit, void *data) {
  GElf_Shdr names;
  Elf_Scn *names_section = elf_getscn(f->elf, h->sh_link);
  if (!names_section || !gelf_getshdr(names_section, &names) || !is_readable_table(f, h) ||
      !is_readable_table(f, &names) || h->sh_size + names.sh_size > *left ||
      h->sh_entsize != gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT))
    return;
  *left -= h->sh_size + names.sh_size;
  Elf_Data *table = elf_getdata(section, NULL), *texts = elf_getdata(names_section, NULL);
  size_t n = table ? table->d_size / h->sh_entsize : 0;
  for (size_t i = 0; i < n; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(table, (int)i, &symbol)) continue;
    const char *name = elf_symbols_read_name(texts, symbol.st_name);
    if (name) visit(name, &symbol, data);
  }
}

static void visit_tables(elf_file *f, bool dynamic, elf_symbol_visit *visit, void *data) {
  uint64_t left = TABLES_MAX;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(f->elf, section));) {
    GElf_Shdr h;
    if (gelf_getshdr(section, &h) &&
        (h.sh_type == SHT_DYNSYM || (h.sh_type == SHT_SYMTAB && !dynamic)))
      visit_table(f, section, &h, &left, visit, data);
  }
}

void elf_symbols_visit(elf_file *f, elf_symbol_visit *visit, void *data) {
  visit_tables(f, false, visit, data);
}

void elf_symbols_visit_dynamic(elf_file *f, elf_symbol_visit *visit, void *data) {
  visit_tables(f, true, visit, data);
}

void elf_pair_add(elf_pair *p, const GElf_Sym *symbol, bool end) {
  bool *has = end ? &p->has_end : &p->has_start;
  if (!*has) *(end ? &p->end : &p->start) = *symbol;
  *has = true;
}

typedef struct named_pair {
  const char *name;
  elf_pair pair;
} named_pair;

static void visit_for_pair(const char *name, const GElf_Sym *symbol, void *data) {
  named_pair *p = data;
  size_t n = strlen(p->name);
  if (symbol->st_shndx == SHN_UNDEF || strncmp(name, p->name, n) != 0) return;
  bool end = !strcmp(name + n, "_end");
  if (end || !strcmp(name + n, "_start")) elf_pair_add(&p->pair, symbol, end);
}

static elf_pair find_pair(elf_file *f, const char *name) {
  named_pair p = {.name = name};
  elf_symbols_visit(f, visit_for_pair, &p);
  return p.pair;
}

bool elf_symbols_has_bytes(elf_file *f, const char *name) {
  const elf_pair p = find_pair(f, name);
  return p.has_start && p.has_end;
}

bool elf_symbols_find_bytes(elf_file *f, const char *name, elf_bytes *b) {
  const elf_pair p = find_pair(f, name);
  return elf_symbols_read_bytes(f, name, &p, b);
}

bool elf_symbols_read_bytes(elf_file *f, const char *name, const elf_pair *p, elf_bytes *b) {
  GElf_Shdr h;
  if (!p->has_start || !p->has_end) {
    f->why = "one of their two symbols is missing";
    return false;
  }
  Elf_Scn *section = elf_getscn(f->elf, p->start.st_shndx);
  if (!section || !gelf_getshdr(section, &h) || h.sh_type != SHT_PROGBITS || !is_inside(f, &h)) {
    f->why = "their section does not lie inside of the file";
    return false;
  }
  /* In an object file a symbol's value counts from its section, elsewhere it is an address. */
  uint64_t base = f->header.e_type == ET_REL ? 0 : h.sh_addr;
  uint64_t from = p->start.st_value, to = p->end.st_value;
  if (from < base || to < from || to - base > h.sh_size) {
    f->why = "their symbols do not lie inside of their section";
    return false;
  }
  *b = (elf_bytes){.fd = f->fd,
                   .name = name,
                   .offset = h.sh_offset + (from - base),
                   .size = to - from,
                   .writable = (h.sh_flags & SHF_WRITE) != 0};
  return true;
}
