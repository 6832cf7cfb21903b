/* compile.h - one run of the compiler at a time: its command as a list of words, its messages kept
 * until it fails.
 */
#ifndef GEN_TOOLCHAIN_COMPILE_H
#define GEN_TOOLCHAIN_COMPILE_H

#include "command/command.h"
#include "system/process.h"

typedef struct job {
  const char *what; /* the file that is compiled or linked, for messages */
  strings argv;     /* without argv[0], which is the compiler */
  const char *log;  /* the file for its messages */
  /* Holds the job's results and its temporary files, and is made if it does not exist. A confined
   * job writes to no other directory. */
  const char *dir;
  process process;
} job;

typedef struct compiler {
  const char *name;   /* "g++" */
  const char *tmpdir; /* for its temporary files */
  bool clang;         /* by its name */
  /* It compiles an untrusted source. Messages of the assembler are not printed then, for it may
   * quote other files. */
  bool closed;
  bool own_assembler;  /* a clang++, which does not say what its own assembler reads */
  const char *version; /* its answer to --version */
  int verbosity;
  confine confine; /* its rights, where `confined`: confined_compiler.h makes and ends them */
  bool confined;
  unsigned seconds; /* where `confined`: by the clock, for each job; 0: no limit */
  unsigned at_once; /* the most jobs that may run; 0: any number */
} compiler;

/* Picks the compiler: $CXX, else the recorded kind, else the other kind. False if there is none. */
bool compiler_pick(compiler *x, const options *o, const command *c, arena *a, diags *d);

/* A recorded flag as this compiler spells it: a clang++ may run what a g++ recorded, and has other
 * names for some flags. */
const char *compiler_flag(const compiler *x, const char *spelling);

/* The directories in which the compiler looks for headers by itself, by its own answer; none if it
 * gives none. */
void compiler_include_dirs(const compiler *x, strings *dirs, arena *a);

/* Starts a job; false with an error in `d`. */
bool job_start(job *j, const compiler *x, arena *a, diags *d);

/* Waits for the job. If it fails, `d` says so in one line (`verb`: "compiled", "linked"), and the
 * compiler's messages follow on stderr. For an untrusted source the line has the first message, and
 * the others need -v. */
bool job_wait(job *j, const compiler *x, const char *verb, arena *a, diags *d);

#endif
