/* here_processor.c - see here_rows.h. */
#include "command/cpu_features.h"
#include "here/here_rows.h"
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- the machine */

static const char *name_machine(unsigned machine, arena *a) {
  switch (machine) {
    case EM_X86_64: return "x86_64";
    case EM_AARCH64: return "aarch64";
    case EM_386: return "i686";
    case EM_PPC64: return "ppc64le";
    case EM_S390: return "s390x";
    case EM_RISCV: return "riscv64";
    default: return arena_printf(a, "ELF machine %u", machine);
  }
}

/* NULL if it is no ELF file. */
static const char *read_machine(const here_model *m) {
  Elf64_Ehdr h;
  int fd = open(m->so, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && pread(fd, &h, sizeof h, 0) == sizeof h &&
            !memcmp(h.e_ident, ELFMAG, SELFMAG);
  if (fd >= 0) close(fd);
  return ok ? name_machine(h.e_machine, m->a) : NULL;
}

static void add_machine(here_model *m) {
  struct utsname u;
  const char *has = uname(&u) == 0 ? arena_strdup(m->a, u.machine) : NULL,
             *needs = m->so ? read_machine(m) : here_metadata(m, "AOTI_MACHINE");
  here_row row = {.what = "processor", .needs = needs, .has = has};
  if (!needs || !has) {
    row.fits = FITS_UNKNOWN;
  } else if (strcmp(needs, has) != 0) {
    row.fits = FITS_NO;
    row.cure = arena_printf(m->a, "compile the model on a machine with %s", has);
  }
  here_table_add(m->t, row);
}

/* ---- instructions */

static const char *find_architecture(const strings *words) {
  for (size_t i = 0; i < words->n; i++)
    if (!strncmp(words->at[i], "-march=", 7) || !strncmp(words->at[i], "-mcpu=", 6))
      return words->at[i];
  return NULL;
}

/* "avx2, fma": the flags without their "-m". */
static const char *name_features(const strings *flags, arena *a) {
  strings names = {0};
  for (size_t i = 0; i < flags->n; i++) *arena_push(a, &names) = flags->at[i] + 2;
  return names.n ? strings_join(a, &names, ", ") : NULL;
}

/* The flags of the recorded command by what this machine says of them. */
typedef struct features {
  strings here, missing, unknown;
} features;

static const char *cure_unknown(const features *f, const char *march, arena *a) {
  if (f->unknown.n)
    return arena_printf(a,
                        "this machine does not tell whether its processor has %s: 'Illegal "
                        "instruction' in a run means that it does not",
                        name_features(&f->unknown, a));
  return arena_printf(a,
                      "%s: it may use more of the processor that compiled it; 'Illegal "
                      "instruction' in a run means that it does",
                      march);
}

/* A flag of which nothing is known does not count as fitting. */
static void judge_instructions(here_row *row, const features *f, const char *march, arena *a) {
  row->has = f->missing.n ? arena_printf(a, "all but %s", strings_join(a, &f->missing, ", "))
                          : "these";
  if (f->unknown.n || !(f->here.n + f->missing.n)) row->has = name_features(&f->here, a);
  if (f->missing.n) {
    row->fits = FITS_NO;
    row->cure = arena_printf(a,
                             "%s: compile the model on a machine whose processor has no more than "
                             "this one's, or with ATEN_CPU_CAPABILITY=default",
                             strings_join(a, &f->missing, ", "));
  } else if (march || f->unknown.n) {
    row->fits = FITS_UNKNOWN;
    row->cure = cure_unknown(f, march, a);
  }
}

static void add_instructions(here_model *m) {
  enum { ASKED_MAX = 100 }; /* of a compiler's few dozen */
  features f;
  strings asked = {0};
  const char *march = find_architecture(&m->words), *has = cpu_features_here(m->a);
  cpu_features_list(&f.here, CPU_FEATURE_HERE, &m->words, has, m->a);
  cpu_features_list(&f.missing, CPU_FEATURE_MISSING, &m->words, has, m->a);
  cpu_features_list(&f.unknown, CPU_FEATURE_UNKNOWN, &m->words, has, m->a);
  for (size_t i = 0; i < m->words.n && asked.n < ASKED_MAX; i++)
    if (cpu_feature_of(m->words.at[i], has) != CPU_FEATURE_NONE &&
        !strings_has(&asked, m->words.at[i]))
      *arena_push(m->a, &asked) = m->words.at[i];
  if (!asked.n && !march) return;
  here_row row = {.what = "instructions", .needs = name_features(&asked, m->a)};
  if (!asked.n) row.needs = march + 1;
  judge_instructions(&row, &f, march, m->a);
  here_table_add(m->t, row);
}

void here_add_processor(here_model *m) {
  add_machine(m);
  add_instructions(m);
}
