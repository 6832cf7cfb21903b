/* command.h - the `// Compile cmd` and `// Link cmd` comments of a wrapper or kernel file, made
 * safe.
 *
 * A recorded command is text that anyone can write. It is split into words and read as flags; only
 * those on a list of known harmless kinds are taken over, paths in it are roles and never places to
 * read or write, and what asks for more (a plugin, another compiler, a response file, specs, a
 * shell) refuses the file. Nothing is run by this stage but, where torch must be found, `python3`
 * by fork and exec.
 */
#ifndef GEN_COMMAND_H
#define GEN_COMMAND_H

#include "base/options.h"

typedef struct command {
  bool recorded;   /* false: the file has no such comment, and the flags are a default */
  bool clang;      /* the recorded compiler is a clang; else a g++ */
  strings compile; /* flags, in order: -D, -U, -std=, -O, -f, -m, -W, -I... that exist here;
                      torch's, Python's and CUDA's include directories among them. Each is one word;
                      no source, no -c, no -o */
  strings link;    /* -l, -L, -Wl,-rpath, -shared, -fopenmp...: allowed ones, with directories that
                      exist here */
  strings
      dropped; /* what was left out and is harmless to lose: "-include /tmp/.../x.h", "-I/gone" */
  const char *torch;         /* the torch directory in use ("…/site-packages/torch") */
  const char *torch_version; /* "2.11.0+cu130" as its headers or version.py say, or NULL */
  unsigned least, most; /* the versions 2.least to 2.most of torch that such a wrapper comes from,
                           by signs in its text and command; 0: no sign */
  bool cuda;            /* the command says USE_CUDA, or the includes do */
  strings
      includes_missing; /* cache files that the text includes by absolute path and that are gone: */
  strings includes_replacement; /* what to include instead, one for each */
  const char *clang_headers; /* the directory of clang's own headers (stddef.h), for libclang; NULL:
                                its default */
} command;

/* Reads the last such comments of the n bytes at `at` (of `file`). A refusal is in `d`, with its
 * line and column. */
bool command_read(command *c, const char *file, const char *at, size_t n, const options *o,
                  arena *a, diags *d);

/* Why the headers in use are likely of another version than the wrapper, with what to do; NULL
 * where nothing speaks for it. */
const char *command_mismatch(const command *c, arena *a);

/* Warns of it. */
void command_warn(const command *c, const char *file, arena *a, diags *d);

/* --dump=command. */
void command_dump(const command *c, FILE *to);

#endif
