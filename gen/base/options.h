/* options.h - the command line and the environment; no other stage calls getenv().
 *
 * One table gives the parser, --help and the test against the man page. Its rows of levels are
 * those of shared/wrapper/aotigen_levels.def.
 */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/levels.h"
#include "base/limits.h"
#include "shared/wrapper/aotigen_tables.h"
#include "shared/limits.h"

enum verb {
  VERB_REWRITE,
  VERB_LIST,
  VERB_CHECK,
  VERB_BUILD,
  VERB_RUN,
  VERB_WATCH,
  VERB_REPLAY,
  VERB_DIFF,
  VERB_REPORT,
  VERB_COMPARE,
  VERB_BISECT,
  VERB_HELP,
  VERB_VERSION
};

/* The rule whether a package's parser and compilers run confined (system/confine.h). */
enum confining {
  CONFINING_AUTO, /* they do if the kernel can; else there is a warning */
  CONFINING_REQUIRE,
  CONFINING_OFF
};
enum dump { DUMP_NONE, DUMP_COMMAND, DUMP_MODEL, DUMP_KERNELS, DUMP_PLAN, DUMP_EDITS };

/* Files that the user names beside the input; NULL of each that is not given. */
typedef struct option_files {
  const char *ops;        /* --ops */
  const char *weights;    /* --weights */
  const char *exported;   /* --exported */
  const char *provenance; /* --provenance */
} option_files;

/* The options of the verb run. */
typedef struct run_options {
  const char *models[AG_RUN_MODELS]; /* each --model, a package */
  size_t nmodels;                    /* the number of --model, AG_RUN_MODELS + 1 at most */
  const char *keep;                  /* --keep, or NULL */
  const char *printer_to;            /* --printer-to, or NULL */
  bool core_dump;                    /* --core-dump */
  bool watch;                        /* --watch */
  char *const *command; /* the program and its arguments, as argv has them; else NULL */
  strings given;        /* the options, as they were given */
} run_options;

enum { REPLAY_LIBRARIES = 8 };

/* What runs a capsule's inputs; that of --host. */
enum replay_host { REPLAY_HOST_AUTO, REPLAY_HOST_C, REPLAY_HOST_PYTHON };

/* The options of the verb replay, which has those of run besides. */
typedef struct replay_options {
  const char *capsule;                     /* NULL for another verb */
  unsigned repeat;                         /* --repeat */
  unsigned launch;                         /* --launch; 0: none */
  enum replay_host host;                   /* --host */
  const char *libraries[REPLAY_LIBRARIES]; /* each --library */
  size_t nlibraries;                       /* their number */
  const char *unwatched; /* what a watch package was made of, in its place; or NULL */
  const char *only;      /* the one of several models that is replayed, or NULL */
} replay_options;

/* The options of the verb diff, and of report where it has two recordings. */
typedef struct diff_options {
  const char *files[2]; /* recordings, or directories of one */
  uint64_t run;         /* --run; 0: each that both have */
  double bound;         /* --bound; below 0: diff/run_pair.h chooses */
} diff_options;

/* The options of the verbs compare and bisect, which have --exported, --library and --model
 * besides. */
typedef struct compare_options {
  const char *package; /* of bisect the bad one; NULL for another verb */
  const char *good;    /* bisect's other package; else NULL */
  const char *inputs;  /* --inputs, or NULL */
} compare_options;

/* What is written of a recording; that of --format. */
enum report_format { REPORT_HTML, REPORT_JSON, REPORT_TEXT };

/* The options of the verb report. */
typedef struct report_options {
  const char *files[2]; /* recordings, or directories of one; the second may be NULL */
  enum report_format format;
} report_options;

/* The variables of the environment; NULL for each that is not set. `cache` and `packages_only` also
 * follow --no-cache and --cached. */
typedef struct option_variables {
  const char *cxx;        /* $CXX, a program's name or an absolute path; NULL: g++ or clang++, as
                             the wrapper's command says */
  const char *path;       /* $PATH: where programs are looked for */
  const char *home;       /* $HOME */
  const char *parts_from; /* a variable that is set and by which a compiler finds its parts */
  const char *libraries;  /* $LD_LIBRARY_PATH: where a compiler's libraries may be */
  const char *no_color, *term; /* $NO_COLOR, $TERM: whether a terminal is shown colours */
  const char *malloc_fill;     /* $MALLOC_PERTURB_: what glibc's malloc() of a program fills memory
                                  with */
  const char *python;          /* $PYTHON, with which a capsule is replayed, or NULL */
  const char *cuda_home;       /* $CUDA_HOME or $CUDA_PATH, absolute */
  const char *tmpdir;          /* $TMPDIR, absolute, or "/tmp" */
  const char *cache;           /* the directory of what is kept from one run to the next, or NULL */
  bool packages_only;          /* nothing is kept there but debug packages */
} option_variables;

typedef struct option_output {
  const char *path;       /* NULL where the verb needs none; "-" is standard output */
  bool cached;            /* --cached, in place of an output */
  const char *library_of; /* --library-of, or NULL */
  const char *shown;      /* what messages call the output that is moved later, or NULL */
} option_output;

typedef struct options {
  enum verb verb;
  const char *input;
  const char *input_as;    /* what messages call a package's members the members of; NULL: input */
  const char *kept_of;     /* what the model says of itself outside of `run`, if it is in its cache;
                              or NULL */
  const char *input_below; /* what of their names messages leave out, with its '/'; or NULL */
  option_output output;
  levels levels;
  unsigned levels_set; /* those that the command line gives: enum level_bits */
  const char *torch;   /* --torch, or NULL */
  option_files files;
  const char *kernel; /* list --kernel, or NULL */
  const char *model;  /* --model, or NULL for all models of a package */
  run_options run;
  replay_options replay;
  diff_options diff;
  report_options report;
  compare_options compare;
  bool json, here;
  enum confining confining;
  process_limits limits; /* for the children that parse and compile */
  enum dump dump;
  int verbosity;      /* -1 quiet, 0, 1 verbose */
  const char *python; /* the interpreter that is asked where torch is: "python3" */
  option_variables env;
  strings objects; /* build: KERNEL.cpp and OBJECT operands */
} options;

/* Fills `o` from argv and the environment. `env` is getenv(), or stands in for it in a test. What
 * is kept of the environment is copied. An error goes to `d`, with STATUS_USAGE. */
void options_parse(options *o, int argc, char *const *argv, const char *(*env)(const char *name),
                   arena *a, diags *d);

/* Warns of the variables of a NULL-terminated environment whose names are misspelt names of the
 * run-time library's. */
void options_warn_misspelt(char *const *environment, arena *a, diags *d);

/* --help, made from the table. */
void options_help(FILE *to);
void options_version(FILE *to);

/* The i-th option of the table: its long name ("printer"), or NULL past the last; its letter, or 0;
 * the name of its value, or NULL for a flag. */
const char *options_name(size_t i, char *letter, const char **value);

#endif
