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

/* The features that a flag such as -mavx2 requires. */
enum cpu_feature {
  CPU_FEATURE_NONE,    /* no instructions: -m64, -O3 */
  CPU_FEATURE_HERE,    /* some that it has */
  CPU_FEATURE_MISSING, /* some that it lacks */
  CPU_FEATURE_UNKNOWN, /* some that Linux does not tell of, or that no flag is known for */
};

/* `has`: a list like cpuinfo's `flags` line, or NULL. */
enum cpu_feature cpu_feature_of(const char *flag, const char *has);

/* Sets *list to the flags of `compile` of that kind, each once. */
void cpu_features_list(strings *list, enum cpu_feature kind, const strings *compile,
                       const char *has, arena *a);

#endif
