/* replay_option.c - see replay_option.h. */
#include "base/replay_option.h"
#include "base/file.h"
#include "base/option_value.h"
#include <stdlib.h>
#include <string.h>

bool replay_option_set_repeat(options *o, const char *value) {
  enum { MOST = 100000 };
  const size_t n = strspn(value, "0123456789");
  o->replay.repeat = n && n <= 6 && !value[n] ? (unsigned)atoi(value) : 0;
  return o->replay.repeat > 0 && o->replay.repeat <= MOST;
}

bool replay_option_set_launch(options *o, const char *value) {
  const size_t n = strspn(value, "0123456789");
  o->replay.launch = n && n <= 9 && !value[n] ? (unsigned)atoi(value) : 0;
  return o->replay.launch > 0;
}

bool replay_option_add_library(options *o, const char *value) {
  if (o->replay.nlibraries == REPLAY_LIBRARIES || !option_value_is_path(value)) return false;
  o->replay.libraries[o->replay.nlibraries++] = value;
  return file_ends_with(value, ".so") || file_ends_with(value, ".py");
}
