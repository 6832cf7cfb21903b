/* stack_text.c - see stack_text.h. */
#include "model/stack_text.h"
#include "base/shown.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 160, FILE_MAX = 1024, MODULE_MAX = 256 }; /* the bytes that are kept */

/* One line of the text, without the space around it. */
typedef struct text_line {
  const char *at;
  size_t n;
} text_line;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool next_line(const char **text, text_line *line) {
  if (!**text) return false;
  size_t n = strcspn(*text, "\n");
  const char *at = *text;
  *text += n + (at[n] == '\n');
  while (n && is_space(*at)) at++, n--;
  while (n && is_space(at[n - 1])) n--;
  *line = (text_line){at, n};
  return true;
}

static const char frame_head[] = "File \"";

static bool is_frame(text_line line) {
  const size_t h = sizeof frame_head - 1;
  return line.n >= h && !memcmp(line.at, frame_head, h);
}

/* `File "/model.py", line 14, in forward`. False for code that torch generated, which is in no
 * file. */
static bool read_frame(text_line line, text_line *file, unsigned *number) {
  static const char middle[] = "\", line ";
  const size_t m = sizeof middle - 1;
  const char *at = line.at + sizeof frame_head - 1;
  const char *found = memmem(at, (size_t)(line.at + line.n - at), middle, m);
  if (!found) return false;
  unsigned long n = strtoul(found + m, NULL, 10);
  *file = (text_line){at, (size_t)(found - at)};
  *number = (unsigned)n;
  return n > 0 && n <= INT32_MAX && file->n <= FILE_MAX && *at != '<';
}

static bool contains(text_line x, const char *word) {
  return memmem(x.at, x.n, word, strlen(word)) != NULL;
}

/* True for a file of torch's own, which is in the stack of every model that calls it. */
static bool is_of_torch(text_line file) {
  return contains(file, "-packages/torch/") || contains(file, "/torch/nn/") ||
         contains(file, "/torch/_") || contains(file, "/torch/functional.py") ||
         contains(file, "/torch/export/");
}

/* True for a pass over the graph, which inserts nodes of its own: asserts of sizes, for one. */
static bool is_of_a_pass(text_line file) {
  return contains(file, "-packages/torch/fx/") || contains(file, "/torch/fx/passes/");
}

static const char *show_source(text_line line, arena *a) {
  size_t n = line.n;
  if (n > TEXT_MAX)
    for (n = TEXT_MAX; n && ((unsigned char)line.at[n] & 0xC0) == 0x80;) n--;
  const char *shown = shown_text(arena_strndup(a, line.at, n), a);
  return n < line.n ? arena_printf(a, "%s...", shown) : shown;
}

bool stack_text_read(aotigen_line *line, const char *text, arena *a) {
  text_line at, file, best = {0}, source = {0};
  unsigned number, best_number = 0;
  bool found = false, found_own = false, follows = false;
  while (next_line(&text, &at)) {
    bool frame = is_frame(at);
    if (follows && !frame) source = at;
    follows = false;
    if (!frame || !read_frame(at, &file, &number) || is_of_a_pass(file)) continue;
    bool own = !is_of_torch(file);
    follows = own || !found_own;
    if (!follows) continue;
    best = file;
    best_number = number;
    source = (text_line){0};
    found = true;
    found_own = found_own || own;
  }
  if (!found) return false;
  *line = (aotigen_line){.file = shown_text(arena_strndup(a, best.at, best.n), a),
                         .line = best_number,
                         .text = source.n ? show_source(source, a) : NULL};
  return true;
}

/* "encoder.layers.0" from "L['self'].encoder.layers[0]@1", which torch writes if Dynamo traced the
 * model, and from "encoder.layers.0". */
static const char *plain_path(const char *at, size_t n, arena *a) {
  static const char self[] = "L['self']";
  const size_t s = sizeof self - 1;
  strbuf path = {0};
  if (n > MODULE_MAX) return "";
  if (n >= s && !memcmp(at, self, s)) at += s, n -= s;
  for (size_t i = 0; i < n && at[i] != '@'; i++) {
    if (at[i] == '[' || at[i] == '.') {
      if (path.n && path.at[path.n - 1] != '.') strbuf_puts(&path, ".");
    } else if (!strchr("]'\"", at[i])) {
      strbuf_add(&path, at + i, 1);
    }
  }
  return shown_text(strbuf_take(&path, a), a);
}

const char *stack_text_module(const char *nn_module_stack, arena *a) {
  /* "KEY,PATH,TYPE;KEY,PATH,TYPE": the innermost is last */
  const char *last = strrchr(nn_module_stack, ';');
  const char *path = strchr(last ? last : nn_module_stack, ',');
  if (!path) return "";
  const char *type = strchr(path + 1, ',');
  return type ? plain_path(path + 1, (size_t)(type - path) - 1, a) : "";
}
