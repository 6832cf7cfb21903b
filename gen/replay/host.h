/* host.h - the program that runs a capsule's inputs: it loads the package as any program does, and
 * so gets the debug package in its place (run/environment.h).
 *
 * It is a program in C, or where that cannot load the package a script for Python
 * (host_kinds.h). What it is told is one file, and what it tells is another, which is JSON.
 */
#ifndef GEN_HOST_H
#define GEN_HOST_H

#include "replay/original.h"

typedef struct host {
  char **command;
  const char *dir;    /* the private one */
  const char *result; /* the file that it writes at its end */
  size_t outputs;     /* the number of the capsule's */
} host;

/* Chooses the host, and writes what it is told to the private directory. False with an error in
 * `d`. */
bool host_make(host *h, const capsule *c, const original *p, const options *o, arena *a, diags *d);

/* An output of the first run beside the capsule's. */
typedef struct host_output {
  bool equal;
  const char *skipped; /* why it is not compared, or NULL */
  const char *text;    /* what differs */
} host_output;

/* A finding that the host looks for in the first run's outputs: a value beyond a limit, or one
 * value in all elements. */
typedef struct host_check {
  long long finding; /* its number in the capsule */
  bool found;
  const char *text; /* "3 of 6 elements, the first at [1, 2]: 12345.5", or NULL */
} host_check;

typedef struct host_result {
  const char *torch;               /* "2.11.0+cu130", or NULL */
  const char *refused;             /* why no run was made, or NULL */
  const char *failed;              /* the exception that ended it, or NULL */
  bool is_unloaded;                /* `failed` ended the loading of the model, in Python */
  long long runs;                  /* that ended */
  long long alike;                 /* of those the ones whose outputs are the first's */
  long long as_kept;               /* and whose compared outputs are the capsule's */
  arena_list(host_output) outputs; /* of the first run */
  arena_list(host_check) checks;   /* of each of the capsule's findings that has one */
} host_result;

/* False where it did not write any, as where a signal ended it. */
bool host_read(host_result *r, const host *h, arena *a);

#endif
