/* weights.c - see weights.h. Knows ELF (reading through libelf, every size checked against the file) and the constructor's text;
 * nothing of tensors.
 */
#include "weights.h"
#include "blob.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char symbol_start[] = "_binary_constants_bin_start", symbol_end[] = "_binary_constants_bin_end";

/* ---- the constructor */

/* The number behind the next `name` in [at, end), and *at moved behind it; false where there is none. */
static bool next_field(const char **at, const char *end, const char *name, const char **value) {
  const char *found = memmem(*at, (size_t)(end - *at), name, strlen(name));
  if (!found) return false;
  *value = *at = found + strlen(name);
  return true;
}

void weights_declare(weights_declared *w, const char *at, size_t n) {
  const char *end = at + n, *value, *constructor = at;
  *w = (weights_declared){0};
  if (!next_field(&constructor, end, "AOTInductorModel::AOTInductorModel(", &value)) return;
  w->model = true;
  const char *base = constructor, *close = NULL;
  if (next_field(&base, end, ": AOTInductorModelBase(", &value)) close = memmem(base, (size_t)(end - base), ") {", 3);
  while (close && close > base && close[-1] == ' ') close--;
  w->left_out = close && close - base > 5 && !memcmp(close - 5, "false", 5);
  for (const char *field = constructor; next_field(&field, end, "].data_size = ", &value);) {
    uint64_t size = strtoull(value, NULL, 10);
    const char *line = memchr(value, '\n', (size_t)(end - value));
    size_t gap = line ? strspn(line + 1, " ") : 0;
    const char *next = line ? memmem(line, (size_t)(end - line), ";\n", 2) : NULL;
    bool folded = next && memmem(line + gap, (size_t)(next - line - (ptrdiff_t)gap), "].from_folded = true", 20);
    if (!folded && w->bytes <= UINT64_MAX - size) w->bytes += size;
  }
}

/* ---- the old file */

typedef struct source {
  const char *path;
  int fd;
  uint64_t size;
  Elf *elf;
  GElf_Ehdr header;
  const char *why; /* of a refusal */
} source;

static bool open_elf(source *s) {
  struct stat st;
  elf_version(EV_CURRENT);
  s->fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (s->fd < 0 || fstat(s->fd, &st) != 0) s->why = strerror(errno);
  else if (!S_ISREG(st.st_mode)) s->why = "it is not a regular file";
  else if (!(s->elf = elf_begin(s->fd, ELF_C_READ, NULL)) || elf_kind(s->elf) != ELF_K_ELF || gelf_getclass(s->elf) != ELFCLASS64 ||
           !gelf_getehdr(s->elf, &s->header))
    s->why = "it is no 64-bit ELF file";
  else if (s->header.e_machine != BLOB_MACHINE)
    s->why = "it was made for another processor";
  s->size = s->why ? 0 : (uint64_t)st.st_size;
  return !s->why;
}

static void close_elf(source *s) {
  if (s->elf) elf_end(s->elf);
  if (s->fd >= 0) close(s->fd);
}

/* A section's bytes lie inside of the file. */
static bool inside(const source *s, const GElf_Shdr *h) { return h->sh_type == SHT_NOBITS || (h->sh_offset <= s->size && h->sh_size <= s->size - h->sh_offset); }

/* Looks through one symbol table. */
static void find_in(source *s, Elf_Scn *section, const GElf_Shdr *h, GElf_Sym found[2], bool has[2]) {
  Elf_Data *data = inside(s, h) && h->sh_entsize == gelf_fsize(s->elf, ELF_T_SYM, 1, EV_CURRENT) ? elf_getdata(section, NULL) : NULL;
  size_t n = data ? data->d_size / h->sh_entsize : 0;
  for (size_t i = 0; i < n && i < INT32_MAX && !(has[0] && has[1]); i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
    const char *name = elf_strptr(s->elf, h->sh_link, symbol.st_name);
    int which = !name ? -1 : !strcmp(name, symbol_start) ? 0 : !strcmp(name, symbol_end) ? 1 : -1;
    if (which < 0) continue;
    found[which] = symbol;
    has[which] = true;
  }
}

static bool find_symbols(source *s, GElf_Sym found[2]) {
  bool has[2] = {false, false};
  for (Elf_Scn *section = NULL; (section = elf_nextscn(s->elf, section)) && !(has[0] && has[1]);) {
    GElf_Shdr h;
    if (gelf_getshdr(section, &h) && (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM)) find_in(s, section, &h, found, has);
  }
  if (!has[0] || !has[1]) s->why = "it defines no '_binary_constants_bin_start' and '_end' (no model of AOTInductor, or stripped)";
  return has[0] && has[1];
}

/* Where in the file the weights stand. */
static bool find_blob(source *s, blob *b) {
  GElf_Sym symbol[2];
  GElf_Shdr h;
  if (!find_symbols(s, symbol)) return false;
  Elf_Scn *section = elf_getscn(s->elf, symbol[0].st_shndx);
  if (!section || !gelf_getshdr(section, &h) || h.sh_type != SHT_PROGBITS || !inside(s, &h)) {
    s->why = "the section of its weights does not lie inside of the file";
    return false;
  }
  uint64_t from = symbol[0].st_value, to = symbol[1].st_value, base = s->header.e_type == ET_REL ? 0 : h.sh_addr;
  if (from < base || to < from || to - base > h.sh_size) {
    s->why = "the symbols of its weights do not lie inside of their section";
    return false;
  }
  *b = (blob){.fd = s->fd, .offset = h.sh_offset + (from - base), .size = to - from, .writable = (h.sh_flags & SHF_WRITE) != 0};
  return true;
}

/* With USE_MMAP_SELF: the size that stands first is that of the tail, whose last word is the magic number that stands second. */
static bool find_tail(source *s, const blob *b, uint64_t *tail) {
  uint64_t head[2], magic;
  if (b->size < sizeof head || pread(s->fd, head, sizeof head, (off_t)b->offset) != sizeof head) {
    s->why = "it does not say how many weights are appended to it";
    return false;
  }
  bool fits = head[0] >= sizeof magic && head[0] < s->size && (s->size - head[0]) % 0x4000 == 0;
  if (!fits || pread(s->fd, &magic, sizeof magic, (off_t)(s->size - sizeof magic)) != sizeof magic || magic != head[1]) {
    s->why = "the weights appended to it are not whole";
    return false;
  }
  *tail = head[0];
  return true;
}

bool weights_take(weights *w, const char *from, const char *made, bool appended, arena *a, diags *d) {
  source s = {.path = from, .fd = -1};
  blob b;
  *w = (weights){.from = arena_strdup(a, from)};
  bool ok = open_elf(&s) && find_blob(&s, &b) && (!appended || s.header.e_type == ET_REL || find_tail(&s, &b, &w->tail));
  if (!ok) {
    diag_error(d, STATUS_INPUT, from, 0, 0, "the weights cannot be taken from it: %s", s.why);
  } else {
    w->size = b.size;
    w->object = s.header.e_type == ET_REL ? w->from : arena_strdup(a, made);
    ok = s.header.e_type == ET_REL || blob_write(made, &b, d);
  }
  close_elf(&s);
  return ok;
}

bool weights_none(weights *w, const char *made, diags *d) {
  blob b = {.fd = -1};
  *w = (weights){.object = made};
  return blob_write(made, &b, d);
}

bool weights_defines(const char *object) {
  source s = {.path = object, .fd = -1};
  GElf_Sym symbol[2];
  bool ok = open_elf(&s) && s.header.e_type == ET_REL && find_symbols(&s, symbol);
  close_elf(&s);
  return ok;
}

bool weights_append(const weights *w, const char *so, diags *d) {
  struct stat st, old;
  if (!w->tail) return true;
  int from = open(w->from, O_RDONLY | O_CLOEXEC), to = open(so, O_WRONLY | O_CLOEXEC);
  bool ok = from >= 0 && to >= 0 && fstat(to, &st) == 0 && fstat(from, &old) == 0 && (uint64_t)old.st_size > w->tail;
  off_t start = ok ? (st.st_size + 0x3fff) & ~(off_t)0x3fff : 0;
  ok = ok && ftruncate(to, start) == 0 && lseek(to, start, SEEK_SET) == start && blob_copy(from, (uint64_t)old.st_size - w->tail, to, w->tail);
  int error = errno;
  if (from >= 0) close(from);
  if (to >= 0 && close(to) != 0) ok = false;
  if (!ok) diag_error(d, STATUS_INPUT, w->from, 0, 0, "the weights appended to it cannot be copied: %s", strerror(error));
  return ok;
}
