/* core_dump.h - the place of a GPU's exception, as cuda-gdb reads it from the driver's core
 * dump. */
#ifndef GEN_CORE_DUMP_H
#define GEN_CORE_DUMP_H

#include "base/arena.h"

typedef struct core_dump {
  const char *file;           /* the dump that was read, or NULL: there is none */
  size_t others;              /* the number of further ones */
  double time;                /* when it was written whole, in seconds since 1970 */
  bool lacks_debugger;        /* there is no executable cuda-gdb on PATH */
  bool timed_out;             /* it did not end in time */
  const char *exception;      /* "Warp Illegal Address", or NULL: nothing below is known */
  const char *kernel;         /* "overrun_kernel", or NULL */
  const char *grid;           /* "(16,1,1),(128,1,1)": its blocks, and the threads of one */
  const char *block, *thread; /* "(3,0,0)" */
  const char *place, *text;   /* "/tmp/x.py:20" and that line, or NULL */
} core_dump;

/* Reads the output of cuda-gdb. False, with nothing taken, if it has another form. */
bool core_dump_read(core_dump *c, const char *text, arena *a);

/* Finds the oldest dump in `dir`, and has the cuda-gdb of PATH read it. */
void core_dump_find(core_dump *c, const char *dir, arena *a);

#endif
