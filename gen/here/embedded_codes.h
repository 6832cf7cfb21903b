/* embedded_codes.h - the GPU's kernels that are linked into a '.so', between NAME_start and
 * NAME_end.
 */
#ifndef GEN_EMBEDDED_CODES_H
#define GEN_EMBEDDED_CODES_H

#include "here/here_rows.h"

/* Adds each kernel. Bytes that cannot be read, or are no code of a GPU, are skipped: the '.so' has
 * other symbols with such names. */
void embedded_codes_read(gpu_kernels *kernels, const char *so, arena *a);

#endif
