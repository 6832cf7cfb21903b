/* assemble.h - from source texts to one shared object: compiled side by side by their own recorded
 * commands, linked with the weights and the runtime.
 *
 * Everything is made in a private directory. Where the texts come from is the caller's: files (the
 * verb build), or a package's members.
 */
#ifndef GEN_TOOLCHAIN_ASSEMBLE_H
#define GEN_TOOLCHAIN_ASSEMBLE_H

#include "toolchain/compile.h"
#include "toolchain/gcc_pch.h"
#include "toolchain/weights.h"

/* One source text on its way to an object. */
typedef struct unit {
  const char *name; /* for messages, and what #line names where a copy is compiled */
  const char *at;
  size_t n;
  bool in_memory;    /* there is no file of that name: a copy is compiled */
  bool instrumented; /* it includes aotigen.h */
  bool levels_fixed; /* no level is given on its command line */
  command command;
  const char *copy; /* where a copy of the text is put */
  const char *object;
  job job;
} unit;

/* The container and the entry points, apart from the wrapper. */
typedef struct container_unit {
  unit unit;        /* unit.object: to be linked; NULL: the wrapper is compiled whole */
  const char *rest; /* of the wrapper's text */
  size_t rest_n;
  bool made; /* it was compiled, not found in the cache */
  build_cache cache;
} container_unit;

typedef struct assembly {
  const options *o;
  arena *a;
  diags *d;
  const char *dir; /* private; its own where there are several assemblies */
  compiler compiler;
  strings system; /* the compiler's own include directories */
  struct {
    unit *at;
    size_t n, cap;
  } units;
  strings objects;                   /* to be linked as they are */
  uint64_t text_bytes, object_bytes; /* of untrusted units, and what they were compiled to */
  headers headers;                   /* precompiled, for unit 0 */
  container_unit container;
  weights weights;
  const char *runtime, *runtime_include; /* libaotigen.a and where aotigen.h is, or NULL */
} assembly;

/* Adds a text and reads its recorded command; at most 32. NULL with the reason in `d`. A pointer is
 * good until the next is added. Units after the first use its torch and its trust. */
unit *assembly_add(assembly *w, const char *name, const char *at, size_t n);

/* The same for a text that was checked before, with the command that was read from it. */
unit *assembly_take(assembly *w, const char *name, const char *at, size_t n, const command *c);

/* Picks the compiler for the first unit, and says what this machine lacks for it: false where it is
 * needed. */
bool assembly_ready(assembly *w);

/* Looks for torch's headers, precompiled, or has them made beside the units: once for all models of
 * a package, which share `begun`. */
void assembly_precompile(assembly *w, headers_begun *begun);

/* Has the container of unit 0 compiled apart from it, or taken from the cache, where its text is
 * torch's own; before unit 0 is started. `original` is the wrapper before it was instrumented. */
void assembly_separate(assembly *w, const char *original, size_t n);

/* So few processors that what is made for the next model had better serve this one, too: compiling
 * without it meanwhile gains no time. */
bool assembly_few_processors(void);

/* Starts compiling unit i, once another has ended where enough run; with unit 0 its container.
 * False without a message where one has failed by then: assembly_wait() says why. */
bool assembly_start(assembly *w, size_t i);

/* Waits for all units that were started; false where one failed: then the rest is ended. */
bool assembly_wait(assembly *w);

/* Waits for what is made for the next models, and keeps it in the cache; when all is well.
 */
void assembly_keep(assembly *w);

/* Ends what is still being made for the next models. */
void assembly_drop(assembly *w);

/* What was compiled. */
strings assembly_objects(assembly *w);

/* Links all of it, by the command of the first unit. The shared object's name, in a private
 * directory; NULL where that fails. */
const char *assembly_link(assembly *w);

#endif
