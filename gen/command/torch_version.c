/* torch_version.c - see torch_version.h. */
#include "command/torch_version.h"
#include "command/flags.h"
#include <string.h>

/* The oldest minor version that is distinguished, and the value that means no upper limit. */
enum { OLDEST = 6, OPEN = 99 };

static void raise_least(command *c, unsigned minor) {
  if (minor > c->least) c->least = minor;
}

static void lower_most(command *c, unsigned minor) {
  if (minor < c->most) c->most = minor;
}

static void read_flags(command *c) {
  bool abi = false, standard = false;
  for (size_t i = 0; i < c->compile.n; i++) {
    const char *f = c->compile.at[i];
    if (!strcmp(f, "-std=c++20")) raise_least(c, 12);
    if (!strcmp(f, "-std=c++17")) lower_most(c, 11);
    standard = standard || !strncmp(f, "-std=", 5);
    abi = abi || !strncmp(f, "-D_GLIBCXX_USE_CXX11_ABI=", 25);
    if (!strcmp(f, "-D_GLIBCXX_USE_CXX11_ABI=0")) lower_most(c, 6);
    if (!strcmp(f, "-D_GLIBCXX_USE_CXX11_ABI=1")) {
      raise_least(c, 7);
      lower_most(c, 8);
    }
  }
  if (c->recorded && standard && !abi) raise_least(c, 9);
}

void torch_version_guess(command *c, const char *at, size_t n, const includes *list) {
  static const struct {
    const char *sign;
    unsigned least;
  } signs[] = {{"assert_alignment(", 15},
               {"static_cast<const int64_t*>(std::array<", 14},
               {"AOTInductorGetLastError", 13},
               {"this->device_idx_, stream, kernels", 8}};
  c->least = OLDEST;
  c->most = OPEN;
  if (c->recorded) read_flags(c);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (memmem(at, n, signs[i].sign, strlen(signs[i].sign))) raise_least(c, signs[i].least);
  if (includes_has(list, "torch/csrc/inductor/cpp_prefix.h")) raise_least(c, 8);
  for (size_t i = 0; i < list->n; i++)
    if (flags_is_cache_file(list->at[i], ".h")) lower_most(c, 7);
  if (c->least > c->most || (c->least == OLDEST && c->most == OPEN)) c->least = c->most = 0;
}

const char *torch_version_range(const command *c, arena *a) {
  if (!c->least) return NULL;
  if (c->most == OPEN) return arena_printf(a, "2.%u or newer", c->least);
  if (c->least == c->most) return arena_printf(a, "2.%u", c->least);
  if (c->least == OLDEST) return arena_printf(a, "2.%u or older", c->most);
  return arena_printf(a, "2.%u to 2.%u", c->least, c->most);
}

const char *torch_version_mismatch(const command *c, arena *a) {
  unsigned major, minor;
  if (!c->least || !c->torch_version || sscanf(c->torch_version, "%u.%u", &major, &minor) != 2)
    return NULL;
  if (major == 2 && minor >= c->least && minor <= c->most) return NULL;
  return arena_printf(a,
                      "the wrapper was emitted by torch %s, the headers in '%s' are of %s: install "
                      "that version of torch and name it with --torch=DIR",
                      torch_version_range(c, a), c->torch, c->torch_version);
}

void torch_version_warn(const command *c, const char *file, arena *a, diags *d) {
  const char *mismatch = torch_version_mismatch(c, a);
  if (mismatch) diag_warning(d, file, "%s", mismatch);
}
