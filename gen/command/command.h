/* command.h - the flags of a wrapper or kernel file, from its `// Compile cmd` and `// Link cmd`.
 *
 * Anyone can write these comments, so only flags on a list of harmless kinds are used (flags.h),
 * and paths in them are never read or written. What asks for more refuses the file: a plugin,
 * another compiler, a response file, a shell. Runs nothing but `python3`, to find torch (locate.h).
 */
#ifndef GEN_COMMAND_H
#define GEN_COMMAND_H

#include "base/options.h"

/* A text with recorded commands. */
typedef struct command_input {
  const char *file; /* for messages */
  const char *at;
  size_t n;
  const options *options;
  const char *torch; /* the torch to use, or NULL: that of --torch, or what is found */
  bool untrusted; /* a package's: only headers of torch, Python, CUDA, the compiler and the system
                     may be read */
} command_input;

typedef struct command {
  bool untrusted;  /* as the input was */
  bool recorded;   /* false: the file has no such comment, and the flags are defaults */
  bool windows;    /* the recorded compiler makes programs for Windows: its flags are not read, and
                      the defaults only parse the text */
  bool clang;      /* the recorded compiler is clang, not g++ */
  strings compile; /* flags, each one word, without source, -c and -o: -D, -U, -std=, -O, -f, -m, -W
                      and directories that exist, also those of torch, Python and CUDA */
  strings
      link; /* flags: -l, -shared and so on, and -L and -Wl,-rpath with directories that exist */
  strings dropped;     /* what is left out and not needed: "-include /tmp/.../x.h", "-I/gone" */
  const char *torch;   /* the torch directory in use ("…/site-packages/torch") */
  strings torch_links; /* the directories that its files are links to, where the user chose it and
                          the command is untrusted */
  const char *torch_version; /* "2.11.0+cu130", as its version.py or headers say, or NULL */
  unsigned least, most;      /* torch 2.least to 2.most can have emitted the wrapper; 0: unknown */
  bool cuda;                 /* the flags say USE_CUDA, or the text includes CUDA's headers */
  strings includes_missing; /* cache files that the text includes by absolute path and that must not
                               or cannot be read */
  strings includes_replacement; /* what to include instead, one for each */
  strings headers_beside; /* the headers that stand beside a package's source, by their names; the
                             caller adds them: the parser reads these texts and no file */
  strings headers_beside_text; /* one for each */
  const char *clang_headers;   /* the directory of clang's own headers (stddef.h), or NULL */
} command;

/* Reads the last such comments of a text. False where they are refused, or headers are not found:
 * `d` says why. */
bool command_read(command *c, const command_input *in, arena *a, diags *d);

/* The words of the last recorded compile command, as recorded; none where there is none, or where a
 * shell would do more with it than start one program. */
strings command_recorded_words(const command_input *in, arena *a);

/* What the last recorded link command of a text makes of what, by names without directories. */
typedef struct command_linked {
  const char *result; /* "model.so"; NULL where there is no such command, or it is not read */
  strings objects;    /* "HASH.kernel.o" */
} command_linked;

command_linked command_read_linked(const char *text, size_t n, arena *a);

/* The sources of kernels that it links, of which the wrapper stands in another file: as torch names
 * them, "HASH.kernel.cpp". */
strings command_linked_kernels(const command_linked *l, arena *a);

/* The include directories of its flags, absolute ones, and those of what is included instead of a
 * cache file. */
strings command_include_dirs(const command *c, arena *a);

/* --dump=command. */
void command_dump(const command *c, FILE *to);

#endif
