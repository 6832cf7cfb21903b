/* package.h - which members of an archive make up a model.
 *
 * Knows how torch 2.6 to 2.15 names members: a model's wrapper, kernels and '.so' stand together in
 * ROOT/data/aotinductor/NAME/; packages of 2.6 have no ROOT/.
 */
#ifndef GEN_PACKAGE_H
#define GEN_PACKAGE_H

#include "model/model.h"
#include "base/options.h"
#include "package/archive.h"

#define PACKAGE_NO_MEMBER ((size_t)-1)

/* The directory of the models' own directories. */
#define PACKAGE_MODELS_DIR "data/aotinductor/"

/* What a model's '.so' is called where it is watched (watched.h). */
#define WATCHED_ORIGINAL "torch_model.original"

/* Members are given as indices into the archive's list. */
typedef arena_list(size_t) package_members;

typedef struct package_model {
  const char *name; /* the name that torch's loader uses; may contain '/' */
  const char *dir;  /* the directory of its members, ending in '/' */
  /* PACKAGE_NO_MEMBER if there is none; ops: wrapper.json, origins: kernel_information.json */
  size_t wrapper, so, ops, origins;
  size_t original;         /* of a watched model: what its '.so' was */
  package_members kernels; /* .kernel.cpp */
  package_members objects; /* .o: in a package that holds sources only */
  package_members headers; /* .h: of a model that is to be linked statically */
} package_model;

typedef arena_list(package_model) package_models;

/* The models in the archive's order; only the one named `only` unless that is NULL. False with the
 * reason in `d` if there is none, none of that name, or if two members could play one role. */
bool package_find_models(package_models *p, const archive *z, const char *only, arena *a, diags *d);

/* The same of models that have a '.so', with or without a wrapper; refuses one that has none. */
bool package_find_compiled(package_models *p, const archive *z, const char *only, arena *a,
                           diags *d);

/* True, with an error, for a model that is watched: another package has what it is made of. */
bool package_refuse_watched(const package_model *m, const archive *z, arena *a, diags *d);

/* ---- reads the files that tell a model's own lines: --exported and --provenance */

/* True for the member of an exported program's archive that has its graph:
 * "ROOT/models/model.json"; in torch 2.6 to 2.7 "serialized_exported_program.json". */
bool origin_is_graph(const char *member);

/* Reads the text of the exported program, from the archive that torch.export.save() writes or from
 * its JSON file, and that of the provenance file; none if the option is not given. False with an
 * error in `d`. */
bool origin_files_read(companion_texts *companions, const options *o, arena *a, diags *d);

/* Reads the exported program that a package carries for that model, which has its name or is the
 * only one. Nothing if there is none, if it is larger than any, or if `companions` has one. */
bool origin_files_read_packaged(companion_texts *companions, const archive *z, const char *of,
                                arena *a, diags *d);

#endif
