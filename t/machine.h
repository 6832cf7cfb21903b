/* machine.h - a made-up machine for the units of the front: a torch without content below a
 * temporary directory. */
#ifndef T_MACHINE_H
#define T_MACHINE_H

#include "command/command.h"
#include "unit.h"

typedef struct machine {
  arena *a;
  diags *d;
  const char *dir;
  options o;
} machine;

static inline const char *machine_path(const machine *m, const char *name) {
  return arena_printf(m->a, "%s/%s", m->dir, name);
}

static inline const char *machine_file(const machine *m, const char *name, const char *what) {
  const char *path = machine_path(m, name), *slash = strrchr(path, '/');
  unit_mkdirs(arena_strndup(m->a, path, (size_t)(slash - path)));
  unit_spew(path, what);
  return path;
}

/* PREFIX/torch of a version; gives its path. */
static inline const char *machine_torch(const machine *m, const char *prefix, const char *version) {
  const char *torch = *prefix ? arena_printf(m->a, "%s/torch", prefix) : "torch";
  machine_file(
      m, arena_printf(m->a, "%s/version.py", torch),
      arena_printf(m->a,
                   "from typing import Optional\n__all__ = ['__version__']\n__version__ = '%s'\n",
                   version));
  machine_file(m, arena_printf(m->a, "%s/include/torch/csrc/inductor/cpp_prefix.h", torch), "");
  machine_file(m, arena_printf(m->a, "%s/include/torch/csrc/api/include/torch/all.h", torch), "");
  machine_file(m, arena_printf(m->a, "%s/lib/libtorch_cpu.so", torch), "");
  return machine_path(m, torch);
}

BEFORE_EACH {
  static machine m;
  m = (machine){.a = arena_new(), .dir = unit_tempdir()};
  m.d = diags_new(m.a);
  m.o = (options){.python = "/nonexistent/python3", .env.tmpdir = "/tmp"};
  levels_default(&m.o.levels);
  *state = &m;
}

AFTER_EACH {
  machine *m = *state;
  unit_remove(m->dir);
  arena_free(m->a);
}

static inline bool machine_has(const strings *list, const char *what) {
  for (size_t i = 0; i < list->n; i++)
    if (!strcmp(list->at[i], what)) return true;
  return false;
}

#endif
