/* saver.h - level 1 of the printer: tensors as files. Inside the library only. */
#ifndef AOTIGEN_SAVER_H
#define AOTIGEN_SAVER_H

#include "output/handed_on.h"
#include "state/launch_record.h"

/* How the tensors of a run are saved. */
typedef struct ag_save_mode {
  void *stream; /* the run's */
  const ag_async
      *async; /* copies tensors of the device without waiting; NULL: each is read at once */
  int32_t device_type, device_index;
  ag_handed_on **handed_on; /* the run state's */
  const ag_ranges *weights; /* likewise */
  const char *refusal;      /* why no tensor of the run can be saved, or NULL */
} ag_save_mode;

void ag_saver_launch(const ag_save_mode *mode, const ag_launch *l, const ag_record *record,
                     enum ag_when when);
void ag_saver_input(const ag_save_mode *mode, const ag_launch *l, const aotigen_input *input,
                    const ag_view *view);

#endif
