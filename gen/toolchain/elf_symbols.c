/* elf_symbols.c - see elf_file.h. */
#include "system/budget.h"
#include "toolchain/elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libelf holds about 200 bytes for each section: a '.so' has about 40, and an object one for each
 * function. */
enum { SECTIONS_MAX = 200000 };

static bool read_at(const elf_file *f, void *to, size_t n, uint64_t at) {
  return pread(f->fd, to, n, (off_t)(f->offset + at)) == (ssize_t)n;
}

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
    if (!read_at(f, &segment, sizeof segment, h->e_phoff + i * sizeof segment)) return true;
    if (!include_bytes(end, segment.p_offset, segment.p_filesz)) return false;
  }
  return true;
}

bool elf_symbols_find_end(const elf_file *f, uint64_t *end) {
  Elf64_Ehdr h;
  *end = sizeof h;
  if (!read_at(f, &h, sizeof h, 0) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
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
  return read_at(f, &h, sizeof h, 0) && h.e_shnum == 0 && h.e_shoff != 0 &&
         read_at(f, &first, sizeof first, h.e_shoff) && first.sh_size > SECTIONS_MAX;
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

/* What can be read without libelf: the header. NULL, or why it is none of a file for here. */
static const char *check_header(elf_file *f) {
  Elf64_Ehdr h;
  const unsigned char *ident = h.e_ident;
  if (!read_at(f, &h, sizeof h, 0) || memcmp(ident, ELFMAG, SELFMAG) != 0 ||
      ident[EI_CLASS] != ELFCLASS64)
    return "it is not a 64-bit ELF file";
  f->header = h;
  if (ident[EI_DATA] != ELFDATA2LSB)
    return "its bytes are in the order of no processor that torch runs on";
  if (f->header.e_machine != ELF_OBJECT_MACHINE) return "it was made for another processor";
  return NULL;
}

static const char *check_size(elf_file *f, uint64_t size) {
  if (has_many_sections(f)) return "it has more sections than a compiler makes";
  f->size = size;
  const char *why = check_header(f);
  return why ? why : find_cut(f, f->size);
}

static const char *check_file(elf_file *f) {
  struct stat st;
  if (f->fd < 0 || fstat(f->fd, &st) != 0) return strerror(errno);
  return S_ISREG(st.st_mode) ? check_size(f, (uint64_t)st.st_size) : "it is not a regular file";
}

static bool read_parts(elf_file *f, unsigned parts) {
  if (!f->why && parts && !elf_reader_read(&f->contents, f->fd, f->offset, f->size, parts)) {
    f->why = budget_why();
    if (!f->why) f->why = "it is not a 64-bit ELF file";
  }
  if (f->why) f->size = 0;
  return !f->why;
}

bool elf_symbols_open_parts(elf_file *f, const char *path, unsigned parts) {
  *f = (elf_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  f->why = check_file(f);
  return read_parts(f, parts);
}

bool elf_symbols_open_inside(elf_file *f, int file, uint64_t offset, uint64_t size,
                             unsigned parts) {
  *f = (elf_file){.fd = dup(file), .offset = offset};
  f->why = f->fd < 0 ? strerror(errno) : check_size(f, size);
  return read_parts(f, parts);
}

bool elf_symbols_open(elf_file *f, const char *path) {
  return elf_symbols_open_parts(f, path, ELF_SYMBOLS | ELF_LINKS);
}

void elf_symbols_close(elf_file *f) {
  elf_reader_free(&f->contents);
  if (f->fd >= 0) close(f->fd);
}

/* True if a section's contents lie inside of the file. */
static bool is_inside(const elf_file *f, const elf_section *h) {
  return h->type == SHT_NOBITS || (h->offset <= f->size && h->size <= f->size - h->offset);
}

void elf_symbols_visit(elf_file *f, elf_symbol_visit *visit, void *data) {
  for (size_t i = 0; i < f->contents.symbols.n; i++) {
    const elf_symbol *x = &f->contents.symbols.at[i];
    visit(x->name, &x->symbol, data);
  }
}

void elf_symbols_visit_dynamic(elf_file *f, elf_symbol_visit *visit, void *data) {
  for (size_t i = 0; i < f->contents.symbols.n; i++) {
    const elf_symbol *x = &f->contents.symbols.at[i];
    if (x->dynamic) visit(x->name, &x->symbol, data);
  }
}

static void copy_texts(strings *to, const strings *from, arena *a) {
  for (size_t i = 0; i < from->n; i++) *arena_push(a, to) = arena_strdup(a, from->at[i]);
}

void elf_links_read(elf_links *l, elf_file *f, arena *a) {
  const elf_links *from = &f->contents.links;
  *l = (elf_links){.needed = {0}};
  copy_texts(&l->needed, &from->needed, a);
  copy_texts(&l->paths, &from->paths, a);
  copy_texts(&l->given, &from->given, a);
  for (size_t i = 0; i < from->wanted.n; i++)
    *arena_push(a, &l->wanted) = (elf_wanted){arena_strdup(a, from->wanted.at[i].library),
                                              arena_strdup(a, from->wanted.at[i].name)};
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
  if (!p->has_start || !p->has_end) {
    f->why = "one of their two symbols is missing";
    return false;
  }
  const elf_section *h = p->start.st_shndx < f->contents.sections.n
                             ? &f->contents.sections.at[p->start.st_shndx]
                             : NULL;
  if (!h || h->type != SHT_PROGBITS || !is_inside(f, h)) {
    f->why = "their section does not lie inside of the file";
    return false;
  }
  /* In an object file a symbol's value counts from its section, elsewhere it is an address. */
  uint64_t base = f->header.e_type == ET_REL ? 0 : h->address;
  uint64_t from = p->start.st_value, to = p->end.st_value;
  if (from < base || to < from || to - base > h->size) {
    f->why = "their symbols do not lie inside of their section";
    return false;
  }
  *b = (elf_bytes){.fd = f->fd,
                   .name = name,
                   .offset = h->offset + (from - base),
                   .size = to - from,
                   .writable = (h->flags & SHF_WRITE) != 0};
  return true;
}
