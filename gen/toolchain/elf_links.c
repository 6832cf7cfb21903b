/* elf_links.c - see elf_file.h. */
#include "toolchain/elf_file.h"

/* A '.so' has tens of entries. The offsets of a hostile one may lead anywhere, but only forward. */
enum { ENTRIES_MAX = 20000 };

typedef struct reader {
  elf_links *l;
  elf_file *f;
  arena *a;
  unsigned left;
} reader;

/* A copy of the text; NULL if there is none. */
static const char *read_text(const reader *r, const Elf_Data *names, uint64_t offset) {
  const char *text = elf_symbols_read_name(names, offset);
  return text && *text ? arena_strdup(r->a, text) : NULL;
}

static void read_dynamic(reader *r, Elf_Data *d, const Elf_Data *names) {
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

static void read_wanted(reader *r, Elf_Data *d, const Elf_Data *names) {
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
static void read_given(reader *r, Elf_Data *d, const Elf_Data *names) {
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

void elf_links_read(elf_links *l, elf_file *f, arena *a) {
  *l = (elf_links){.needed = {0}};
  reader r = {.l = l, .f = f, .a = a, .left = ENTRIES_MAX};
  for (Elf_Scn *section = NULL; (section = elf_nextscn(f->elf, section));) {
    GElf_Shdr h;
    if (!gelf_getshdr(section, &h) ||
        (h.sh_type != SHT_DYNAMIC && h.sh_type != SHT_GNU_verneed && h.sh_type != SHT_GNU_verdef))
      continue;
    Elf_Data *d = elf_symbols_read_section(f, section),
             *names = elf_symbols_read_section(f, elf_getscn(f->elf, h.sh_link));
    if (!d || !names) continue;
    if (h.sh_type == SHT_DYNAMIC)
      read_dynamic(&r, d, names);
    else if (h.sh_type == SHT_GNU_verneed)
      read_wanted(&r, d, names);
    else
      read_given(&r, d, names);
  }
}
