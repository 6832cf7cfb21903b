/* ledger_file.c - see ledger_file.h. */
#define _GNU_SOURCE
#include "output/ledger_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/fork_lock.h"
#include "base/own_path.h"
#include "base/process_tag.h"
#include "base/settings.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "shared/version.h"

enum { LEAST_BYTES = 1 << 16, SAME_NAMES_MOST = 1000 };

static struct {
  ledger_header *header; /* NULL: there is no file */
  unsigned number;
  pid_t process; /* that made the file, or could not */
  int64_t began_us;
} file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

bool ag_ledger_is_wanted(void) { return ag_settings_get()->record != NULL; }

/* ---- the file ------------------------------------------------------------------------------- */

static void warn(const char *name, const char *why) {
  ag_warn("cannot record in '%s': %s; nothing is recorded", name, why);
}

static uint64_t room(void) {
  const uint64_t bytes = ag_settings_get()->record_bytes;
  return (bytes < LEAST_BYTES         ? LEAST_BYTES
          : bytes > LEDGER_MOST_BYTES ? LEDGER_MOST_BYTES
                                      : bytes) /
         4096 * 4096;
}

/* HOST-PROCESS.ledger, or HOST-PROCESS_2.ledger of another model's library in the process. */
static int create(ag_text *name) {
  char host[64] = "";
  if (gethostname(host, sizeof host - 1) || !*host || strchr(host, '/')) strcpy(host, "localhost");
  for (int k = 1; k <= SAME_NAMES_MOST; k++) {
    ag_text_clear(name);
    ag_text_addf(name, "%s/%s-%ld", ag_settings_get()->record, host, (long)getpid());
    if (k > 1) ag_text_addf(name, "_%d", k);
    ag_text_add(name, ".ledger");
    const int fd =
        ag_own_path_open(ag_text_string(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static void begin_header(ledger_header *h, uint64_t bytes) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *h = (ledger_header){.version = LEDGER_VERSION,
                       .header_bytes = LEDGER_HEADER,
                       .file_bytes = bytes,
                       .names_at = LEDGER_HEADER,
                       .names_room = bytes / 8 / 4096 * 4096,
                       .began_us = now.tv_sec * 1000000 + now.tv_nsec / 1000,
                       .process = getpid(),
                       .rank = ag_process_tag_rank(),
                       .library = AOTIGEN_VERSION};
  h->ring_at = h->names_at + h->names_room;
  h->ring_room = bytes - h->ring_at;
  if (gethostname(h->host, sizeof h->host - 1)) strcpy(h->host, "?");
  memcpy(h->magic, LEDGER_MAGIC, sizeof h->magic);
}

/* NULL, or why it failed. */
static const char *map(int fd, uint64_t bytes) {
  /* Where the host limits the size of files, this fails, and posix_fallocate() would end the host
   * with SIGXFSZ. A hole that cannot be filled later would end it with SIGBUS. */
  const char *why = ag_file_write_at(fd, "", 1, (int64_t)bytes - 1);
  if (why) return why;
  const int error = posix_fallocate(fd, 0, (off_t)bytes);
  if (error) return strerror(error);
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return strerror(errno);
  begin_header(at, bytes);
  file.header = at;
  file.number++;
  file.began_us = ag_time_us();
  return NULL;
}

static void make(void) {
  ag_text name = {0};
  ag_file_make_directories(ag_settings_get()->record);
  const int fd = create(&name);
  const char *why = fd < 0 ? ag_own_path_error(errno) : map(fd, room());
  if (why && fd >= 0) unlink(ag_text_string(&name));
  if (fd >= 0) close(fd);
  if (why) warn(ag_text_string(&name), why);
  ag_text_free(&name);
}

/* The lock is held. */
static void open_once(void) {
  if (file.process == getpid() || !ag_ledger_is_wanted()) return;
  if (file.header) munmap(file.header, file.header->file_bytes); /* the parent's */
  file.header = NULL;
  file.process = getpid();
  make();
}

unsigned ag_ledger_number(void) {
  pthread_mutex_lock(&lock);
  open_once();
  const unsigned number = file.header ? file.number : 0;
  pthread_mutex_unlock(&lock);
  return number;
}

int64_t ag_ledger_time_us(void) { return ag_time_us() - file.began_us; }

/* ---- entries -------------------------------------------------------------------------------- */

void ag_ledger_begin(ag_text *entry) {
  const ledger_entry empty = {0};
  ag_text_clear(entry);
  ag_text_add_bytes(entry, &empty, sizeof empty);
}

static ledger_entry *ring_entry(ledger_header *h, uint64_t position) {
  return (ledger_entry *)((char *)h + h->ring_at + position % h->ring_room);
}

/* What is in a process's memory may be overwritten: an entry that cannot be one empties the ring.
 */
static void drop_oldest(ledger_header *h) {
  uint64_t oldest = h->oldest;
  do {
    const uint32_t bytes = ring_entry(h, oldest)->bytes;
    if (bytes < sizeof(ledger_entry) || bytes > h->next - oldest || bytes % LEDGER_ALIGNED)
      oldest = h->next;
    else
      oldest += bytes;
  } while (oldest < h->next && ring_entry(h, oldest)->kind != LEDGER_RUN);
  if (oldest == h->next) h->lost++; /* the run that is recorded is larger than the ring */
  __atomic_store_n(&h->oldest, oldest, __ATOMIC_RELEASE);
}

static void make_room(ledger_header *h, uint64_t bytes) {
  while (h->next + bytes - h->oldest > h->ring_room) drop_oldest(h);
}

static void fill_to_end(ledger_header *h) {
  const uint64_t rest = h->ring_room - h->next % h->ring_room;
  make_room(h, rest);
  *ring_entry(h, h->next) = (ledger_entry){.bytes = (uint32_t)rest, .kind = LEDGER_EMPTY};
  __atomic_store_n(&h->next, h->next + rest, __ATOMIC_RELEASE);
}

/* The entry counts once it is there whole. */
static void write_ring(ledger_header *h, const ag_text *entry) {
  const uint64_t n = entry->length;
  if (n > h->ring_room / 2) {
    h->lost++;
    return;
  }
  if (h->next % h->ring_room + n > h->ring_room) fill_to_end(h);
  make_room(h, n);
  memcpy(ring_entry(h, h->next), entry->data, n);
  __atomic_store_n(&h->next, h->next + n, __ATOMIC_RELEASE);
}

static void write_name(ledger_header *h, const ag_text *entry) {
  if (entry->length > h->names_room - h->names_used) {
    h->lost++;
    return;
  }
  memcpy((char *)h + h->names_at + h->names_used, entry->data, entry->length);
  __atomic_store_n(&h->names_used, h->names_used + entry->length, __ATOMIC_RELEASE);
}

static bool end(enum ledger_kind kind, ag_text *entry) {
  static const char zeros[LEDGER_ALIGNED];
  const size_t over = entry->length % LEDGER_ALIGNED;
  if (over) ag_text_add_bytes(entry, zeros, LEDGER_ALIGNED - over);
  if (!entry->data || entry->length % LEDGER_ALIGNED || entry->length > UINT32_MAX) return false;
  const ledger_entry head = {
      .bytes = (uint32_t)entry->length,
      .kind = kind,
      .sum = ledger_sum(entry->data + sizeof head, entry->length - sizeof head)};
  memcpy(entry->data, &head, sizeof head);
  return true;
}

void ag_ledger_write(enum ledger_kind kind, ag_text *entry) {
  const bool whole = end(kind, entry);
  pthread_mutex_lock(&lock);
  open_once();
  if (file.header && !whole)
    file.header->lost++;
  else if (file.header)
    (kind < LEDGER_RUN ? write_name : write_ring)(file.header, entry);
  pthread_mutex_unlock(&lock);
}
