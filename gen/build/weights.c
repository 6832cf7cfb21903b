/* weights.c - see weights.h. Knows ELF (reading through libelf, every size checked against the
 * file) and the constructor's text; nothing of tensors.
 */
#include "build/weights.h"
#include "build/elf_object.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char constants[] = "_binary_constants_bin";

/* ---- the constructor */

/* The number behind the next `name` in [at, end), and *at moved behind it; false where there is
 * none. */
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
  if (next_field(&base, end, ": AOTInductorModelBase(", &value))
    close = memmem(base, (size_t)(end - base), ") {", 3);
  while (close && close > base && close[-1] == ' ') close--;
  w->left_out = close && close - base > 5 && !memcmp(close - 5, "false", 5);
  for (const char *field = constructor; next_field(&field, end, "].data_size = ", &value);) {
    uint64_t size = strtoull(value, NULL, 10);
    const char *line = memchr(value, '\n', (size_t)(end - value)),
               *next = line ? memchr(line + 1, '\n', (size_t)(end - line) - 1) : NULL;
    bool folded = next && memmem(line, (size_t)(next - line), "].from_folded = true", 20);
    if (!folded && w->bytes <= UINT64_MAX - size) w->bytes += size;
  }
}

enum weights_place weights_place(const strings *compile) {
  enum weights_place place = WEIGHTS_LINKED;
  for (size_t i = 0; i < compile->n; i++) {
    if (!strcmp(compile->at[i], "-DUSE_MMAP_SELF")) place = WEIGHTS_APPENDED;
    if (!strcmp(compile->at[i], "-DUSE_MMAP_EXTERNAL")) place = WEIGHTS_EXTERNAL;
  }
  return place;
}

bool weights_fit(const weights *w, const weights_declared *want, enum weights_place place,
                 const char *from, diags *d) {
  if (place != WEIGHTS_LINKED || (w->size <= 1 && want->left_out) || w->size >= want->bytes)
    return true;
  diag_error(d, STATUS_INPUT, from,
             "holds %llu bytes of weights, the wrapper's take %llu: it is another model's",
             (unsigned long long)w->size, (unsigned long long)want->bytes);
  return false;
}

/* ---- the old file */

/* libelf holds a table whole: one of a wrapper's .so takes a megabyte. */
enum { TABLE_MAX = 32 << 20, SYMBOL_MAX = 500 };

/* What is appended begins at a multiple of this, or the model does not load (model_base.h). */
enum { TAIL_ALIGN = 0x4000 };

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
  if (s->fd < 0 || fstat(s->fd, &st) != 0)
    s->why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    s->why = "it is not a regular file";
  else if (!(s->elf = elf_begin(s->fd, ELF_C_READ, NULL)) || elf_kind(s->elf) != ELF_K_ELF ||
           gelf_getclass(s->elf) != ELFCLASS64 || !gelf_getehdr(s->elf, &s->header))
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
static bool inside(const source *s, const GElf_Shdr *h) {
  return h->sh_type == SHT_NOBITS ||
         (h->sh_offset <= s->size && h->sh_size <= s->size - h->sh_offset);
}

typedef void visit(const source *s, const char *name, const GElf_Sym *symbol, void *data);

/* Every symbol of one table. */
static void visit_table(source *s, Elf_Scn *section, const GElf_Shdr *h, visit *f, void *data) {
  GElf_Shdr strings_header;
  Elf_Scn *strings_section = elf_getscn(s->elf, h->sh_link);
  bool fits = inside(s, h) && h->sh_size <= TABLE_MAX && strings_section &&
              gelf_getshdr(strings_section, &strings_header) && inside(s, &strings_header) &&
              strings_header.sh_size <= TABLE_MAX;
  Elf_Data *table = fits && h->sh_entsize == gelf_fsize(s->elf, ELF_T_SYM, 1, EV_CURRENT)
                        ? elf_getdata(section, NULL)
                        : NULL;
  size_t n = table ? table->d_size / h->sh_entsize : 0;
  for (size_t i = 0; i < n && i < INT32_MAX; i++) {
    GElf_Sym symbol;
    const char *name =
        gelf_getsym(table, (int)i, &symbol) ? elf_strptr(s->elf, h->sh_link, symbol.st_name) : NULL;
    if (name) f(s, name, &symbol, data);
  }
}

static void visit_symbols(source *s, visit *f, void *data) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(s->elf, section));) {
    GElf_Shdr h;
    if (gelf_getshdr(section, &h) && (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM))
      visit_table(s, section, &h, f, data);
  }
}

typedef struct pair {
  const char *name; /* without "_start" and "_end" */
  GElf_Sym symbol[2];
  bool has[2];
} pair;

static void find_pair(const source *s, const char *name, const GElf_Sym *symbol, void *data) {
  pair *p = data;
  size_t n = strlen(p->name);
  (void)s;
  if (symbol->st_shndx == SHN_UNDEF || strncmp(name, p->name, n) != 0) return;
  int which = !strcmp(name + n, "_start") ? 0 : !strcmp(name + n, "_end") ? 1 : -1;
  if (which < 0 || p->has[which]) return;
  p->symbol[which] = *symbol;
  p->has[which] = true;
}

/* Where in the file the bytes between NAME_start and NAME_end stand. */
static bool find_blob(source *s, const char *name, blob *b) {
  pair p = {.name = name};
  const GElf_Sym *symbol = p.symbol;
  GElf_Shdr h;
  visit_symbols(s, find_pair, &p);
  if (!p.has[0] || !p.has[1]) {
    s->why = strcmp(name, constants) ? "one of its two symbols is missing"
                                     : "it defines no '_binary_constants_bin_start' and '_end' (no "
                                       "model of AOTInductor, or stripped)";
    return false;
  }
  Elf_Scn *section = elf_getscn(s->elf, symbol[0].st_shndx);
  if (!section || !gelf_getshdr(section, &h) || h.sh_type != SHT_PROGBITS || !inside(s, &h)) {
    s->why = "the section of its weights does not lie inside of the file";
    return false;
  }
  uint64_t from = symbol[0].st_value, to = symbol[1].st_value,
           base = s->header.e_type == ET_REL ? 0 : h.sh_addr;
  if (from < base || to < from || to - base > h.sh_size) {
    s->why = "the symbols of its weights do not lie inside of their section";
    return false;
  }
  *b = (blob){.fd = s->fd,
              .name = name,
              .offset = h.sh_offset + (from - base),
              .size = to - from,
              .writable = (h.sh_flags & SHF_WRITE) != 0};
  return true;
}

/* With USE_MMAP_SELF: the size that stands first is that of the tail, whose last word is the magic
 * number that stands second. */
static bool find_tail(source *s, const blob *b, uint64_t *tail) {
  uint64_t head[2], magic;
  if (b->size < sizeof head || pread(s->fd, head, sizeof head, (off_t)b->offset) != sizeof head) {
    s->why = "it does not say how many weights are appended to it";
    return false;
  }
  bool fits = head[0] >= sizeof magic && head[0] < s->size && (s->size - head[0]) % TAIL_ALIGN == 0;
  if (!fits ||
      pread(s->fd, &magic, sizeof magic, (off_t)(s->size - sizeof magic)) != sizeof magic ||
      magic != head[1]) {
    s->why = "the weights appended to it are not whole";
    return false;
  }
  *tail = head[0];
  return true;
}

bool weights_take(weights *w, const char *from, const char *made, enum weights_place place,
                  const char *name, arena *a, diags *d) {
  source s = {.path = from, .fd = -1};
  blob b;
  *w = (weights){.from = arena_strdup(a, from), .name = arena_strdup(a, name)};
  bool ok = open_elf(&s) && find_blob(&s, constants, &b) &&
            (place != WEIGHTS_APPENDED || s.header.e_type == ET_REL || find_tail(&s, &b, &w->tail));
  if (!ok) {
    diag_error(d, STATUS_INPUT, name, "the weights cannot be taken from it: %s", s.why);
  } else {
    w->size = b.size;
    w->object = s.header.e_type == ET_REL ? w->from : arena_strdup(a, made);
    ok = s.header.e_type == ET_REL || blob_write(made, &b, d);
  }
  close_elf(&s);
  return ok;
}

bool weights_none(weights *w, const char *made, diags *d) {
  blob b = {.fd = -1, .name = constants};
  *w = (weights){.object = made};
  return blob_write(made, &b, d);
}

bool weights_defines(const char *object) {
  source s = {.path = object, .fd = -1};
  pair p = {.name = constants};
  if (open_elf(&s) && s.header.e_type == ET_REL) visit_symbols(&s, find_pair, &p);
  close_elf(&s);
  return p.has[0] && p.has[1];
}

bool weights_append(const weights *w, const char *so, diags *d) {
  struct stat st, old;
  if (!w->tail) return true;
  int from = open(w->from, O_RDONLY | O_CLOEXEC), to = open(so, O_WRONLY | O_CLOEXEC);
  bool ok = from >= 0 && to >= 0 && fstat(to, &st) == 0 && fstat(from, &old) == 0 &&
            (uint64_t)old.st_size > w->tail;
  off_t start = ok ? (st.st_size + TAIL_ALIGN - 1) / TAIL_ALIGN * TAIL_ALIGN : 0;
  ok = ok && ftruncate(to, start) == 0 && lseek(to, start, SEEK_SET) == start &&
       blob_copy(from, (uint64_t)old.st_size - w->tail, to, w->tail);
  int error = errno;
  if (from >= 0) close(from);
  if (to >= 0 && close(to) != 0) ok = false;
  if (!ok)
    diag_error(d, STATUS_INPUT, w->name, "the weights appended to it cannot be copied: %s",
               strerror(error));
  return ok;
}

/* ---- what else was linked into the old file */

/* Symbols that one file wants, and which of them another holds. */
typedef struct names {
  arena *a;
  strings list; /* sorted, each once */
  bool *held;
} names;

static void add_wanted(const source *s, const char *name, const GElf_Sym *symbol, void *data) {
  names *x = data;
  (void)s;
  if (*name && symbol->st_shndx == SHN_UNDEF && strlen(name) <= SYMBOL_MAX)
    *arena_push(x->a, &x->list) = arena_strdup(x->a, name);
}

static int by_name(const void *x, const void *y) {
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void mark_held(const source *s, const char *name, const GElf_Sym *symbol, void *data) {
  names *x = data;
  (void)s;
  const char **found = symbol->st_shndx != SHN_UNDEF && x->list.n
                           ? bsearch(&name, x->list.at, x->list.n, sizeof name, by_name)
                           : NULL;
  if (found) x->held[found - x->list.at] = true;
}

static void visit_file(const char *path, visit *f, void *data) {
  source s = {.path = path, .fd = -1};
  if (open_elf(&s)) visit_symbols(&s, f, data);
  close_elf(&s);
}

/* What the objects want and `from` defines. */
static void match(names *x, const strings *objects, const char *from) {
  size_t n = 0;
  for (size_t i = 0; i < objects->n; i++) visit_file(objects->at[i], add_wanted, x);
  if (x->list.n) qsort(x->list.at, x->list.n, sizeof *x->list.at, by_name);
  for (size_t i = 0; i < x->list.n; i++)
    if (n == 0 || strcmp(x->list.at[n - 1], x->list.at[i]) != 0) x->list.at[n++] = x->list.at[i];
  x->list.n = n;
  x->held = arena_alloc(x->a, n + 1);
  visit_file(from, mark_held, x);
}

static bool take_one(source *s, const char *symbol, const char *to, const char *name, diags *d) {
  blob b;
  if (find_blob(s, symbol, &b)) return blob_write(to, &b, d);
  diag_error(d, STATUS_INPUT, name,
             "what it holds under '%.200s_start' cannot be taken from it: %s", symbol, s->why);
  return false;
}

bool weights_embedded(const char *from, const char *name, const strings *objects, const char *dir,
                      strings *made, arena *a, diags *d) {
  names x = {.a = a};
  source s = {.path = from, .fd = -1};
  match(&x, objects, from);
  bool ok = open_elf(&s);
  for (size_t i = 0; ok && i < x.list.n; i++) {
    const char *symbol = x.list.at[i];
    size_t n = strlen(symbol);
    if (!x.held[i] || n <= 6 || strcmp(symbol + n - 6, "_start") != 0) continue;
    const char *pair_name = arena_strndup(a, symbol, n - 6),
               *to = arena_printf(a, "%s/embedded%zu.o", dir, made->n);
    if (!strcmp(pair_name, constants)) continue;
    ok = take_one(&s, pair_name, to, name, d);
    *arena_push(a, made) = to;
  }
  close_elf(&s);
  return ok;
}

bool weights_complete(const char *so, const char *from, const char *name, arena *a, diags *d) {
  const strings linked = {(const char *[]){so}, 1, 1};
  names x = {.a = a};
  match(&x, &linked, from);
  for (size_t i = 0; i < x.list.n; i++) {
    if (!x.held[i]) continue;
    diag_error(d, STATUS_INPUT, name,
               "wants '%.200s', which was linked into its '.so' from a file that the package does "
               "not hold: it cannot be linked again",
               x.list.at[i]);
    return false;
  }
  return true;
}

bool weights_ordinary(const char *object, const char *name, diags *d) {
  source s = {.path = object, .fd = -1};
  size_t strings_at;
  bool ok = open_elf(&s) && elf_getshdrstrndx(s.elf, &strings_at) == 0;
  for (Elf_Scn *section = NULL; ok && (section = elf_nextscn(s.elf, section));) {
    GElf_Shdr h;
    const char *title = gelf_getshdr(section, &h) ? elf_strptr(s.elf, strings_at, h.sh_name) : NULL;
    ok = title && strncmp(title, ".gnu.lto", 8) != 0 && strncmp(title, ".gnu.debuglto", 13) != 0;
  }
  close_elf(&s);
  if (!ok)
    diag_error(
        d, STATUS_INPUT, name,
        "compiles to an object that has more for the linker than code and data: it is not linked");
  return ok;
}
