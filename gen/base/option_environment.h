/* option_environment.h - what the options take from the environment. */
#ifndef GEN_OPTION_ENVIRONMENT_H
#define GEN_OPTION_ENVIRONMENT_H

#include "base/options.h"

typedef struct option_environment {
  const char *(*env)(const char *name); /* getenv(), or what stands in for it */
  arena *a;
  diags *d;
} option_environment;

/* Adds it to options that were parsed; what they give is kept. An error, of which there is one at
 * most, goes to `d`. */
void option_environment_take(options *o, const option_environment *from);

#endif
