/* container.h - the part of a wrapper that is the same in every model: the container and the entry
 * points, which torch copies from its own interface.cpp.
 *
 * Separate from the wrapper, it is compiled once for a torch and a set of flags. Only text that is
 * torch's own, byte for byte, is taken out, with what aotigen inserted in it.
 */
#ifndef GEN_TOOLCHAIN_CONTAINER_H
#define GEN_TOOLCHAIN_CONTAINER_H

#include "base/arena.h"

typedef struct container_cut {
  strbuf container; /* a source of its own: the entry points */
  strbuf rest;      /* the wrapper without them */
} container_cut;

/* A wrapper's text: as torch emitted it, and as it is compiled (the same unless `instrumented`). */
typedef struct wrapper_text {
  const char *original;
  size_t original_n;
  const char *at;
  size_t n;
  bool instrumented;
  bool on;          /* one of the levels is not 0 */
  const char *name; /* the name of the wrapper, for #line */
} wrapper_text;

/* Cuts `text` in two, by the interface.cpp below the directory `torch`. False if the wrapper
 * does not hold that text, or holds code that cannot be compiled without it. The caller frees
 * the texts. */
bool container_separate(container_cut *cut, const wrapper_text *text, const char *torch, arena *a);

/* The list of headers (pch_headers.h) of what container_separate() leaves of a wrapper, and a
 * declaration that what the container's half makes of std::regex, which torch reads a device's name
 * with, is made elsewhere: half of the time that a small wrapper takes. Empty if the wrapper stays
 * whole. The caller frees the text. */
strbuf container_apart_headers(const wrapper_text *w, const char *torch, arena *a);

/* False if an object that was compiled behind this list uses std::regex itself, or cannot be read:
 * it has to be compiled without. */
bool container_is_apart(const char *object);

#endif
