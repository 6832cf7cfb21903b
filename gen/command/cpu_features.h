/* cpu_features.h - whether this CPU supports the instruction sets that the recorded flags ask for.
 */
#ifndef GEN_CPU_FEATURES_H
#define GEN_CPU_FEATURES_H

#include "base/diag.h"

/* Warns where flags of `compile` (-mavx512f, -mamx-tile) ask for instructions that /proc/cpuinfo
 * does not list: the result would end in an illegal instruction here. -march=native never warns. */
void cpu_features_warn(const char *file, const strings *compile, arena *a, diags *d);

/* The list in /proc/cpuinfo's `flags` line, or NULL where there is none. */
const char *cpu_features_here(arena *a);

/* The flags of `compile` that ask for what `has`, a list like cpuinfo's `flags` line, lacks: joined
 * by ", "; NULL where there are none. */
const char *cpu_features_missing(const strings *compile, const char *has, arena *a);

#endif
