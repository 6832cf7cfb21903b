/* environment.h - the environment of the user's command: the user's own variables, and those that
 * aotigen adds.
 */
#ifndef GEN_ENVIRONMENT_H
#define GEN_ENVIRONMENT_H

#include "run/debug_package.h"

typedef struct environment {
  char **at;              /* NULL-terminated, for exec */
  const char *log;        /* AOTIGEN_LOG as it is set there */
  const char *narrowed;   /* "AOTIGEN_RUNS, ...": the user's that leave launches out, or NULL */
  const char *printer_to; /* where the user has the printer write, or NULL */
  const char *printed;    /* the printer's file in the private directory, or NULL */
  bool own_log;           /* it is this program's, not the user's */
  bool has_gpu_cores;     /* the driver writes core dumps of a GPU that fails */
  bool refuses_gpu_cores; /* the user's variable excludes --core-dump */
  bool finds_gpu_cores;   /* they go to environment_cores_directory() */
} environment;

/* Makes the environment of the command: `given`, the user's, and, unless it is set there,
 * AOTIGEN_LOG. With --core-dump, or the user's variable for them, also the driver's core dumps. All
 * files are in the private directory `dir`. With `packages`, one for each --model, also the library
 * that opens the debug ones. False with an error in `d`. */
bool environment_make(environment *e, char *const *given, const options *o, const char *dir,
                      const debug_package *packages, arena *a, diags *d);

/* The environment for a run of our own: `given` without the user's AOTIGEN_ variables, and with
 * each of `settings`, "NAME=VALUE"; both end with NULL. */
char *const *environment_apart(char *const *given, char *const *settings, arena *a);

/* The directory in which the library notes what it did with package 0 by the links "o0", "r0" and
 * so on (preload/table.h), and to which it writes the debug models that dlopen() loads. Its link
 * "p0" leads to the package. */
const char *environment_notes_directory(const char *dir, arena *a);

/* The directory of the driver's core dumps of a GPU, each "gpu.PID". */
const char *environment_cores_directory(const char *dir, arena *a);

#endif
