/* bad.h - the kinds of values that are not finite, a bit each: those that a scan finds, and those
 * that a kernel's text stores on purpose. */
#ifndef AOTIGEN_SHARED_BAD_H
#define AOTIGEN_SHARED_BAD_H

enum ag_bad { AG_NAN = 1, AG_POS_INF = 2, AG_NEG_INF = 4, AG_INF = AG_POS_INF | AG_NEG_INF };

#endif
