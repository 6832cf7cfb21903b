/* age.h - which versions of torch a wrapper may come from: it does not say, but its forms do
 * (facts.md, section 6). */
#ifndef GEN_AGE_H
#define GEN_AGE_H

#include "command/command.h"
#include "command/includes.h"

/* Narrows c->least and c->most by the text and by the recorded flags (as they stood, before
 * anything was replaced). */
void age_guess(command *c, const char *at, size_t n, const includes *list);

#endif
