/* earlier_file.h - the files that were saved last for a tensor of the same memory and form, and for
 * the same argument in an earlier run, to which a new name may be linked. Inside the library only.
 *
 * What a launch reads as the one before it left it, and in a run with the same inputs everything,
 * has the bytes of one of them. Nothing is taken for unchanged: the elements are compared with
 * those in the files. A file that was changed or replaced since is not used. */
#ifndef AOTIGEN_EARLIER_FILE_H
#define AOTIGEN_EARLIER_FILE_H

#include "tensor/reader.h"

enum { AG_EARLIER_BLOCK = 128 << 10 };

typedef struct ag_earlier_file {
  struct ag_candidate {
    int fd;       /* open for reading */
    int64_t data; /* where its elements begin */
  } found[2];
  int nfound;       /* of them; all have the elements that were found to be the same */
  ag_tensor tensor; /* in the order of the elements in a file */
  ag_reader *reader;
  int64_t same, block; /* as many elements are the files'; so many behind them were read */
  char *read, *filed;  /* a block of each */
} ag_earlier_file;

/* reader: open on `view`; both outlive the file. npy: the file's format. place: which argument of
 * which launch it is, in any run. Never fails: where there is no such file,
 * ag_earlier_file_is_same() returns false. */
void ag_earlier_file_open(ag_earlier_file *f, ag_reader *reader, const ag_view *view, bool npy,
                          const char *place);
/* Reads and compares the elements. True if found[0] has them all. */
bool ag_earlier_file_is_same(ag_earlier_file *f);
/* The elements from the first on, once more, for a reader that can be asked for each only once.
 * Valid until the file is closed. */
ag_reader ag_earlier_file_reread(ag_earlier_file *f);
/* Gives an open file one more name. False if the file system does not, or has a file of that name,
 * which errno tells. */
bool ag_earlier_file_link(int fd, const char *name);
void ag_earlier_file_close(ag_earlier_file *f);

/* What a file's bytes follow from, but for the elements, and where these are; and its hash. The
 * caller frees the key. */
void ag_earlier_file_key(ag_text *key, const ag_view *view, bool npy);
uint64_t ag_earlier_file_hash(const ag_text *key);

/* fd: a file that was written whole, whose elements begin at `data`: the next one of this form and
 * of this memory or place may be linked to it. */
void ag_earlier_file_keep(const ag_view *view, bool npy, const char *place, const char *name,
                          int fd, int64_t data);

#endif
