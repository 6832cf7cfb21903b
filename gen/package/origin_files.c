/* origin_files.c - see package.h. Knows where an exported program's graph stands in its
 * archive. */
#include "package/package.h"
#include "base/file.h"
#include "system/input.h"
#include <string.h>

enum { EXPORTED_MAX = 300 << 20 };

bool origin_is_graph(const char *name) {
  const char *models = strstr(name, "/models/");
  if (!strncmp(name, "models/", 7)) models = name;
  return (models && file_ends_with(name, ".json")) ||
         !strcmp(file_name(name), "serialized_exported_program.json");
}

/* The index of the member with the graph, or the number of members with an error. */
static size_t find_graph(const archive *z, diags *d) {
  size_t found = z->members.n;
  for (size_t i = 0; i < z->members.n; i++) {
    if (!origin_is_graph(z->members.at[i].name)) continue;
    if (found < z->members.n) {
      diag_error(d, STATUS_INPUT, z->path,
                 "holds more than one exported program: give one that torch.export.save() wrote");
      return z->members.n;
    }
    found = i;
  }
  if (found == z->members.n)
    diag_error(d, STATUS_INPUT, z->path,
               "holds no exported program: no 'models/NAME.json' is in it; give what "
               "torch.export.save() wrote with --exported=FILE");
  return found;
}

static const char *read_archive(const char *path, size_t *n, const options *o, arena *a, diags *d) {
  archive z;
  const char *text = NULL;
  if (archive_open(&z, path, o, a, d)) {
    size_t graph = find_graph(&z, d);
    if (graph < z.members.n)
      text = archive_read_long_text(&z, graph, EXPORTED_MAX,
                                    "is too large to be an exported program (more than 300 MiB)", n,
                                    a, d);
  }
  archive_close(&z);
  return text;
}

/* True for "ROOT/models/NAME.json". */
static bool is_graph_of(const char *member, const char *of) {
  const char *name = file_name(member);
  const size_t n = strlen(of);
  return origin_is_graph(member) && !strncmp(name, of, n) && !strcmp(name + n, ".json");
}

/* The member with the program of that model: the one of its name, or the only one. */
static size_t find_packaged(const archive *z, const char *of) {
  size_t found = PACKAGE_NO_MEMBER, n = 0;
  for (size_t i = 0; i < z->members.n; i++) {
    if (!origin_is_graph(z->members.at[i].name)) continue;
    if (is_graph_of(z->members.at[i].name, of)) return i;
    found = i;
    n++;
  }
  return n == 1 ? found : PACKAGE_NO_MEMBER;
}

bool origin_files_read_packaged(companion_texts *companions, const archive *z, const char *of,
                                arena *a, diags *d) {
  const size_t member = companions->exported ? PACKAGE_NO_MEMBER : find_packaged(z, of);
  if (member == PACKAGE_NO_MEMBER || z->members.at[member].size > EXPORTED_MAX) return true;
  companions->exported_packaged = true;
  companions->exported_path = archive_member_path(z, member, a);
  companions->exported = archive_read_long_text(
      z, member, EXPORTED_MAX, "is too large to be an exported program (more than 300 MiB)",
      &companions->exported_n, a, d);
  return companions->exported != NULL;
}

bool origin_files_read(companion_texts *companions, const options *o, arena *a, diags *d) {
  if (o->files.exported) {
    companions->exported_path = o->files.exported;
    companions->exported_compared = o->compare.package != NULL;
    companions->exported = archive_detect(o->files.exported)
                               ? read_archive(o->files.exported, &companions->exported_n, o, a, d)
                               : input_read(o->files.exported, &companions->exported_n, a, d);
    if (!companions->exported) return false;
  }
  if (o->files.provenance) {
    companions->provenance_path = o->files.provenance;
    companions->provenance_packaged = false;
    companions->provenance = input_read(o->files.provenance, &companions->provenance_n, a, d);
    if (!companions->provenance) return false;
  }
  return true;
}
