/* age.c - see age.h. Knows what changed from one version to the next; reads text only. */
#include "command/torch_version.h"
#include "command/flags.h"
#include <stdlib.h>
#include <string.h>

/* The oldest and the newest minor version that are told apart. */
enum { OLDEST = 6, OPEN = 99 };

static void at_least(command *c, unsigned minor) {
  if (minor > c->least) c->least = minor;
}

static void at_most(command *c, unsigned minor) {
  if (minor < c->most) c->most = minor;
}

static void by_flags(command *c) {
  bool abi = false, standard = false;
  for (size_t i = 0; i < c->compile.n; i++) {
    const char *f = c->compile.at[i];
    if (!strcmp(f, "-std=c++20")) at_least(c, 12);
    if (!strcmp(f, "-std=c++17")) at_most(c, 11);
    standard = standard || !strncmp(f, "-std=", 5);
    abi = abi || !strncmp(f, "-D_GLIBCXX_USE_CXX11_ABI=", 25);
    if (!strcmp(f, "-D_GLIBCXX_USE_CXX11_ABI=0")) at_most(c, 6);
    if (!strcmp(f, "-D_GLIBCXX_USE_CXX11_ABI=1")) {
      at_least(c, 7);
      at_most(c, 8);
    }
  }
  if (c->recorded && standard && !abi) at_least(c, 9);
}

void age_guess(command *c, const char *at, size_t n, const includes *list) {
  static const struct {
    const char *sign;
    unsigned least;
  } signs[] = {{"AOTInductorGetLastError", 15},
               {"assert_alignment(", 15},
               {"static_cast<const int64_t*>(std::array<", 14},
               {"this->device_idx_, stream, kernels", 8}};
  c->least = OLDEST;
  c->most = OPEN;
  if (c->recorded) by_flags(c);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (memmem(at, n, signs[i].sign, strlen(signs[i].sign))) at_least(c, signs[i].least);
  if (includes_has(list, "torch/csrc/inductor/cpp_prefix.h")) at_least(c, 8);
  for (size_t i = 0; i < list->n; i++)
    if (flag_cache_file(list->at[i].path, ".h")) at_most(c, 7);
  if (c->least > c->most || (c->least == OLDEST && c->most == OPEN)) c->least = c->most = 0;
}

/* "2.6", "2.9 to 2.11", "2.12 or newer". */
static const char *range(const command *c, arena *a) {
  if (c->most == OPEN) return arena_printf(a, "2.%u or newer", c->least);
  if (c->least == c->most) return arena_printf(a, "2.%u", c->least);
  if (c->least == OLDEST) return arena_printf(a, "2.%u or older", c->most);
  return arena_printf(a, "2.%u to 2.%u", c->least, c->most);
}

const char *command_mismatch(const command *c, arena *a) {
  unsigned major, minor;
  if (!c->least || !c->torch_version || sscanf(c->torch_version, "%u.%u", &major, &minor) != 2)
    return NULL;
  if (major == 2 && minor >= c->least && minor <= c->most) return NULL;
  return arena_printf(a,
                      "the wrapper was emitted by torch %s, the headers in '%s' are of %s: install "
                      "that version of torch and name it with --torch=DIR",
                      range(c, a), c->torch, c->torch_version);
}

void command_warn(const command *c, const char *file, arena *a, diags *d) {
  const char *mismatch = command_mismatch(c, a);
  if (mismatch) diag_warning(d, file, 0, 0, "%s", mismatch);
}
