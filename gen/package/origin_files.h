/* origin_files.h - reads the files that tell a model's own lines: --exported and --provenance. */
#ifndef GEN_ORIGIN_FILES_H
#define GEN_ORIGIN_FILES_H

#include "base/options.h"
#include "model/model.h"

/* Reads the text of the exported program, from the archive that torch.export.save() writes or from
 * its JSON file, and that of the provenance file; none if the option is not given. False with an
 * error in `d`. */
bool origin_files_read(companion_texts *beside, const options *o, arena *a, diags *d);

#endif
