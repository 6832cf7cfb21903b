/* compile.h - one run of the compiler at a time: its command as a list of words, its messages kept
 * until it fails.
 */
#ifndef GEN_TOOLCHAIN_COMPILE_H
#define GEN_TOOLCHAIN_COMPILE_H

#include "command/command.h"
#include "system/process.h"

typedef struct job {
  const char *what; /* the file that is compiled or linked, for messages */
  strings argv;     /* argv[0] aside, which is the compiler */
  const char *log;  /* where its messages go */
  const char *dir;  /* made where it does not exist: for what the job makes, and for its temporary
                       files; where it runs confined, it writes to no other */
  process process;
} job;

typedef struct compiler {
  const char *name;   /* "g++" */
  const char *tmpdir; /* for its temporary files */
  bool clang;         /* by its name */
  bool closed; /* compiles a stranger's source: what the assembler says is not printed, for it may
                  quote other files */
  bool own_assembler;  /* by what it says of itself: a clang++, which does not say what its own
                          assembler reads */
  const char *version; /* what it says of itself */
  int verbosity;
  confine confine; /* what it may do, where `confined`: confined_compiler.h makes and ends it */
  bool confined;
  unsigned seconds; /* where `confined`: by the clock, for each job; 0: no limit */
  unsigned at_once; /* how many jobs may run; 0: any number */
} compiler;

/* Picks the compiler: $CXX, else the kind that was recorded, else the other kind. False where there
 * is none. */
bool compiler_pick(compiler *x, const options *o, const command *c, arena *a, diags *d);

/* A recorded flag as this compiler spells it: what a g++ recorded may be run by a clang++, which
 * knows some by another name. */
const char *compiler_flag(const compiler *x, const char *spelling);

/* The directories in which it looks for headers by itself, as it says; none where it does not say.
 */
void compiler_include_dirs(const compiler *x, strings *dirs, arena *a);

/* Starts a job; false with an error in `d`. */
bool job_start(job *j, const compiler *x, arena *a, diags *d);

/* Waits for it. Where it fails `d` says so in one line (`verb`: "compiled", "linked"), and the
 * compiler's messages follow on stderr; of a stranger's source the line has the first of them, and
 * the others need -v. */
bool job_wait(job *j, const compiler *x, const char *verb, arena *a, diags *d);

#endif
