/* sink.c - see sink.h: its lock, the log's file, and the format of an event. */
#define _GNU_SOURCE
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/json.h"
#include "base/own_path.h"
#include "base/process_tag.h"
#include "base/settings.h"

enum { BUFFER_MOST = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Both are stored under the lock, or by a signal handler that reopens the log. */
static atomic_int log_fd = -1;
static atomic_bool log_opened;   /* it was opened, or cannot be; otherwise its next use opens it */
static _Atomic dev_t log_device; /* the file that log_fd was opened for */
static _Atomic ino_t log_inode;  /* stored before log_fd */
static bool out_failed, log_failed;
static atomic_bool is_writing; /* stored under the lock */

static _Thread_local long logged_thread; /* 0: this thread's own number */
static _Thread_local bool buffers_stdout;
static _Thread_local ag_text buffer;

bool ag_sink_is_writing(void) { return atomic_load(&is_writing); }

/* Under the lock, so that a message that takes two writes stays whole. */
static const char *write_message(int fd, const char *s, size_t n) {
  atomic_store(&is_writing, true);
  const char *why = ag_file_write(fd, s, n);
  atomic_store(&is_writing, false);
  return why;
}

/* Reports a failure the first time. Both names are NULL for standard output. */
static void complain_once(bool *said, const char *log, const char *printed, const char *why) {
  ag_text t = {0};
  if (*said) return;
  *said = true;
  if (log)
    ag_text_addf(&t, "aotigen: cannot write the log '%s': %s\n", log, why);
  else if (printed)
    ag_text_addf(&t, "aotigen: cannot write what is printed to '%s': %s\n", printed, why);
  else
    ag_text_addf(&t, "aotigen: cannot write to standard output: %s\n", why);
  write_message(STDERR_FILENO, ag_text_string(&t), t.length);
  ag_text_free(&t);
}

static int open_above_stderr(const char *name);

/* The file is opened each time: the program may close all its descriptors. */
static const char *write_file(const char *name, const char *message, size_t n) {
  int fd = open_above_stderr(name);
  if (fd < 0) return errno == ENXIO ? "no process reads it" : ag_own_path_error(errno);
  const char *why = write_message(fd, message, n);
  close(fd);
  return why;
}

static void write_stdout(const char *message, size_t n) {
  const char *to = ag_settings_get()->printer_to;
  int saved = errno;
  pthread_mutex_lock(&lock);
  const char *why = to ? write_file(to, message, n) : write_message(STDOUT_FILENO, message, n);
  if (why) complain_once(&out_failed, NULL, to, why);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void ag_sink_write_stdout(const char *message) {
  size_t n = strlen(message);
  if (!buffers_stdout) {
    write_stdout(message, n);
    return;
  }
  ag_text_add_bytes(&buffer, message, n);
  if (buffer.length > BUFFER_MOST) ag_sink_flush();
}

void ag_sink_buffer_stdout(void) { buffers_stdout = true; }

void ag_sink_flush(void) {
  if (!buffer.length) return;
  write_stdout(buffer.data, buffer.length);
  ag_text_clear(&buffer);
}

void ag_sink_write_file(const char *name, const char *message) {
  static bool said;
  int saved = errno;
  pthread_mutex_lock(&lock);
  const char *why = write_file(name, message, strlen(message));
  if (why) complain_once(&said, NULL, name, why);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

/* The message with the mark of this process behind "aotigen: ", since several processes may write
 * to one stderr. */
static void mark(ag_text *t, const char *message) {
  static const char head[] = "aotigen: ";
  ag_raw_text tag = {0};
  if (!strncmp(message, head, sizeof head - 1)) {
    ag_process_tag_add(&tag);
    ag_text_add(t, head);
    ag_text_add_bytes(t, tag.bytes, tag.length);
    message += sizeof head - 1;
  }
  ag_text_add(t, message);
}

void ag_sink_write_stderr(const char *message) {
  int saved = errno;
  ag_text marked = {0};
  mark(&marked, message);
  pthread_mutex_lock(&lock);
  if (marked.length >= strlen(message))
    write_message(STDERR_FILENO, ag_text_string(&marked), marked.length);
  else /* there is no memory */
    write_message(STDERR_FILENO, message, strlen(message));
  pthread_mutex_unlock(&lock);
  ag_text_free(&marked);
  errno = saved;
}

bool ag_sink_has_log(void) { return ag_settings_get()->log != NULL; }

/* True if the file does not end with a newline. A process that was killed while it wrote may have
 * left a part of an event, which must not spoil the next one. */
static bool ends_within_line(const char *name) {
  struct stat st;
  char last = '\n';
  if (fstat(log_fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) return false;
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = pread(fd, &last, 1, st.st_size - 1);
  close(fd);
  return n == 1 && last != '\n';
}

/* Returns a descriptor other than 0 to 2: a program may have closed these, and what it prints would
 * go into the log. Refuses a FIFO without a reader, and does not wait for one. */
static int open_above_stderr(const char *name) {
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
  int fd = ag_own_path_open(name, flags, 0666), above;
  if (fd >= 0) fcntl(fd, F_SETFL, O_APPEND);
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(fd);
  return above;
}

/* Forgets the descriptor if it no longer is the log's. A program may close all its descriptors and
 * open files of its own, one of which then has that number. */
static void forget_lost(void) {
  struct stat st;
  int fd = log_fd;
  if (fd < 0 || (!fstat(fd, &st) && st.st_dev == log_device && st.st_ino == log_inode)) return;
  if (atomic_compare_exchange_strong(&log_fd, &fd, -1)) log_opened = false;
}

static int open_log_file(const char *name) {
  struct stat st;
  int fd = open_above_stderr(name);
  if (fd < 0 || fstat(fd, &st)) return fd;
  log_device = st.st_dev;
  log_inode = st.st_ino;
  return fd;
}

/* Opens the log unless it is open, since a signal handler may come between. False if it cannot be
 * opened. */
static bool open_once(const char *name) {
  int none = -1, fd;
  if (log_fd >= 0) return true;
  fd = open_log_file(name);
  if (fd >= 0 && !atomic_compare_exchange_strong(&log_fd, &none, fd)) close(fd);
  return fd >= 0;
}

/* Opens the log, under the lock. Returns NULL, or why there is no file. */
static const char *open_log(const char *name) {
  forget_lost();
  if (log_opened) return NULL;
  bool opened = open_once(name);
  log_opened = true;
  if (!opened) return errno == ENXIO ? "no process reads it" : ag_own_path_error(errno);
  return ends_within_line(name) ? write_message(log_fd, "\n", 1) : NULL;
}

void ag_sink_refuse_log(const char *why) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  complain_once(&log_failed, ag_settings_get()->log, NULL, why);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void ag_sink_open_log(void) {
  const char *name = ag_settings_get()->log;
  int saved = errno;
  if (!name) return;
  pthread_mutex_lock(&lock);
  const char *why = open_log(name);
  if (why) complain_once(&log_failed, name, NULL, why);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

int ag_sink_log_fd(void) {
  const char *name = ag_settings_get()->log;
  int saved = errno;
  forget_lost();
  if (name && !log_opened && open_once(name)) log_opened = true;
  errno = saved;
  return log_fd;
}

void ag_sink_close_log(void) {
  if (pthread_mutex_trylock(&lock))
    return; /* the thread that holds it may wait for a pipe's reader for ever */
  forget_lost();
  if (log_fd >= 0) {
    log_opened = false;
    close(atomic_exchange(&log_fd, -1));
  }
  pthread_mutex_unlock(&lock);
}

/* Runs after the library's other destructors, when the process exits or the model is unloaded. */
__attribute__((destructor(101))) static void tear_down(void) { ag_sink_close_log(); }

static void write_log(const ag_text *t) {
  const char *name = ag_settings_get()->log;
  int saved = errno;
  pthread_mutex_lock(&lock);
  const char *why = open_log(name);
  if (log_fd >= 0) why = write_message(log_fd, ag_text_string(t), t->length);
  if (why) complain_once(&log_failed, name, NULL, why);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void ag_event_begin(ag_text *t, enum event_kind event) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *t = (ag_text){0};
  ag_text_add(t, "{\"event\":");
  ag_json_add_string(t, event_name(event));
  ag_text_addf(t, ",\"time\":%lld.%06ld,\"pid\":%ld,\"thread\":%ld", (long long)now.tv_sec,
               now.tv_nsec / 1000, (long)getpid(),
               logged_thread ? logged_thread : (long)syscall(SYS_gettid));
  if (ag_process_tag_rank() >= 0) ag_text_addf(t, ",\"rank\":%ld", ag_process_tag_rank());
}

void ag_event_add_string(ag_text *t, const char *field, const char *value) {
  ag_json_add_name(t, field);
  ag_json_add_string(t, value);
}

void ag_event_add_number(ag_text *t, const char *field, int64_t value) {
  ag_json_add_name(t, field);
  ag_json_add_number(t, value);
}

void ag_event_add_list(ag_text *t, const char *field, const int64_t *list, int64_t n) {
  ag_json_add_name(t, field);
  ag_json_add_list(t, list, n);
}

void ag_event_end(ag_text *t) {
  ag_text_add(t, "}\n");
  if (ag_sink_has_log()) write_log(t);
  ag_text_free(t);
}

void ag_sink_log_as_thread(long thread) { logged_thread = thread; }

bool ag_sink_logs_as_thread(void) { return logged_thread != 0; }

/* Frees the lock in a child, which has no thread that held it during fork(). It is not one of
 * fork_lock.h: its holder may wait for a pipe's reader, and fork() would wait, too. */
static void free_lock(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  atomic_store(&is_writing, false);
}

/* Runs before the constructors of the wrapper, which may call the library already. */
__attribute__((constructor(101))) static void set_up(void) {
  pthread_atfork(NULL, NULL, free_lock);
}

void ag_sink_reopen(void) {
  pthread_mutex_lock(&lock);
  forget_lost();
  if (log_fd >= 0) close(log_fd);
  log_fd = -1;
  log_opened = out_failed = log_failed = false;
  pthread_mutex_unlock(&lock);
}
