/* uncompiled.c - see uncompiled.h. */
#include "package/uncompiled.h"
#include "base/file.h"
#include "package/package.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define AND_PACKAGE                                                                                \
  "torch._inductor.aoti_compile_and_package(torch.export.export(MODULE, ARGS), "                   \
  "package_path='model.pt2') makes a package of the module"

static const char eager[] =
    "is what torch.save() wrote, a module or weights of eager PyTorch: " AND_PACKAGE;

/* Pickle's protocol 2 and above begin so: what torch.save() wrote before there were archives. */
static bool is_pickle(const char *path) {
  unsigned char head[2] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
  if (fd >= 0) close(fd);
  return n == sizeof head && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5;
}

bool uncompiled_refuse_file(const char *path, diags *d) {
  const char *why = NULL;
  if (file_ends_with(path, ".py") || file_ends_with(path, ".ipynb"))
    why = "is Python's source, and aotigen takes what torch compiled: " AND_PACKAGE;
  else if (is_pickle(path))
    why = eager;
  if (!why || access(path, R_OK) != 0) return false;
  diag_error(d, STATUS_INPUT, path, "%s", why);
  return true;
}

/* True for "NAME" and "ROOT/NAME". */
static bool is_named(const char *member, const char *name) {
  const char *slash = strchr(member, '/');
  return !strcmp(member, name) || (slash && !strcmp(slash + 1, name));
}

static bool has_named(const archive *z, const char *name) {
  for (size_t i = 0; i < z->members.n; i++)
    if (is_named(z->members.at[i].name, name)) return true;
  return false;
}

static bool has_program(const archive *z) {
  for (size_t i = 0; i < z->members.n; i++)
    if (origin_is_graph(z->members.at[i].name)) return true;
  return false;
}

const char *uncompiled_describe(const archive *z) {
  if (has_named(z, "capsule.json"))
    return "is a capsule of a watched run, and no package: 'aotigen replay FILE' replays it";
  if (has_program(z))
    return "is an exported program, without compiled code: "
           "torch._inductor.aoti_compile_and_package(torch.export.load(FILE), "
           "package_path='model.pt2') makes a package of it";
  if (has_named(z, "constants.pkl"))
    return "is a module of TorchScript, without code of AOTInductor: " AND_PACKAGE;
  return has_named(z, "data.pkl") ? eager : NULL;
}
