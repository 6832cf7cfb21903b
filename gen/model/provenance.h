/* provenance.h - the lines of the model's own source that each launch computes, and their module.
 *
 * They come, in this order, from the nodes that torch recorded for the kernel (kernel_origins.h),
 * else from those in the wrapper's comments, looked up in the exported program (exported.h).
 * Without a program, they come from the stacks that torch recorded, or that a profiled wrapper
 * holds. Part of the model stage.
 */
#ifndef GEN_PROVENANCE_H
#define GEN_PROVENANCE_H

#include "model/model.h"

/* Sets `lines` of each site, whose nodes are known. False, with an error in `d`, if a file that the
 * user named is of another kind or belongs to another model. A file of a package is ignored then,
 * with a warning. */
bool provenance_read(model *m, const companion_texts *companions, arena *a, diags *d);

/* "model.py:14  b = torch.log(x - y)  (encoder.layers.3.mlp)" */
const char *provenance_format_line(const aotigen_line *line, arena *a);

#endif
