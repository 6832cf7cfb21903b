/* options.h - the command line and the environment, once and for all: no other stage calls
 * getenv().
 *
 * One table gives the parser, --help and the test against the man page.
 */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include "base/arena.h"
#include "base/diag.h"

enum verb { VERB_REWRITE, VERB_LIST, VERB_BUILD, VERB_HELP, VERB_VERSION };
enum dump { DUMP_NONE, DUMP_COMMAND, DUMP_MODEL, DUMP_PLAN, DUMP_EDITS };

/* The levels, as design section 2 numbers them. */
typedef struct levels {
  int printer;         /* 0..3 */
  int check_inputs;    /* 0 off, 1 model, 2 launch, 3 all */
  int nan_asserts;     /* 0 off, 1 nan, 2 inf, 3 all */
  int sync;            /* 0, 1 */
  const char *kernels; /* "" for all */
} levels;

/* Which of the levels stood on the command line. */
enum level_bits {
  LEVEL_PRINTER = 1,
  LEVEL_CHECK_INPUTS = 2,
  LEVEL_NAN_ASSERTS = 4,
  LEVEL_SYNC = 8,
  LEVEL_KERNELS = 16
};

typedef struct options {
  enum verb verb;
  const char *input;
  const char *output; /* NULL where the verb needs none; "-" is standard output */
  levels levels;
  bool levels_given;   /* one of the level options stood on the command line (build) */
  unsigned levels_set; /* which: enum level_bits */
  const char *torch;   /* --torch, or NULL */
  const char *ops;     /* --ops, or NULL */
  const char *weights; /* --weights, or NULL */
  const char *kernel;  /* list --kernel, or NULL */
  const char *model;   /* --model, or NULL for all of a package's */
  bool json;
  enum dump dump;
  int verbosity;      /* -1 quiet, 0, 1 verbose */
  const char *python; /* the interpreter to ask for torch: "python3" */
  const char
      *cxx; /* $CXX: a program's name or an absolute path; NULL: what the wrapper's command names */
  const char *cuda_home; /* $CUDA_HOME or $CUDA_PATH, absolute, or NULL */
  const char *tmpdir;    /* $TMPDIR, absolute, or "/tmp" */
  const char *cache;     /* where precompiled headers are kept, or NULL for no cache */
  strings objects;       /* build: KERNEL.cpp and OBJECT operands */
  bool closed; /* not an option: the sources are a package's, so nothing is read but what belongs to
                  torch, Python, CUDA, the compiler and the system */
} options;

/* Fills `o` from argv and the environment (`env` is getenv, or a test's). On an error `diags` holds
 * it, with STATUS_USAGE. */
void options_parse(options *o, int argc, char *const *argv, const char *(*env)(const char *name),
                   arena *a, diags *d);

/* --help, made from the table. */
void options_help(FILE *to);
void options_version(FILE *to);

/* The table, for the test against the man page: the i-th long name ("printer"), NULL past the last;
 * its letter or 0, and the name of its value or NULL. */
const char *options_name(size_t i, char *letter, const char **value);

#endif
