/* ledger.h - the form of a *ledger*: the file that AOTIGEN_RECORD has a debug model write, with
 * what the tensors of each launch held, in numbers. `aotigen diff` reads it.
 *
 * The file is mapped by the process that writes it and does not grow: what was written is there
 * after a SIGKILL, and a disk that fills up later takes nothing away. Behind the header lie two
 * parts. In the *names* stand, once, the models and their sites. The *ring* has the runs: if it is
 * full, the oldest runs make room for the next.
 *
 * Both parts are entries, one behind the other; each begins at a multiple of LEDGER_ALIGNED bytes.
 * Numbers are little-endian. A text ends with a 0, and texts of one entry follow each other. A
 * reader takes nothing for granted: a file may be torn, or a stranger's. */
#ifndef SHARED_LEDGER_H
#define SHARED_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#define LEDGER_MAGIC "AOTILEDG"
enum { LEDGER_VERSION = 1, LEDGER_HEADER = 4096, LEDGER_ALIGNED = 16, LEDGER_MOST_DIMS = 64 };
#define LEDGER_MOST_BYTES ((uint64_t)4 << 30)

typedef struct ledger_header {
  char magic[8];
  uint32_t version, header_bytes; /* LEDGER_VERSION, LEDGER_HEADER */
  uint64_t file_bytes;
  uint64_t names_at, names_room, names_used; /* bytes */
  uint64_t ring_at, ring_room;
  /* Positions in the ring, which count on: position p is at byte ring_at + p % ring_room. An entry
   * does not go around the end: an empty one fills what is left there. */
  uint64_t oldest;  /* that of the oldest entry, which is a run's first */
  uint64_t next;    /* one past the newest */
  uint64_t lost;    /* entries for which there was no room */
  int64_t began_us; /* microseconds since 1970 */
  int64_t process;
  int64_t rank; /* -1: none */
  char host[64];
  char library[32]; /* its version */
} ledger_header;

enum ledger_kind {
  LEDGER_EMPTY,
  /* among the names: */
  LEDGER_MODEL, /* ledger_model, then the text: the wrapper's name */
  LEDGER_SITE,  /* ledger_site, then the texts: kernel, source nodes, ATen operators, the model's
                   line ("model.py:41"; "" if it is not known), its module, then two for each
                   parameter: its name, and the user's name of an input or a weight or "" */
  /* in the ring: */
  LEDGER_RUN,    /* ledger_run: a run began */
  LEDGER_BEFORE, /* ledger_launch, then its arguments: what a launch reads. The launch is over
                    only if the next one follows */
  LEDGER_AFTER,  /* ledger_launch, then its arguments: what it wrote */
  LEDGER_END     /* ledger_run: it ended, and no more of its launches follow */
};

typedef struct ledger_entry {
  uint32_t bytes; /* of all of it, a multiple of LEDGER_ALIGNED */
  uint32_t kind;  /* enum ledger_kind */
  uint64_t sum;   /* ledger_sum() of what follows; 0 of LEDGER_EMPTY */
} ledger_entry;

typedef struct ledger_model {
  uint32_t model; /* its number in this file, from 0 */
  uint32_t nsites;
  uint64_t build; /* a hash of the tables in the wrapper: equal for models of the same wrapper */
} ledger_model;

typedef struct ledger_site {
  uint32_t model, site; /* the site's index, from 0 */
  uint32_t line;        /* in the wrapper */
  uint32_t nparams;
} ledger_site;

typedef struct ledger_run {
  uint32_t model, pad;
  uint64_t run;  /* the run's number */
  int64_t at_us; /* since the ledger began */
} ledger_run;

typedef struct ledger_launch {
  uint32_t model, site;
  uint64_t run, launch; /* numbers as in reports */
  int64_t at_us;        /* when it was evaluated, since the ledger began */
  uint32_t nargs;
  /* Behind the launch: the microseconds that it took itself. 0: not timed, as by every library that
   * does not know of this. */
  float took_us;
} ledger_launch;

enum ledger_arg_kind { LEDGER_TENSOR, LEDGER_SCALAR };
enum ledger_has {
  LEDGER_HAS_SUMMARY = 1, /* all from nan to sum_squares; of no complex type */
  LEDGER_HAS_HASH = 2,
  LEDGER_IS_KEPT = 4 /* an unchanged weight: as it was when it was last scanned */
};

/* Followed by ndim sizes, an int64_t each. */
typedef struct ledger_arg {
  uint16_t param;
  uint8_t kind; /* enum ledger_arg_kind */
  uint8_t has;  /* enum ledger_has */
  uint32_t ndim;
  char dtype[16];
  /* Of a tensor runtime/tensor/element_hash.h's: independent of strides and of the order of
   * elements in memory. Of a scalar its bits as int64_t or double. */
  uint64_t hash;
  uint64_t begin, end; /* the addresses between which its elements lie; 0 of a scalar */
  int64_t numel, nan, pos_inf, neg_inf, zero, subnormal;
  double min, max, sum, sum_squares; /* over the finite elements */
} ledger_arg;

/* The sum by which a torn entry is known. */
static inline uint64_t ledger_sum(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t h = 0x9e3779b97f4a7c15u ^ n;
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t word;
    __builtin_memcpy(&word, p + i, 8);
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h ? h : 1;
}

#endif
