/* assemble.h - from source texts to one shared object: compiled side by side by their own recorded
 * commands, linked with the weights and the runtime.
 *
 * Everything is made in a private directory. Where the texts come from is the caller's: files (the
 * verb build), or a package's members.
 */
#ifndef GEN_ASSEMBLE_H
#define GEN_ASSEMBLE_H

#include "build/compile.h"
#include "build/gcc_pch.h"
#include "build/weights.h"

/* One source text on its way to an object. */
typedef struct unit {
  const char *name; /* for messages, and what #line names where a copy is compiled */
  const char *at;
  size_t n;
  bool in_memory;    /* there is no file of that name: a copy is compiled */
  bool instrumented; /* it includes aotigen.h */
  command command;
  const char *object;
  job job;
} unit;

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
  strings objects; /* to be linked as they are */
  headers headers; /* precompiled, for unit 0 */
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

/* Has torch's headers at hand, precompiled, when unit 0 is started. */
void assembly_precompile(assembly *w);

/* Starts compiling unit i. */
bool assembly_start(assembly *w, size_t i);

/* Waits for all units that were started; false where one failed: then the rest is ended. */
bool assembly_wait(assembly *w);

/* Links all of it, by the command of the first unit, into `so`. */
bool assembly_link(assembly *w, const char *so);

#endif
