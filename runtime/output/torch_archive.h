/* torch_archive.h - writes files as torch.save() does: a ZIP whose members are stored, with a
 * pickle, protocol 2, of tensors and what holds them, and the bytes of each storage.
 * torch.load(weights_only=True) opens it. Inside the library only.
 *
 * An archive belongs to one thread. What fails is kept in it until ag_archive_end() returns it, and
 * nothing more is written. */
#ifndef AOTIGEN_TORCH_ARCHIVE_H
#define AOTIGEN_TORCH_ARCHIVE_H

#include "tensor/reader.h"

struct ag_archive_member {
  char name[64];
  int64_t header, data; /* offsets */
  uint64_t size;
  uint32_t crc;
};

typedef struct ag_torch_archive {
  int fd;
  const char *root; /* the directory of all members */
  int64_t offset;   /* where the next member begins */
  ag_text waiting;  /* bytes that are still to be written, */
  int64_t waits_at; /* from here on */
  struct ag_archive_member *members;
  size_t count, room;
  const char *why; /* it failed, or NULL */
} ag_torch_archive;

/* fd: a new and empty file, which the caller closes. root: at most 20 bytes. */
void ag_archive_begin(ag_torch_archive *a, int fd, const char *root);
/* A member of that content. name: at most 40 bytes; "data.pkl" is the pickle. */
void ag_archive_add(ag_torch_archive *a, const char *name, const void *bytes, size_t n);
/* The storage of that number, of a tensor that ag_pickle_tensor() wrote with it. reader: open on
 * the view. Returns where it begins in the file. */
int64_t ag_archive_add_storage(ag_torch_archive *a, size_t number, ag_reader *reader,
                               const ag_view *view);
/* Writes the directory and frees what the archive holds. NULL, or why it is not whole. */
const char *ag_archive_end(ag_torch_archive *a);

/* What a whole pickle begins and ends with. */
#define AG_PICKLE_BEGIN "\x80\x02"
#define AG_PICKLE_END "."
/* Parts of a pickle. view: AG_VIEW_OK. */
void ag_pickle_string(ag_text *t, const char *s);
void ag_pickle_tensor(ag_text *t, const ag_view *view, size_t storage_number);

#endif
