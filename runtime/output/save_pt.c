/* save_pt.c - what torch.save() writes for one tensor, with its shape and strides. */
#include "output/save_format.h"
#include "output/torch_archive.h"

const char *ag_save_pt(int fd, ag_reader *reader, const ag_view *view, int64_t *data) {
  ag_torch_archive a;
  ag_text pickle = {0};
  ag_text_add(&pickle, AG_PICKLE_BEGIN);
  ag_pickle_tensor(&pickle, view, 0);
  ag_text_add(&pickle, AG_PICKLE_END);
  ag_archive_begin(&a, fd, "archive");
  ag_archive_add(&a, "data.pkl", pickle.data, pickle.length);
  *data = ag_archive_add_storage(&a, 0, reader, view);
  ag_text_free(&pickle);
  return ag_archive_end(&a);
}
