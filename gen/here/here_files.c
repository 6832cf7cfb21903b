/* here_files.c - see here_rows.h. Knows what torch's loader and the system's ask of the files. */
#include "toolchain/elf_file.h"
#include "here/here_rows.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char cure_damage[] = "get the package once more: it was damaged";

static void add_misfit(here_model *m, const char *needs, const char *has, const char *cure) {
  here_table_add(
      m->t, (here_row){.fits = FITS_NO, .what = "model", .needs = needs, .has = has, .cure = cure});
}

/* ---- the '.so' */

static bool has_segment(const elf_file *f, unsigned type) {
  Elf64_Phdr segment;
  for (unsigned i = 0; i < f->header.e_phnum; i++) {
    off_t at = (off_t)(f->header.e_phoff + i * sizeof segment);
    if (pread(f->fd, &segment, sizeof segment, at) == sizeof segment && segment.p_type == type)
      return true;
  }
  return false;
}

/* The reason why a system's loader refuses the file on any machine; NULL if there is none. */
static const char *find_fault(const elf_file *f) {
  const unsigned char abi = f->header.e_ident[EI_OSABI];
  if (abi != ELFOSABI_SYSV && abi != ELFOSABI_GNU) return "its ELF header has an ABI of no loader";
  if (f->header.e_version != EV_CURRENT || f->header.e_phentsize != sizeof(Elf64_Phdr))
    return "its ELF header is damaged";
  if (f->header.e_type != ET_DYN) return "it is not a shared object";
  if (!has_segment(f, PT_LOAD)) return "it has no segment to load";
  return has_segment(f, PT_DYNAMIC) ? NULL : "it has no dynamic segment";
}

static bool is_dll(const char *path) {
  char head[2] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  const bool is = fd >= 0 && read(fd, head, sizeof head) == sizeof head && !memcmp(head, "MZ", 2);
  if (fd >= 0) close(fd);
  return is;
}

static void add_damage(here_model *m) {
  elf_file f;
  if (is_dll(m->so)) {
    add_misfit(m, "Windows", "Linux",
               "its library is a DLL: load it there; 'list' and 'check' work on its text here");
    return;
  }
  const char *why = elf_symbols_open_parts(&f, m->so, ELF_LINKS) ? find_fault(&f) : f.why;
  if (why && !strstr(why, "another processor"))
    add_misfit(m, "its '.so' whole", arena_strdup(m->a, why), cure_damage);
  elf_symbols_close(&f);
}

/* ---- the package's members */

static void add_sources(here_model *m) {
  if (!m->files.object)
    add_misfit(m, "a '.so', or an object file with its weights", "neither",
               "torch itself cannot load such a package: get it once more, or compile the model "
               "again");
  else if (!m->files.flags)
    add_misfit(m, "'..._compile_flags.json'", "none",
               "torch itself cannot load such a package of sources: get it once more, or compile "
               "the model again");
  else
    here_table_add(m->t, (here_row){.fits = FITS_UNKNOWN,
                                    .what = "model",
                                    .needs = "a compiler",
                                    .cure = "the package holds sources: the program that loads it "
                                            "compiles them"});
}

/* Torch 2.6 writes no folder around the files, and asks for none. */
static void add_layout(here_model *m) {
  const bool asks = !m->torch_version || strncmp(m->torch_version, "2.6.", 4) != 0;
  if (m->files.directory)
    add_misfit(
        m, "files alone", "a directory as a member",
        "torch's loader cannot extract it, 'Failed to extract zip file': pack the files with "
        "zip -rD");
  if (m->files.no_folder && asks)
    here_table_add(m->t, (here_row){.fits = FITS_UNKNOWN,
                                    .what = "layout",
                                    .needs = "a folder around 'data/'",
                                    .has = "none",
                                    .cure = "torch 2.11 loads it, and warns of 'an outdated "
                                            "version of the pt2 archive': pack it with a folder "
                                            "around its files, or compile the model again"});
}

void here_add_files(here_model *m) {
  add_layout(m);
  if (m->so)
    add_damage(m);
  else
    add_sources(m);
  if (!m->files.metadata || m->files.odd_metadata)
    add_misfit(m, "'..._metadata.json'", m->files.odd_metadata ? "no JSON" : "none",
               "torch itself cannot load such a package: get it once more, or compile the model "
               "again");
}
