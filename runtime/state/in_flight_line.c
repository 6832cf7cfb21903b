/* in_flight_line.c - the mapped line: its layout, and how it gets into the log. */
#define _GNU_SOURCE
#include "state/in_flight_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/raw_text.h"
#include "base/sink.h"
#include "state/staged.h"

enum { LINE = 1024, NUMBER = 8, TIME = 16, SOURCE = AG_SOURCE_MOST, AT = 8, KERNEL = 128 };

/* ---- fields --------------------------------------------------------------------------------- */

/* 8 bytes at an address that 8 divides: a process that is killed leaves all of them or none. */
static void store_word(char *to, const char from[NUMBER]) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void store_number(char *to, uint64_t x) {
  char digits[NUMBER];
  int i = NUMBER;
  if (x > 99999999) x = 99999999;
  do digits[--i] = (char)('0' + x % 10);
  while (x /= 10);
  while (i) digits[--i] = ' ';
  store_word(to, digits);
}

#define EACH_BYTE(x) (0x0101010101010101u * (x))

static uint64_t zero_bytes(uint64_t word) {
  return (word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80u);
}

/* True if the word holds nothing that JSON would escape; a kernel's name rarely does. */
static bool is_plain(uint64_t word) {
  uint64_t low = (word - EACH_BYTE(' ')) & ~word & EACH_BYTE(0x80u);
  return !(low | (word & EACH_BYTE(0x80u)) | zero_bytes(word ^ EACH_BYTE('"')) |
           zero_bytes(word ^ EACH_BYTE('\\')) | zero_bytes(word ^ EACH_BYTE(0x7fu)));
}

/* Truncates what does not fit. */
static void store_string(char *to, const char *s, size_t room) {
  size_t n = strnlen(s, room);
  for (size_t i = 0; i < room; i += NUMBER) {
    char bytes[NUMBER] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
    uint64_t word;
    if (i + NUMBER <= n)
      memcpy(bytes, s + i, NUMBER);
    else if (i < n)
      memcpy(bytes, s + i, n - i);
    memcpy(&word, bytes, sizeof word);
    for (int k = 0; k < NUMBER && !is_plain(word); k++) bytes[k] = ag_raw_json_byte(bytes[k]);
    store_word(to + i, bytes);
  }
}

static void store_path(char *to, const char *s) {
  ag_raw_text text;
  text.length = 0;
  ag_raw_add_path(&text, s, SOURCE);
  text.bytes[text.length] = '\0';
  store_string(to, text.bytes, SOURCE);
}

/* Seconds with three decimals, "1763812345.125  ": the digits keep their places. */
static void store_time(ag_in_flight_line *l) {
  struct timespec now;
  char text[32];
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  int64_t milliseconds = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (milliseconds == l->shown_ms) return;
  l->shown_ms = milliseconds;
  uint64_t left = (uint64_t)milliseconds;
  for (int i = 13; i >= 0; i--) {
    if (i == 10) {
      text[i] = '.';
      continue;
    }
    text[i] = (char)('0' + left % 10);
    left /= 10;
  }
  text[14] = text[15] = ' ';
  store_word(l->values.time, text);
  store_word(l->values.time + 8, text + 8);
}

/* ---- layout --------------------------------------------------------------------------------- */

/* A field's name, then its value's place, at an offset that 8 divides: 0, or an empty string. */
static size_t add_field(char *text, size_t n, const char *name, const char *quote, size_t width,
                        size_t *place) {
  n += (size_t)sprintf(text + n, ",\"%s\":", name);
  while ((n + strlen(quote)) % NUMBER) text[n++] = ' ';
  n += (size_t)sprintf(text + n, "%s", quote);
  *place = n;
  memset(text + n, ' ', width);
  if (!*quote) text[n + NUMBER - 1] = '0';
  n += width;
  return n + (size_t)sprintf(text + n, "%s", quote);
}

/* Writes the start of the line, and returns its length. */
static size_t write_head(char to[AG_STAGED_FETCHED]) {
  return (size_t)sprintf(to, "{\"event\":\"%s\"", event_name(EVENT_IN_FLIGHT));
}

/* The whole line, which begins with `shift` blanks so that its fields are aligned in the file:
 * where a line reaches over two pages, the copy of a number is whole. */
static void lay_out(ag_in_flight_line *l) {
  char text[LINE + 64], *line = l->begin;
  ag_in_flight_values *v = &l->values;
  char **fields[] = {&v->time,   &v->pid,  &v->thread, &v->source, &v->run,
                     &v->launch, &v->site, &v->line,   &v->at,     &v->kernel};
  static const struct {
    const char *name, *quote;
    size_t width;
  } forms[] = {{"time", "", TIME},       {"pid", "", NUMBER},  {"thread", "", NUMBER},
               {"source", "\"", SOURCE}, {"run", "", NUMBER},  {"launch", "", NUMBER},
               {"site", "", NUMBER},     {"line", "", NUMBER}, {"at", "\"", AT},
               {"kernel", "\"", KERNEL}};
  size_t n = write_head(text), place;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    n = add_field(text, n, forms[i].name, forms[i].quote, forms[i].width, &place);
    *fields[i] = l->begin + l->shift + place;
  }
  text[n++] = '}';
  memset(line, ' ', LINE - 1);
  line[LINE - 1] = '\n';
  memcpy(line + l->shift, text, n);
}

/* ---- the log -------------------------------------------------------------------------------- */

/* True for a file to which the host writes at a position of its own, which may be that of the
 * line. */
static bool is_stream_of_host(const struct stat *log) {
  struct stat st;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (!fstat(fd, &st) && st.st_dev == log->st_dev && st.st_ino == log->st_ino) return true;
  return false;
}

/* False for file systems of networks and of FUSE, by the numbers of statfs(2): a store to a mapping
 * writes a whole page back, over what another machine wrote there. */
static bool is_on_local_disk(int fd) {
  static const unsigned long others[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x65735546,
                                         0x01021997, 0x00c36400, 0x0bd00bd0, 0x47504653, 0x73757245,
                                         0x5346414f, 0x19830326, 0x7461636f};
  struct statfs fs;
  struct stat st;
  if (fstat(fd, &st) || !S_ISREG(st.st_mode) || is_stream_of_host(&st) || fstatfs(fd, &fs))
    return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if ((unsigned long)fs.f_type == others[i]) return false;
  return true;
}

/* Appends a blank line to the log: returns its offset, or -1. `fd` was opened only for this write,
 * so its position afterwards is the end of the line. */
static int64_t append_blank(int fd) {
  char blank[LINE];
  memset(blank, ' ', LINE - 1);
  blank[LINE - 1] = '\n';
  const char *why = ag_file_write(fd, blank, LINE);
  if (why) ag_sink_refuse_log(why);
  if (why) return -1;
  return lseek(fd, 0, SEEK_CUR) - LINE;
}

/* The line begins at as many bytes behind a multiple of NUMBER in the slot as it does in the log.
 */
static size_t remainder_of(const ag_in_flight_line *l) { return (NUMBER - l->shift) % NUMBER; }

/* Where the host has closed the memory's descriptor, the line goes on in other memory. */
static bool move_to_new_slot(ag_in_flight_line *l) {
  char *slot = ag_staged_slot(l->slot), *old = l->begin;
  if (!slot || slot + remainder_of(l) == old) return false;
  l->begin = slot + remainder_of(l);
  lay_out(l);
  memcpy(l->begin, old, LINE);
  return true;
}

/* Copies the line's bytes from `from` to `end` into the log. A truncated log has no line until the
 * next run. */
static void copy_to_log(ag_in_flight_line *l, const char *from, const char *end) {
  int saved = errno;
  if (!ag_staged_copy(l->logged + (from - l->begin), from, (size_t)(end - from)) &&
      !(move_to_new_slot(l) && ag_staged_copy(l->logged, l->begin, LINE)))
    ag_in_flight_line_free(l);
  errno = saved;
}

/* Writes the file before mapping it, so that its blocks exist and a full disk fails here. */
static bool map_line(ag_in_flight_line *l, int fd) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int64_t offset = append_blank(fd);
  if (offset < 0 || fcntl(fd, F_SETFL, 0)) return false;
  size_t in_page = (size_t)offset % page;
  l->mapped = (in_page + LINE + page - 1) / page * page;
  void *at = mmap(NULL, l->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  (off_t)(offset - (int64_t)in_page));
  if (at == MAP_FAILED) return false;
  l->mapping = at;
  l->logged = l->mapping + in_page;
  l->offset = offset;
  char *slot = ag_staged_slot(l->slot);
  if (!slot) return false;
  l->shift = (NUMBER - in_page % NUMBER) % NUMBER;
  l->begin = slot + remainder_of(l);
  lay_out(l);
  copy_to_log(l, l->begin, l->begin + LINE);
  return l->begin;
}

static bool create_line(ag_in_flight_line *l, int log) {
  char name[32];
  if (!is_on_local_disk(log)) return false;
  snprintf(name, sizeof name, "/proc/self/fd/%d", log);
  int fd = open(name, O_RDWR | O_APPEND | O_CLOEXEC);
  if (fd < 0) return false;
  bool mapped = map_line(l, fd);
  close(fd);
  if (!mapped) ag_in_flight_line_free(l);
  return mapped;
}

/* False if the log was truncated, or has grown again since: then the line is gone or another's. */
static bool is_in_log(const ag_in_flight_line *l, const struct stat *st) {
  char head[AG_STAGED_FETCHED];
  return st->st_size >= l->offset + LINE &&
         ag_staged_is(l->logged + l->shift, l->slot, head, write_head(head));
}

/* Makes sure that the line is in the log that is open now. */
static void find_line(ag_in_flight_line *l) {
  struct stat st;
  ag_sink_open_log();
  int log = ag_sink_log_fd();
  if (log < 0 || fstat(log, &st)) return;
  bool same = l->device == st.st_dev && l->inode == st.st_ino;
  if (l->begin && !(same && is_in_log(l, &st))) ag_in_flight_line_free(l);
  if (l->begin || (same && l->refused)) return;
  l->refused = !create_line(l, log);
  l->device = st.st_dev;
  l->inode = st.st_ino;
}

/* ---- a run and its launches ----------------------------------------------------------------- */

void ag_in_flight_line_begin(ag_in_flight_line *l, int slot, const aotigen_model *model,
                             uint64_t run, int thread) {
  int saved = errno;
  if (!ag_sink_has_log()) return;
  l->slot = slot;
  find_line(l);
  errno = saved;
  if (!l->begin) return;
  store_path(l->values.source, model->source);
  store_number(l->values.pid, (uint64_t)getpid());
  store_number(l->values.thread, (uint64_t)thread);
  store_time(l);
  store_number(l->values.launch, 0);
  store_number(l->values.run, run);
  store_word(l->values.at, "starting");
  copy_to_log(l, l->values.time, l->values.at + AT);
}

/* Stores a kernel's name, and only as many blanks as the previous name needs. */
static void store_kernel(ag_in_flight_line *l, const char *name) {
  size_t n = (strnlen(name, KERNEL) + NUMBER - 1) / NUMBER * NUMBER;
  store_string(l->values.kernel, name, n > l->kernel_bytes ? n : l->kernel_bytes);
  l->kernel_bytes = n;
}

void ag_in_flight_line_launch(ag_in_flight_line *l, const aotigen_model *model, uint32_t site,
                              uint64_t launch, const char at[8]) {
  const aotigen_site *s = &model->sites[site];
  if (!l->begin) return;
  if (l->current != s) {
    store_kernel(l, s->kernel ? s->kernel : "");
    store_number(l->values.site, s->number);
    store_number(l->values.line, s->line > 0 ? (uint64_t)s->line : 0);
    l->current = s;
  }
  store_time(l);
  store_number(l->values.launch, launch);
  store_word(l->values.at, at);
  copy_to_log(l, l->values.time, l->values.kernel + KERNEL);
}

void ag_in_flight_line_at(ag_in_flight_line *l, const char at[8]) {
  if (!l->begin) return;
  store_word(l->values.at, at);
  copy_to_log(l, l->values.at, l->values.at + AT);
}

void ag_in_flight_line_forget(ag_in_flight_line *l) { *l = (ag_in_flight_line){.slot = l->slot}; }

void ag_in_flight_line_free(ag_in_flight_line *l) {
  if (l->mapping) munmap(l->mapping, l->mapped);
  ag_in_flight_line_forget(l);
}
