/* replay_option.h - the options of replay alone: each function sets what a value says, and is false
 * where the value has another form. */
#ifndef GEN_REPLAY_OPTION_H
#define GEN_REPLAY_OPTION_H

#include "base/options.h"

bool replay_option_set_repeat(options *o, const char *value);
bool replay_option_set_launch(options *o, const char *value);
bool replay_option_add_library(options *o, const char *value);

#endif
