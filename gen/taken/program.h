/* program.h - the directory in which a launch is a program: main.c, Makefile, kernel.cpp, the
 * headers that it needs, and the memory of its arguments.
 */
#ifndef GEN_PROGRAM_H
#define GEN_PROGRAM_H

#include "taken/kernel_build.h"
#include "taken/taken.h"

typedef struct program {
  const taken *taken;
  const kernel_text *text;
  const kernel_build *build;
  unsigned launch;     /* its number in the run */
  const char *package; /* for the files' first lines */
} program;

/* NULL, or why the launch's arguments are none for the kernel as it is declared. */
const char *program_explain_mismatch(const program *p, arena *a);

/* The texts of main.c and Makefile. */
const char *program_make_main(const program *p, arena *a);
const char *program_make_makefile(const program *p, arena *a);

/* Writes all to `dir`, which does not exist or is empty. False with an error in `d`; what was made
 * is then removed. */
bool program_write(const program *p, const char *dir, arena *a, diags *d);

#endif
