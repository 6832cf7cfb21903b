/* elf_reader.c - see elf_reader.h. In the child stands what libelf says, in the parent what is made
 * of the answer: a byte 1, and the parts that were asked for, or nothing. A text is its length, its
 * bytes and a NUL. */
#include "toolchain/elf_reader.h"
#include "base/options.h"
#include "system/process.h"
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* libelf holds tables in memory; those of a wrapper's '.so' take about 1 MB. */
enum { TABLE_MAX = 32 << 20, TABLES_MAX = 2 * TABLE_MAX, ANSWER_MAX = 256 << 20 };

static process_limits limits;
static bool limited;

void elf_reader_limit(const options *o) {
  limits = o->limits;
  limited = true;
}

/* ---- in the child: libelf ------------------------------------------------------------------- */

typedef struct source {
  Elf *elf;
  uint64_t offset, size; /* of the file, which may lie in another */
  unsigned parts;
  FILE *to;
  arena *a;
} source;

static void put(const source *s, const void *at, size_t n) { fwrite(at, 1, n, s->to); }

static void put_number(const source *s, uint64_t x) { put(s, &x, sizeof x); }

static void put_text(const source *s, const char *text) {
  put_number(s, strlen(text));
  put(s, text, strlen(text) + 1);
}

/* True if a section's contents lie inside of the file. */
static bool is_inside(const source *f, const GElf_Shdr *h) {
  return h->sh_type == SHT_NOBITS ||
         (h->sh_offset <= f->size && h->sh_size <= f->size - h->sh_offset);
}

static bool is_readable_table(const source *f, const GElf_Shdr *h) {
  return is_inside(f, h) && h->sh_size <= TABLE_MAX;
}

static const char *read_name(const Elf_Data *names, uint64_t offset) {
  if (!names || !names->d_buf || offset >= names->d_size) return NULL;
  const char *name = (const char *)names->d_buf + offset;
  uint64_t left = names->d_size - offset;
  return memchr(name, '\0', left < ELF_SYMBOLS_NAME_MAX + 1 ? left : ELF_SYMBOLS_NAME_MAX + 1)
             ? name
             : NULL;
}

static Elf_Data *read_section(source *f, Elf_Scn *section) {
  GElf_Shdr h;
  return section && gelf_getshdr(section, &h) && h.sh_type != SHT_NOBITS && is_readable_table(f, &h)
             ? elf_getdata(section, NULL)
             : NULL;
}

/* `left` limits the bytes of all tables that are read: sections may overlap. */
static void put_table(source *f, Elf_Scn *section, const GElf_Shdr *h, uint64_t *left,
                      bool dynamic) {
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
    const char *name = read_name(texts, symbol.st_name);
    if (!name) continue;
    put_number(f, dynamic ? 2 : 1);
    put(f, &symbol, sizeof symbol);
    put_text(f, name);
  }
}

/* A number for each symbol, 1 or 2 of a dynamic one, and 0 behind them. */
static void put_symbols(source *f) {
  uint64_t left = TABLES_MAX;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(f->elf, section));) {
    GElf_Shdr h;
    if (gelf_getshdr(section, &h) &&
        (h.sh_type == SHT_DYNSYM || (h.sh_type == SHT_SYMTAB && f->parts & ELF_SYMBOLS)))
      put_table(f, section, &h, &left, h.sh_type == SHT_DYNSYM);
  }
  put_number(f, 0);
}

/* ---- links */

/* A '.so' has tens of entries. The offsets of a hostile one may lead anywhere, but only forward. */
enum { ENTRIES_MAX = 20000 };

typedef struct links_reader {
  elf_links *l;
  source *f;
  arena *a;
  unsigned left;
} links_reader;

/* A copy of the text; NULL if there is none. */
static const char *read_text(const links_reader *r, const Elf_Data *names, uint64_t offset) {
  const char *text = read_name(names, offset);
  return text && *text ? arena_strdup(r->a, text) : NULL;
}

static void read_dynamic(links_reader *r, Elf_Data *d, const Elf_Data *names) {
  const size_t size = gelf_fsize(r->f->elf, ELF_T_DYN, 1, EV_CURRENT);
  GElf_Dyn entry;
  for (size_t i = 0; i < d->d_size / size && r->left; i++, r->left--) {
    if (!gelf_getdyn(d, (int)i, &entry) || entry.d_tag == DT_NULL) return;
    bool path = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
    const char *text = path || entry.d_tag == DT_NEEDED ? read_text(r, names, entry.d_un.d_val)
                                                        : NULL;
    if (text) *arena_push(r->a, path ? &r->l->paths : &r->l->needed) = text;
  }
}

static void read_wanted(links_reader *r, Elf_Data *d, const Elf_Data *names) {
  GElf_Verneed need;
  GElf_Vernaux one;
  for (uint64_t at = 0; r->left && at < d->d_size && gelf_getverneed(d, (int)at, &need);
       at += need.vn_next) {
    const char *library = read_text(r, names, need.vn_file);
    uint64_t aux = at + need.vn_aux;
    for (unsigned i = 0; i < need.vn_cnt && r->left && aux < d->d_size; i++, r->left--) {
      if (!gelf_getvernaux(d, (int)aux, &one)) break;
      const char *name = library ? read_text(r, names, one.vna_name) : NULL;
      if (name && !(one.vna_flags & VER_FLG_WEAK))
        *arena_push(r->a, &r->l->wanted) = (elf_wanted){library, name};
      if (!one.vna_next) break;
      aux += one.vna_next;
    }
    if (r->left) r->left--;
    if (!need.vn_next) return;
  }
}

/* Reads the first name of each version: the others are versions that it follows. */
static void read_given(links_reader *r, Elf_Data *d, const Elf_Data *names) {
  GElf_Verdef def;
  GElf_Verdaux name;
  for (uint64_t at = 0; r->left && at < d->d_size && gelf_getverdef(d, (int)at, &def);
       at += def.vd_next, r->left--) {
    uint64_t aux = at + def.vd_aux;
    const char *text = aux < d->d_size && gelf_getverdaux(d, (int)aux, &name)
                           ? read_text(r, names, name.vda_name)
                           : NULL;
    if (text && !(def.vd_flags & VER_FLG_BASE)) *arena_push(r->a, &r->l->given) = text;
    if (!def.vd_next) return;
  }
}

static void find_links(elf_links *l, source *f, arena *a) {
  *l = (elf_links){.needed = {0}};
  links_reader r = {.l = l, .f = f, .a = a, .left = ENTRIES_MAX};
  for (Elf_Scn *section = NULL; (section = elf_nextscn(f->elf, section));) {
    GElf_Shdr h;
    if (!gelf_getshdr(section, &h) ||
        (h.sh_type != SHT_DYNAMIC && h.sh_type != SHT_GNU_verneed && h.sh_type != SHT_GNU_verdef))
      continue;
    Elf_Data *d = read_section(f, section), *names = read_section(f, elf_getscn(f->elf, h.sh_link));
    if (!d || !names) continue;
    if (h.sh_type == SHT_DYNAMIC)
      read_dynamic(&r, d, names);
    else if (h.sh_type == SHT_GNU_verneed)
      read_wanted(&r, d, names);
    else
      read_given(&r, d, names);
  }
}

static void put_texts(const source *s, const strings *list) {
  put_number(s, list->n);
  for (size_t i = 0; i < list->n; i++) put_text(s, list->at[i]);
}

static void put_links(source *s) {
  elf_links l;
  find_links(&l, s, s->a);
  put_texts(s, &l.needed);
  put_texts(s, &l.paths);
  put_texts(s, &l.given);
  put_number(s, l.wanted.n);
  for (size_t i = 0; i < l.wanted.n; i++) {
    put_text(s, l.wanted.at[i].library);
    put_text(s, l.wanted.at[i].name);
  }
}

/* ---- sections */

static void put_sections(source *s) {
  size_t names, n;
  if (elf_getshdrnum(s->elf, &n) != 0 || elf_getshdrstrndx(s->elf, &names) != 0) n = 0;
  put_number(s, n);
  for (size_t i = 0; i < n; i++) {
    GElf_Shdr h = {0};
    Elf_Scn *section = elf_getscn(s->elf, i);
    const char *name =
        section && gelf_getshdr(section, &h) ? i ? elf_strptr(s->elf, names, h.sh_name) : "" : NULL;
    const elf_section x = {.type = h.sh_type,
                           .flags = h.sh_flags,
                           .address = h.sh_addr,
                           .offset = h.sh_offset,
                           .size = h.sh_size,
                           .named = name != NULL};
    put(s, &x, sizeof x);
    put_text(s, name ? name : "");
  }
}

static void put_all(source *s) {
  if (elf_kind(s->elf) != ELF_K_ELF || gelf_getclass(s->elf) != ELFCLASS64) return;
  fputc(1, s->to);
  put_sections(s);
  if (s->parts & (ELF_SYMBOLS | ELF_DYNAMIC)) put_symbols(s);
  if (s->parts & ELF_LINKS) put_links(s);
}

/* libelf takes a descriptor's file as a whole; of a part of one it reads what is mapped. */
typedef struct mapping {
  char *at;
  size_t n;
} mapping;

static Elf *begin(mapping *m, int file, uint64_t offset, uint64_t size) {
  *m = (mapping){.at = MAP_FAILED};
  if (!offset) return elf_begin(file, ELF_C_READ, NULL);
  const uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
  m->n = size + before;
  m->at = mmap(NULL, m->n, PROT_READ, MAP_PRIVATE, file, (off_t)(offset - before));
  return m->at == MAP_FAILED ? NULL : elf_memory(m->at + before, size);
}

void elf_reader_answer(int file, uint64_t offset, uint64_t size, unsigned parts, FILE *to) {
  source s = {.size = size, .parts = parts, .to = to, .a = arena_new()};
  mapping m;
  elf_version(EV_CURRENT);
  s.elf = begin(&m, file, offset, size);
  if (s.elf) put_all(&s);
  if (s.elf) elf_end(s.elf);
  if (m.at != MAP_FAILED) munmap(m.at, m.n);
  arena_free(s.a);
}

static bool answer(void *data, FILE *to) {
  const source *s = data;
  elf_reader_answer(PROCESS_FILE, s->offset, s->size, s->parts, to);
  return true;
}

/* ---- in the parent -------------------------------------------------------------------------- */

typedef struct parse {
  const char *at, *end;
  bool ok;
  arena *a;
} parse;

static const void *take(parse *p, uint64_t n) {
  const char *at = p->at;
  if (!p->ok || n > (uint64_t)(p->end - at)) {
    p->ok = false;
    return NULL;
  }
  p->at += n;
  return at;
}

static uint64_t take_number(parse *p) {
  uint64_t x = 0;
  const void *at = take(p, sizeof x);
  if (at) memcpy(&x, at, sizeof x);
  return x;
}

/* The text in the answer, which is kept; "" at a fault. */
static const char *take_text(parse *p) {
  uint64_t n = take_number(p);
  const char *at = n < ANSWER_MAX ? take(p, n + 1) : NULL;
  p->ok = p->ok && at && strnlen(at, n + 1) == n;
  return p->ok ? at : "";
}

static void take_texts(parse *p, strings *list) {
  for (uint64_t n = take_number(p); p->ok && n; n--) *arena_push(p->a, list) = take_text(p);
}

static void take_sections(parse *p, elf_contents *c) {
  for (uint64_t n = take_number(p); p->ok && n; n--) {
    elf_section x;
    const void *at = take(p, sizeof x);
    if (at) memcpy(&x, at, sizeof x);
    if (at) x.name = take_text(p);
    if (p->ok) *arena_push(p->a, &c->sections) = x;
  }
}

static void take_symbols(parse *p, elf_contents *c) {
  for (uint64_t kind; p->ok && (kind = take_number(p));) {
    elf_symbol x = {.dynamic = kind == 2};
    const void *at = take(p, sizeof x.symbol);
    if (at) memcpy(&x.symbol, at, sizeof x.symbol);
    x.name = take_text(p);
    if (p->ok) *arena_push(p->a, &c->symbols) = x;
  }
}

static void take_links(parse *p, elf_links *l) {
  take_texts(p, &l->needed);
  take_texts(p, &l->paths);
  take_texts(p, &l->given);
  for (uint64_t n = take_number(p); p->ok && n; n--) {
    const char *library = take_text(p), *name = take_text(p);
    if (p->ok) *arena_push(p->a, &l->wanted) = (elf_wanted){library, name};
  }
}

static bool take_answer(elf_contents *c, const strbuf *t, unsigned parts) {
  parse p = {.at = t->at, .end = t->at + t->n, .ok = t->n > 0, .a = c->a};
  const char *begins = take(&p, 1);
  p.ok = begins && *begins == 1;
  take_sections(&p, c);
  if (parts & (ELF_SYMBOLS | ELF_DYNAMIC)) take_symbols(&p, c);
  if (parts & ELF_LINKS) take_links(&p, &c->links);
  return p.ok && p.at == p.end;
}

/* The rules are the same for all files: making them takes longer than most of these do. */
static confine *find_rules(arena *a) {
  static confine rules;
  static bool made;
  const process_limits *l = limited ? &limits : &limits_default;
  uint64_t data = (uint64_t)l->parser_mib << 20, own = confine_own_data();
  const confine_limits most = {.cpu_seconds = l->parser_seconds,
                               .data_bytes = data && own ? own + data : 0};
  if (!made && !(made = confine_begin(&rules, &most, true, arena_new(), diags_new(a)))) return NULL;
  rules.limits = most;
  return &rules;
}

static bool ask(strbuf *t, int fd, const source *s, arena *a) {
  source copy = *s;
  process p;
  const confine *rules = find_rules(a);
  const process_setting how = {.confine = rules,
                               .closed = true,
                               .file = fd,
                               .seconds = 3 * (limited ? limits : limits_default).parser_seconds};
  return rules && process_answer(&p, answer, &copy, &how, ANSWER_MAX, process_take_text, t);
}

bool elf_reader_read(elf_contents *c, int fd, uint64_t offset, uint64_t size, unsigned parts) {
  *c = (elf_contents){.a = arena_new()};
  const source s = {.offset = offset, .size = size, .parts = parts};
  return ask(&c->answer, fd, &s, c->a) && take_answer(c, &c->answer, parts);
}

void elf_reader_free(elf_contents *c) {
  if (!c->a) return;
  strbuf_free(&c->answer);
  arena_free(c->a);
  *c = (elf_contents){0};
}
