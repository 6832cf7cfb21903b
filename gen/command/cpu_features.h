/* processor.h - does this machine's processor have what the recorded flags ask for. */
#ifndef GEN_PROCESSOR_H
#define GEN_PROCESSOR_H

#include "base/diag.h"

/* Warns, naming them, where flags of `compile` (-mavx512f, -mamx-tile) name extensions that
 * /proc/cpuinfo does not: what is compiled so ends in an illegal instruction here. -march=native
 * itself is what this machine makes of it. */
void processor_warn(const char *file, const strings *compile, arena *a, diags *d);

/* The flags of `compile` that an extension list like cpuinfo's `flags` line lacks, joined by ", ";
 * NULL where none. */
const char *processor_lacks(const strings *compile, const char *has, arena *a);

#endif
