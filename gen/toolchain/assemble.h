/* assemble.h - from source texts to one shared object: compiled in parallel by their own recorded
 * commands, linked with the weights and the runtime.
 *
 * Everything is made in a private directory. The caller decides where the texts come from: files
 * (the verb build), or a package's members.
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
  const char *copy; /* the path of a copy of the text */
  const char *object;
  job job;
  bool made; /* the object was compiled, not found in the cache; only of what can be kept there */
  build_cache cache;
} unit;

/* The container and the entry points, separate from the wrapper. */
typedef struct container_unit {
  unit unit;        /* unit.object: to be linked; NULL: the wrapper is compiled whole */
  const char *rest; /* the rest of the wrapper's text */
  size_t rest_n;
  bool headers; /* those that are precompiled are for the rest alone */
} container_unit;

typedef struct assembly {
  const options *o;
  arena *a;
  diags *d;
  const char *dir; /* private; its own where there are several assemblies */
  compiler compiler;
  strings system; /* the compiler's own include directories */
  arena_list(unit) units;
  strings objects;                   /* to be linked as they are */
  uint64_t text_bytes, object_bytes; /* the sizes of untrusted units and of their objects */
  headers headers;                   /* precompiled, for unit 0 */
  container_unit container;
  weights weights;
  const char *runtime, *runtime_include; /* libaotigen.a and where aotigen.h is, or NULL */
} assembly;

/* Adds a text and reads its recorded command; at most 32. NULL with the reason in `d`. A pointer is
 * valid until the next text is added. Units after the first use its torch and its trust. */
unit *assembly_add(assembly *w, const char *name, const char *at, size_t n);

/* The same for a text that was already checked, with the command that was read from it. */
unit *assembly_take(assembly *w, const char *name, const char *at, size_t n, const command *c);

/* Picks the compiler for the first unit, and reports what this machine lacks for it. False if that
 * is needed. */
bool assembly_ready(assembly *w);

/* Looks for torch's precompiled headers, or starts to make them while the units are compiled: once
 * for all models of a package, which share `begun`. */
void assembly_precompile(assembly *w, headers_begun *begun);

/* If the container's text in unit 0 is torch's own, compiles it separately, or takes it from the
 * cache. Call it before unit 0 is started. `original` is the wrapper before it was instrumented. */
void assembly_separate(assembly *w, const char *original, size_t n);

/* True with so few processors that what is made for the next model should serve this one, too:
 * compiling without it meanwhile saves no time. */
bool assembly_few_processors(void);

/* Starts compiling unit i, and with unit 0 its container; a package's kernels and the container are
 * taken from the cache where they are there. Waits first if enough jobs run. False, without a
 * message, if a job has already failed: assembly_wait() says why. */
bool assembly_start(assembly *w, size_t i);

/* Waits for all units that were started. False if one failed: then the others are killed. */
bool assembly_wait(assembly *w);

/* Waits for what is made for the next models, and keeps it in the cache, with the objects of
 * kernels and of the container. Call it after success. */
void assembly_keep(assembly *w);

/* Kills the jobs that make something for the next models. */
void assembly_drop(assembly *w);

/* The objects that were compiled. */
strings assembly_objects(assembly *w);

/* Links all objects, by the command of the first unit. Returns the shared object's name, in a
 * private directory; NULL if that fails. */
const char *assembly_link(assembly *w);

#endif
