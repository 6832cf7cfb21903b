/* feed.c - see feed.h. */
#define _GNU_SOURCE
#include "output/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/settings.h"
#include "checks/finding.h"
#include "output/handed_on.h"
#include "output/save_file.h"
#include "state/launch_hooks.h"
#include "tensor/layout.h"

enum { INDEX_MOST = 64 << 20, PIECE = 1 << 20 };

/* What is to be fed in one run. */
struct ag_feed {
  char *text, *at;
  ag_feed_row row; /* the next one */
  bool has_row;
};

/* ---- the list ------------------------------------------------------------------------------- */

/* Cuts a word off; NULL where there is none on this line. */
static char *cut_word(char **at, char end) {
  char *word = *at, *stop = word + strcspn(word, end == ' ' ? " \n" : "\n");
  if (stop == word || *stop != end) return NULL;
  *stop = '\0';
  *at = stop + 1;
  return word;
}

/* From 1 on; 0 where it is no such number. */
static int64_t cut_number(char **at) {
  const char *word = cut_word(at, ' ');
  char *end = NULL;
  if (!word || *word < '0' || *word > '9') return 0;
  errno = 0;
  const long long n = strtoll(word, &end, 10);
  return errno || *end ? 0 : n;
}

bool ag_feed_read_row(char **at, ag_feed_row *row) {
  const int64_t launch = cut_number(at);
  row->launch = (uint64_t)launch;
  row->which = launch ? cut_number(at) : 0;
  row->dtype = row->which ? cut_word(at, ' ') : NULL;
  row->bytes = row->dtype ? cut_number(at) : 0;
  row->file = row->bytes ? cut_word(at, ' ') : NULL;
  row->argument = row->file ? cut_word(at, '\n') : NULL;
  return row->argument && !strchr(row->file, '/');
}

static int open_file(const char *name) {
  ag_text path = {0};
  ag_text_addf(&path, "%s/%s", ag_settings_get()->feed, name);
  const int fd = open(ag_text_string(&path), O_RDONLY | O_CLOEXEC);
  ag_text_free(&path);
  return fd;
}

/* NULL, or why not all of it was read. */
static const char *read_all(int fd, char *to, size_t n) {
  while (n) {
    const ssize_t got = read(fd, to, n < PIECE ? n : PIECE);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got ? strerror(errno) : "it is too short";
    to += got;
    n -= (size_t)got;
  }
  return NULL;
}

static void read_next(struct ag_feed *f) { f->has_row = ag_feed_read_row(&f->at, &f->row); }

static struct ag_feed *read_list(int fd) {
  struct stat s;
  if (fstat(fd, &s) || s.st_size <= 0 || s.st_size > INDEX_MOST) return NULL;
  struct ag_feed *f = calloc(1, sizeof *f);
  if (!f || !(f->text = calloc(1, (size_t)s.st_size + 1)) ||
      read_all(fd, f->text, (size_t)s.st_size)) {
    free(f ? f->text : NULL);
    free(f);
    return NULL;
  }
  f->at = f->text;
  read_next(f);
  return f;
}

/* A run without a file is not fed. */
static void begin_run(aotigen_run *run) {
  ag_text name = {0};
  ag_text_addf(&name, "run%04llu.feed", (unsigned long long)run->number);
  const int fd = open_file(ag_text_string(&name));
  ag_text_free(&name);
  if (fd < 0) return;
  run->state->feed = read_list(fd);
  close(fd);
}

static void end_run(aotigen_run *run, bool unwinding) {
  struct ag_feed *f = run->state->feed;
  (void)unwinding;
  run->state->feed = NULL;
  if (!f) return;
  free(f->text);
  free(f);
}

/* ---- one tensor ----------------------------------------------------------------------------- */

static bool overlaps(const ag_ranges *given, const ag_view *v) {
  for (size_t i = 0; i < given->count; i++) {
    const ag_range *x = &given->list[i];
    if (x->begin < v->end && v->begin < x->end && x->device_type == v->t.device_type &&
        x->device_index == v->t.device_index)
      return true;
  }
  return false;
}

/* NULL, or why the tensor does not take these values. */
static const char *find_hindrance(const aotigen_run *run, const ag_view *v,
                                  const ag_feed_row *row) {
  const aotigen_run_state *s = run->state;
  if (v->state != AG_VIEW_OK || !ag_view_is_readable(v)) return "its memory is not known";
  if (strcmp(v->t.dtype->name, row->dtype) != 0) return "it has another type";
  if (v->t.numel > INT64_MAX / 16 || v->t.numel * v->t.dtype->item_size != row->bytes)
    return "it has another number of elements";
  if (overlaps(&s->covered.inputs, v)) return "it shares memory with an input";
  if (overlaps(&s->covered.weights, v)) return "it shares memory with a weight";
  if (s->mode == AG_MODE_ASYNC && s->record &&
      ag_model_state_is_capturing(s->model, ag_run_stream(run)))
    return "the run goes into a graph";
  return NULL;
}

/* Elements in row-major order to their places; `from` is the lowest element's. */
static void scatter(const ag_view *v, const char *elements, char *to) {
  const size_t size = v->t.dtype->item_size;
  char *first = to - v->lowest * (int64_t)size;
  for (int64_t i = 0; i < v->t.numel; i++)
    memcpy(first + ag_layout_offset(v->t.ndim, v->t.sizes, v->t.strides, i) * (int64_t)size,
           elements + (size_t)i * size, size);
}

/* Of a tensor with gaps what lies in them is read and written again. */
static const char *write_elements(const ag_backend *b, const ag_view *v, const char *elements,
                                  void *stream) {
  const size_t bytes = v->end - v->begin;
  void *begin = (void *)v->begin;
  if (v->contiguous) return b->write(v->t.device_index, stream, begin, elements, bytes);
  ag_tensor all = v->t;
  all.data = begin;
  all.ndim = 1;
  all.numel = all.sizes[0] = v->highest - v->lowest;
  all.strides[0] = 1;
  char *copy = malloc(bytes);
  const char *why = copy ? b->read(&all, 0, all.numel, stream, copy) : "out of memory";
  if (!why) {
    scatter(v, elements, copy);
    why = b->write(v->t.device_index, stream, begin, copy, bytes);
  }
  free(copy);
  return why;
}

static const char *feed(const aotigen_run *run, const ag_view *v, const ag_feed_row *row) {
  const char *why = find_hindrance(run, v, row);
  const ag_backend *b = why ? NULL : ag_backend_of_device_type(v->t.device_type);
  if (why) return why;
  if (!b || !b->write) return "aotigen cannot write to memory of its device";
  const int fd = open_file(row->file);
  char *elements = fd < 0 ? NULL : malloc((size_t)row->bytes);
  if (fd < 0) return "its values cannot be read";
  why = elements ? read_all(fd, elements, (size_t)row->bytes) : "out of memory";
  close(fd);
  if (!why) why = write_elements(b, v, elements, run->state->record->launch.stream);
  free(elements);
  return why;
}

/* ---- a launch ------------------------------------------------------------------------------- */

static bool has_name(const ag_arg *a, const char *name) {
  ag_text own = {0};
  ag_save_add_name(&own, a->param->name);
  const bool same = !strcmp(ag_text_string(&own), name);
  ag_text_free(&own);
  return same;
}

/* The tensor that the saver wrote under that name. */
static const ag_arg *find_argument(const ag_record *r, const ag_feed_row *row) {
  int64_t left = row->which;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if (!ag_arg_is_written(a) && !(a->param->flags & AOTIGEN_MAYBE_WRITTEN)) continue;
    if (a->view.state == AG_VIEW_OK && has_name(a, row->argument) && --left == 0) return a;
  }
  return NULL;
}

static const char *feed_outputs(aotigen_run *run) {
  struct ag_feed *f = run->state->feed;
  const ag_record *r = run->state->record;
  while (f && f->has_row && f->row.launch < run->launch) read_next(f);
  for (; f && f->has_row && f->row.launch == run->launch; read_next(f)) {
    const ag_arg *a = r ? find_argument(r, &f->row) : NULL;
    const char *why = a ? feed(run, &a->view, &f->row) : "the launch writes no such tensor";
    if (why)
      ag_warn("run %llu, launch %llu: '%s' is not fed: %s", (unsigned long long)run->number,
              (unsigned long long)run->launch, f->row.argument, why);
    else
      ag_handed_on_begin(&run->state->handed_on, &r->launch); /* the files hold what it wrote */
  }
  return NULL;
}

static bool is_wanted(const ag_model_state *m) {
  return m->launch_work && ag_settings_get()->feed != NULL;
}

AG_LAUNCH_HOOKS(feed) = {
    .wanted = is_wanted, .begin_run = begin_run, .end_run = end_run, .after = feed_outputs};
