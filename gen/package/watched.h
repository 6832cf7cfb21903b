/* watched.h - makes a watch package from a package: beside each model's '.so', which is kept byte
 * for byte under another name, stands a library of ours in its place, which calls it and looks at
 * what it gives (toolchain/watch_library.h). No compiler takes part, and no torch.
 *
 * In a model's directory are then, for its member X.so:
 *
 *   X.so                  the library
 *   torch_model.original  what X.so was
 *   aotigen_watch.json    which model this is: {"aotigen": VERSION, "format": 1, "model": NAME,
 *                         "package": the input's absolute path, "so": "X.so", "so_bytes": N,
 *                         "so_hash": its hash (so_hash.h), "program": the aotigen
 *                         that made it, by which a finding may be diagnosed}
 *
 * The package is untrusted: nothing in it is run, and of its members only the dynamic symbols of
 * each '.so' are read, in a confined child.
 */
#ifndef GEN_WATCHED_H
#define GEN_WATCHED_H

#include "base/options.h"

#define WATCHED_NOTE "aotigen_watch.json"

/* From o->input, which is a package or not, to o->output. After an error, which is in `d`, there is
 * no output. */
void watched_make(const options *o, bool package, arena *a, diags *d);

#endif
