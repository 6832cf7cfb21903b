/* static_check.h - what `aotigen check` proves and refutes of a package of --model, without a run.
 *
 * It is computed once the debug package is there, whose making leaves what the parser needs, by the
 * parser's own confined children. It is kept beside the debug package in the cache. The answer is a
 * stranger's: a package may make its own parser say anything.
 */
#ifndef GEN_STATIC_CHECK_H
#define GEN_STATIC_CHECK_H

#include "run/debug_package.h"

/* A finding that refutes a launch. */
typedef struct static_refutation {
  const char *type;     /* "access": as check --json has it */
  const char *access;   /* "store out_ptr0[x0 + 8]", or NULL */
  const char *argument; /* "buf0", or NULL */
  const char *example;  /* "s77 = 3: buf0[4103] of 4096, with x0 = 4095" */
} static_refutation;

typedef struct static_site {
  const char *source; /* as events have it */
  const char *kernel;
  long long number;
  size_t refuted;          /* the number of findings that refute it */
  static_refutation first; /* of those; one of an access before others */
  bool stores;             /* an access of it was found that stores */
  bool doubted;            /* one of what it stores is not proved to stay within its memory */
} static_site;

typedef struct static_check {
  bool done;
  const char *why_not;           /* the reason where it is not done */
  size_t refuted;                /* the number of findings that refute a site */
  size_t undecided;              /* the number of accesses that are not decided */
  size_t left_alone;             /* the number of sites that the debug package leaves alone */
  arena_list(static_site) sites; /* those of kernels and operators of which something is found */
} static_check;

/* Takes what was kept for the debug package, or computes it for the package that it was made of,
 * and keeps it where the debug package is kept. */
void static_check_make(static_check *c, const options *o, const debug_package *of, arena *a);

/* Reads the lines of repackage_check(), as the caller's file has them. */
void static_check_read(static_check *c, FILE *from, arena *a);

/* The site of that source and number; NULL where nothing is known of it. */
const static_site *static_check_find(const static_check *c, const char *source, long long number);

/* True if each store of the site is proved to stay within its memory, for the sizes that the model
 * admits. */
bool static_site_is_proved(const static_site *s);

#endif
