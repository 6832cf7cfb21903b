/* identity.h - which package this watched model is of: what aotigen_watch.json beside the library
 * says. Inside the library only. Any thread may call. */
#ifndef AOTIGEN_IDENTITY_H
#define AOTIGEN_IDENTITY_H

#include <stdbool.h>

/* The JSON object, as `aotigen watch` wrote it; "null" if there is none. Never freed. */
const char *ag_watch_identity(void);

/* "'model' of '/srv/model.pt2'", for reports. Never freed. */
const char *ag_watch_identity_name(void);

/* The text of a field of it; "?" if it has none; NULL if there is no memory. The caller frees
 * it. */
char *ag_watch_identity_text(const char *field);

/* An entry point updates the weights. has_run: the model has run before; until then it may be the
 * loader, which brings weights that lie in the package beside the library. */
void ag_watch_note_update(bool has_run);
/* "as loaded", "updated before the first run", or "updated". */
const char *ag_watch_weights(void);

#endif
