/* last_error.h - the text of a run that a finding has ended, for torch's exception. Inside the
 * library only. All is of the calling thread. */
#ifndef AOTIGEN_LAST_ERROR_H
#define AOTIGEN_LAST_ERROR_H

/* Notes what was found. It is no error yet: the run may be told alone. */
void ag_last_error_note(const char *text);

/* The run ends with an error by what was noted. */
void ag_last_error_raise(void);

/* The text of that error, once, so that a later failure of another call has none of ours; NULL if
 * there is none. It stays until the next finding. */
const char *ag_last_error_take(void);

#endif
