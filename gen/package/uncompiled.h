/* uncompiled.h - what a package can be made of, given in the place of one: Python's source, modules
 * and weights of eager torch, TorchScript, exported programs. Of each it is said what it is, and by
 * which call of torch a package is made of it.
 */
#ifndef GEN_UNCOMPILED_H
#define GEN_UNCOMPILED_H

#include "package/archive.h"

/* True, with an error in `d`, for a file that is such by its name or its first bytes; it is no
 * archive. */
bool uncompiled_refuse_file(const char *path, diags *d);

/* Why an archive without a model of AOTInductor is none, by the names of its members; NULL if it is
 * nothing that is known. */
const char *uncompiled_describe(const archive *z);

#endif
