/* core_dump.c - see core_dump.h. Knows the text of cuda-gdb 12 and 13:
 *
 *   CUDA Exception: Warp Illegal Address
 *   The exception was triggered at PC 0x7f0c28df8e30  overrun_kernel  (cabc.py:20)
 *   [Current focus set to CUDA kernel 0, grid 12, block (3,0,0), thread (32,0,0), device 0, sm 6,
 *    warp 1, lane 0]     (one line)
 *   #0  0x00007f0c28df8e40 in overrun_kernel<<<(16,1,1),(128,1,1)>>> () at /tmp/cabc.py:20
 *   20      tl.store(o_ptr + i + off, x)
 */
#include "run/core_dump.h"
#include "system/process.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SECONDS = 60, OUTPUT_MAX = 1 << 20, TEXT_MAX = 300 };

/* ---- reading */

/* The text behind `mark`, up to the end of the line; NULL if no line has it. */
static const char *find_behind(const char *text, const char *mark) {
  const char *at = text ? strstr(text, mark) : NULL;
  return at ? at + strlen(mark) : NULL;
}

/* The first n bytes without blanks around them, cut. */
static const char *take(const char *at, size_t n, arena *a) {
  while (n && isspace((unsigned char)*at)) at++, n--;
  while (n && isspace((unsigned char)at[n - 1])) n--;
  return n ? arena_strndup(a, at, n < TEXT_MAX ? n : TEXT_MAX) : NULL;
}

static const char *take_line(const char *at, arena *a) { return take(at, strcspn(at, "\n"), a); }

/* The length of "(16,1,1)"; 0 if there is none. */
static size_t measure_triple(const char *at) {
  const char *s = at;
  for (int i = 0; i < 3; i++) {
    if (*s++ != (i ? ',' : '(') || !isdigit((unsigned char)*s)) return 0;
    while (isdigit((unsigned char)*s)) s++;
  }
  return *s == ')' ? (size_t)(s - at) + 1 : 0;
}

static const char *take_triple(const char *at, arena *a) {
  size_t n = at ? measure_triple(at) : 0;
  return n ? arena_strndup(a, at, n) : NULL;
}

/* "block (3,0,0), thread (32,0,0)" of the line with the focus. */
static bool read_focus(core_dump *c, const char *text, arena *a) {
  const char *focus = find_behind(text, "[Current focus set to CUDA kernel ");
  if (!focus) return false;
  const char *line = arena_strndup(a, focus, strcspn(focus, "\n"));
  c->block = take_triple(find_behind(line, ", block "), a);
  c->thread = take_triple(find_behind(line, ", thread "), a);
  return c->block && c->thread;
}

/* Reads the kernel's name and its grid from the innermost frame, which begins with `#0`. */
static bool read_frame(core_dump *c, const char *text, arena *a) {
  const char *frame = find_behind(text, "\n#0 ");
  if (!frame) return false;
  size_t length = strcspn(frame, "\n");
  const char *line = arena_strndup(a, frame, length), *grid = strstr(line, "<<<"),
             *name = find_behind(line, " in ");
  if (!grid) return false;
  if (!name || name > grid) name = line;
  size_t blocks = measure_triple(grid + 3);
  size_t threads = blocks && grid[3 + blocks] == ',' ? measure_triple(grid + 4 + blocks) : 0;
  c->kernel = take(name, (size_t)(grid - name), a);
  if (!threads || !c->kernel) return false;
  c->grid = arena_strndup(a, grid + 3, blocks + 1 + threads);
  const char *place = find_behind(grid + 4 + blocks + threads, " at ");
  c->place = place ? take_line(place, a) : NULL;
  /* The line of the source begins with its number, which the place ends with. */
  const char *number = c->place ? strrchr(c->place, ':') : NULL, *next = frame + length;
  size_t digits = number ? strlen(number + 1) : 0;
  if (*next == '\n' && digits && !strncmp(next + 1, number + 1, digits) &&
      isspace((unsigned char)next[1 + digits]))
    c->text = take_line(next + 1 + digits, a);
  return true;
}

/* Without a frame, the line that names the PC may have the kernel: "0x7f..  name  (x.py:20)". */
static void read_trigger(core_dump *c, const char *text, arena *a) {
  const char *at = find_behind(text, "The exception was triggered at PC 0x");
  if (!at) return;
  at += strspn(at, "0123456789abcdefABCDEF");
  const char *line = take_line(at, a), *place = line ? strrchr(line, '(') : NULL;
  if (!line) return;
  bool named = place && place > line && strchr(place, ':') && line[strlen(line) - 1] == ')';
  c->kernel = named ? take(line, (size_t)(place - line), a) : line;
  if (named) c->place = arena_strndup(a, place + 1, strlen(place) - 2);
}

bool core_dump_read(core_dump *c, const char *text, arena *a) {
  core_dump read = *c;
  const char *exception = find_behind(text, "CUDA Exception: ");
  read.exception = exception ? take_line(exception, a) : NULL;
  if (!read.exception || !read_focus(&read, text, a)) return false;
  if (!read_frame(&read, text, a)) {
    read.kernel = read.grid = read.place = read.text = NULL;
    read_trigger(&read, text, a);
  }
  *c = read;
  return true;
}

/* ---- finding and opening */

/* "gpu.PID": any other file is not the driver's, and gdb would read its name as words. */
static bool is_dump(const char *name) {
  return !strncmp(name, "gpu.", 4) && name[4] && strspn(name + 4, "0123456789") == strlen(name + 4);
}

static const char *find_file(core_dump *c, const char *dir, arena *a) {
  DIR *all = opendir(dir);
  const char *oldest = NULL;
  struct timespec first = {0};
  for (struct dirent *e; all && (e = readdir(all));) {
    struct stat s;
    if (!is_dump(e->d_name) || lstat(arena_printf(a, "%s/%s", dir, e->d_name), &s) != 0 ||
        !S_ISREG(s.st_mode))
      continue;
    bool older = s.st_mtim.tv_sec != first.tv_sec ? s.st_mtim.tv_sec < first.tv_sec
                                                  : s.st_mtim.tv_nsec < first.tv_nsec;
    if (oldest) c->others++;
    if (oldest && !older) continue;
    oldest = arena_strdup(a, e->d_name);
    first = s.st_mtim;
  }
  if (all) closedir(all);
  c->time = (double)first.tv_sec + (double)first.tv_nsec / 1e9;
  return oldest;
}

void core_dump_find(core_dump *c, const char *dir, arena *a) {
  *c = (core_dump){0};
  const char *name = find_file(c, dir, a);
  if (!name) return;
  c->file = arena_printf(a, "%s/%s", dir, name);
  /* The file's name has no character with a meaning for gdb; that of the directory may have. */
  char *const argv[] = {
      "cuda-gdb", "-nx", "-batch", "-ex", arena_printf(a, "target cudacore %s", name), NULL};
  const process_setting how = {.dir = dir, .seconds = SECONDS};
  process p;
  strbuf out = {0};
  process_ask(&p, argv, &how, OUTPUT_MAX, &out);
  c->lacks_debugger = p.error == ENOENT || p.error == EACCES;
  c->timed_out = p.error == ETIMEDOUT;
  if (!p.error && out.n) core_dump_read(c, out.at, a);
  strbuf_free(&out);
}
