/* checks.h - the checks of shared/checks.def. */
#ifndef AOTIGEN_SHARED_CHECKS_H
#define AOTIGEN_SHARED_CHECKS_H

enum ag_check {
#define CHECK(name, ...) AG_CHECK_##name,
#include "shared/checks.def"
  AG_CHECKS
};

enum ag_listed {
#define LISTED(name, text) AG_LISTED_##name,
#include "shared/checks.def"
  AG_LISTED,
  AG_LISTED_NONE
};

enum ag_concern { AG_CONCERNS_NOTHING = 0, AG_CONCERNS_SHAPE = 1, AG_CONCERNS_DTYPE = 2 };

/* "data pointer" */
const char *ag_check_name(enum ag_check check);
enum ag_concern ag_check_concern(enum ag_check check);
/* "data"; not for AG_LISTED_NONE. */
const char *ag_listed_name(enum ag_listed listed);

#endif
