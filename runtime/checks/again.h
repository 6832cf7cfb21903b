/* again.h - findings that come again: on stderr the first is told in full, the others are folded.
 * Inside the library only.
 *
 * Two reports are of the same finding if they are of the same model, and their heads, but for the
 * run's number, the names of the outputs and arguments below, and what is bad or was expected of
 * each are the same, and the operation at which `how` begins, where both have one: a launch
 * computes several lines of the model. Elements and values may differ. A finding that comes again
 * has a line at its 1st, 2nd, 4th, 8th return, and so on, so that a process that is killed has told
 * half of them; and a last line when the process exits or the model is unloaded. Of a model
 * AOTIGEN_REPORTS findings are told in full, each other one in a line. Nothing is folded with
 * AOTIGEN_REPORTS=all.
 *
 * The log has the events of each run: none is folded. Any thread may call. Without memory a report
 * is told in full. */
#ifndef AOTIGEN_AGAIN_H
#define AOTIGEN_AGAIN_H

#include "base/text.h"
#include "state/model_state.h"

enum ag_telling {
  AG_TELL_IN_FULL,
  AG_TELL_FOLDED, /* it was told in full before */
  AG_TELL_LIMITED /* never in full, since AOTIGEN_REPORTS findings were */
};

/* Decides what becomes of a report, and counts it. `line` gets what is to be written in its place,
 * nothing where this return has no line. A report whose head names no run is told in full. */
enum ag_telling ag_again_note(ag_model_state *m, const char *report, ag_text *line);

#endif
