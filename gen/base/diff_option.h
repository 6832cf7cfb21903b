/* diff_option.h - the options of diff alone: each function sets what a value says, and is false
 * where the value has another form. */
#ifndef GEN_DIFF_OPTION_H
#define GEN_DIFF_OPTION_H

#include "base/options.h"

bool diff_option_set_run(options *o, const char *value);
bool diff_option_set_bound(options *o, const char *value);

#endif
