/* debug_library.c - see debug_library.h. */
#include "run/debug_library.h"
#include "package/package.h"
#include "package/so_hash.h"
#include "run/debug_package.h"
#include "system/atomic_output.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_of_hash(const archive *z, size_t so, const options *o, arena *a, diags *d) {
  const char *hash = so_hash_member(z, so, a, d);
  if (!hash) return false;
  if (!strcmp(hash, o->output.library_of)) return true;
  diag_error(d, STATUS_INPUT, o->input,
             "was made anew since: its '.so' has the hash %s, and --library-of wants %s", hash,
             o->output.library_of);
  return false;
}

static bool check_build(const options *o, arena *a, diags *d) {
  archive z;
  package_models one;
  bool ok = archive_open(&z, o->input, o, a, d) &&
            package_find_compiled(&one, &z, o->model, a, d) && one.n == 1 &&
            !package_refuse_watched(&one.at[0], &z, a, d) && is_of_hash(&z, one.at[0].so, o, a, d);
  archive_close(&z);
  return ok;
}

/* Whole or not at all: a program loads it. */
static void extract(const char *package, const options *o, arena *a, diags *d) {
  const char *to = o->output.path, *part = arena_printf(a, "%s.%ld.part", to, (long)getpid());
  archive z;
  package_models one;
  bool ok = archive_open(&z, package, o, a, d) &&
            package_find_compiled(&one, &z, o->model, a, d) &&
            archive_extract(&z, one.at[0].so, part, a, d);
  archive_close(&z);
  if (ok && rename(part, to) != 0)
    diag_error(d, STATUS_INPUT, to, "cannot be written: %s", strerror(errno));
  unlink(part);
}

void debug_library_write(const options *o, arena *a, diags *d) {
  options kept = *o;
  kept.output = (option_output){.cached = true};
  if (!o->model || !o->output.path || !strcmp(o->output.path, "-") || o->dump) {
    diag_error(d, STATUS_USAGE, o->input,
               "--library-of wants --model=NAME and --output=FILE alone");
    return;
  }
  if (!atomic_output_check(o->output.path, o->input, d) || !check_build(o, a, d)) return;
  const char *package = debug_package_keep(&kept, a, d);
  if (package) extract(package, o, a, d);
}
