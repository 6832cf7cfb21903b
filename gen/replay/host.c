/* host.c - see host.h. */
#include "replay/host_kinds.h"
#include "base/file.h"
#include "base/shown.h"
#include "system/cleanup.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { RESULT_MOST = 4 << 20 };

bool host_write_file(const char *path, const char *text, size_t n, diags *d) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && file_write(fd, text, n);
  int error = errno;
  if (fd >= 0 && close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  if (!ok) diag_error(d, STATUS_INPUT, path, "cannot be written: %s", strerror(error));
  return ok;
}

bool host_write_json(const char *path, cJSON *json, diags *d) {
  char *text = cJSON_PrintUnformatted(json);
  const bool ok = text && host_write_file(path, text, strlen(text), d);
  cJSON_free(text);
  cJSON_Delete(json);
  return ok;
}

/* ---- which one */

/* The C host, which becomes Python's where it finds at run time that it must, unless the user chose
 * it; else Python's. */
static char **make_command(const host *h, const host_request *r) {
  const enum replay_host wanted = r->o->replay.host;
  const char *why = "--host=python asks for it";
  char *const *otherwise = NULL;
  if (wanted == REPLAY_HOST_AUTO) {
    const char *python = python_host_guess(r->o, r->a);
    otherwise = python_host_write(h, python, r);
    if (!otherwise) return NULL;
  }
  char **command = wanted == REPLAY_HOST_PYTHON ? NULL : c_host_make(h, r, otherwise, &why);
  if (command || diags_status(r->d) != STATUS_OK) return command;
  if (wanted == REPLAY_HOST_C) {
    diag_error(r->d, STATUS_INPUT, r->c->path,
               "cannot be replayed without Python: %s; leave out --host=c", why);
    return NULL;
  }
  if (r->o->verbosity > 0)
    fprintf(stderr, "aotigen: a Python with torch runs the inputs: %s\n", shown_text(why, r->a));
  return python_host_make(h, r, otherwise);
}

bool host_make(host *h, const capsule *c, const original *p, const options *o, arena *a, diags *d) {
  const host_request r = {.c = c, .p = p, .o = o, .a = a, .d = d};
  const char *dir = cleanup_private_dir(d);
  if (!dir) return false;
  *h = (host){
      .dir = dir, .result = arena_printf(a, "%s/replayed.json", dir), .outputs = c->outputs.n};
  h->command = make_command(h, &r);
  return h->command != NULL;
}

/* ---- what it tells */

static const char *get_text(const cJSON *in, const char *key, arena *a) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(in, key);
  return cJSON_IsString(at) ? arena_strdup(a, at->valuestring) : NULL;
}

static long long get_number(const cJSON *in, const char *key) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(in, key);
  const double x = cJSON_IsNumber(at) ? at->valuedouble : 0;
  return x > 0 && x < 1e15 ? (long long)x : 0;
}

static const char *describe_index(const cJSON *in, arena *a) {
  const cJSON *first = cJSON_GetObjectItemCaseSensitive(in, "first"), *at;
  const char *index = "";
  cJSON_ArrayForEach(at, first)
      index = arena_printf(a, "%s%s%.0f", index, *index ? ", " : "", at->valuedouble);
  return arena_printf(a, "[%s]", index);
}

/* "first at [1, 2], 3 of 6 elements: 1.5, and was 2.5". */
static const char *describe_difference(const cJSON *in, arena *a) {
  const char *why = get_text(in, "why", a);
  if (why) return why;
  return arena_printf(a, "first at %s, %lld of %lld elements: %s, and was %s",
                      describe_index(in, a), get_number(in, "count"), get_number(in, "numel"),
                      get_text(in, "now", a), get_text(in, "kept", a));
}

static void read_outputs(host_result *r, const cJSON *in, arena *a) {
  const cJSON *at;
  cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(in, "outputs")) {
    const bool equal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(at, "equal"));
    const char *skipped = get_text(at, "skipped", a);
    *arena_push(a, &r->outputs) =
        (host_output){.equal = equal,
                      .skipped = skipped,
                      .text = equal || skipped ? NULL : describe_difference(at, a)};
  }
}

static void read_checks(host_result *r, const cJSON *in, arena *a) {
  const cJSON *at;
  cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(in, "checks")) {
    host_check c = {.finding = get_number(at, "finding"), .found = get_number(at, "count") > 0};
    const char *value = get_text(at, "value", a);
    if (value)
      c.text = arena_printf(a, "%lld of %lld elements, the first at %s: %s",
                            get_number(at, "count"), get_number(at, "numel"), describe_index(at, a),
                            value);
    *arena_push(a, &r->checks) = c;
  }
}

bool host_read(host_result *r, const host *h, arena *a) {
  strbuf t = {0};
  *r = (host_result){0};
  cJSON *in = file_read(h->result, RESULT_MOST, &t) ? cJSON_Parse(t.at) : NULL;
  const bool ok = cJSON_IsObject(in);
  if (ok) {
    r->torch = get_text(in, "torch", a);
    r->refused = get_text(in, "refused", a);
    r->failed = get_text(in, "failed", a);
    r->is_unloaded = cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(in, "loaded"));
    r->runs = get_number(in, "runs");
    r->alike = get_number(in, "alike");
    r->as_kept = get_number(in, "as_kept");
    read_outputs(r, in, a);
    read_checks(r, in, a);
  }
  cJSON_Delete(in);
  strbuf_free(&t);
  return ok;
}
