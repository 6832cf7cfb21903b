/* kernel_origins.h - what torch recorded of the nodes that each kernel was made of, if it compiled
 * with INDUCTOR_PROVENANCE=1.
 *
 * Three texts hold it: kernel_information.json of a package, JSON files that tlparse writes, and
 * the log that TORCH_TRACE asks for. Kernels are named by "KERNEL:HANDLE", as in the wrapper's
 * comments '[Provenance debug handles]'.
 */
#ifndef GEN_KERNEL_ORIGINS_H
#define GEN_KERNEL_ORIGINS_H

#include "base/string_map.h"
#include "model/model.h"

typedef struct kernel_origin {
  strings nodes;     /* names in the exported program; none where only the lines are known */
  model_lines lines; /* without modules */
} kernel_origin;

typedef struct kernel_origins {
  string_map *kernels;   /* kernel_origin by "KERNEL:HANDLE" */
  string_map *operators; /* "at::_ops::NAME::call:HANDLE" by ":HANDLE": torch 2.9 names some so */
} kernel_origins;

/* handles: those of the wrapper. If a log has more than one model, the one that matches them best
 * is read. False if the text holds no such record at all. */
bool kernel_origins_read(kernel_origins *k, const char *text, size_t n, const strings *handles,
                         arena *a);

/* NULL if nothing is known of it. */
const kernel_origin *kernel_origins_find(const kernel_origins *k, const char *handle);

#endif
