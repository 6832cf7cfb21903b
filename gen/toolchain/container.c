/* container.c - see container.h. Knows how torch puts its interface.cpp behind the first includes
 * of a wrapper, and that the wrapper's class and the container meet in AOTInductorModelBase.
 */
#include "toolchain/container.h"
#include "base/file.h"
#include "base/template.h"
#include "parse/pch_headers.h"
#include "toolchain/elf_file.h"
#include <string.h>

enum { INTERFACE_MAX = 1 << 20 };

typedef struct text {
  const char *at;
  size_t n;
} text;

static const char *find_text(text in, text what) { return memmem(in.at, in.n, what.at, what.n); }

static text text_between(const char *from, const char *to) {
  return (text){from, (size_t)(to - from)};
}

static text line_at(const char *at, const char *end) {
  const char *nl = memchr(at, '\n', (size_t)(end - at));
  return text_between(at, nl ? nl + 1 : end);
}

static bool begins_with(text line, const char *with) {
  size_t n = strlen(with);
  return line.n >= n && !memcmp(line.at, with, n);
}

/* The text up to the end of the last #include. */
static text head_of(text t) {
  const char *end = t.at + t.n, *last = t.at;
  for (const char *at = t.at; at < end;) {
    text line = line_at(at, end);
    at += line.n;
    if (begins_with(line, "#include ")) last = at;
  }
  return text_between(t.at, last);
}

/* The last line, if no other line is the same. */
static text tail_of(text t) {
  const char *nl = memrchr(t.at, '\n', t.n);
  text tail = nl ? text_between(nl + 1, t.at + t.n) : (text){t.at, 0};
  return tail.n && find_text(t, tail) == tail.at ? tail : (text){t.at, 0};
}

/* True for includes, comments and empty lines only: both halves have them. */
static bool includes_only(text t) {
  for (const char *at = t.at, *end = t.at + t.n; at < end;) {
    text line = line_at(at, end);
    at += line.n;
    if (!begins_with(line, "\n") && !begins_with(line, "//") && !begins_with(line, "#include "))
      return false;
    if (line.n >= 2 && line.at[line.n - 2] == '\\') return false;
  }
  return true;
}

/* True if the rest of the wrapper uses a macro of the interface's. */
static bool uses_macros_of(text rest, text interface) {
  static const char define[] = "#define ";
  for (const char *at = interface.at, *end = at + interface.n; at < end;) {
    text line = line_at(at, end);
    at += line.n;
    if (!begins_with(line, define)) continue;
    const char *name = line.at + sizeof define - 1;
    if (find_text(rest, (text){name, strcspn(name, "( \n")})) return true;
  }
  return false;
}

static unsigned lines_in(text t) {
  unsigned n = 0;
  for (size_t i = 0; i < t.n; i++) n += t.at[i] == '\n';
  return n;
}

static void add_text(strbuf *to, text t) { strbuf_add(to, t.at, t.n); }

static void add_lines(strbuf *to, const char *lines) {
  strbuf_puts(to, lines);
  strbuf_puts(to, "\n");
}

/* The text behind the prologue, whose last line restores the original's line numbers. */
static const char *skip_prologue(text t) {
  static const char last[] = "#line 1 \"";
  for (const char *at = t.at, *end = t.at + t.n; at < end;) {
    text line = line_at(at, end);
    at += line.n;
    if (begins_with(line, last)) return at;
  }
  return NULL;
}

/* The wrapper needs its class's header alone. What the container's functions use would be made of
 * templates for each wrapper again: a quarter of the time that a small one takes. */
static void add_includes(strbuf *to, text t) {
  static const char all[] = "/aoti_runtime/model_container.h>", model[] = "/aoti_runtime/model.h>";
  const char *at = find_text(t, (text){all, sizeof all - 1});
  if (at) {
    add_text(to, text_between(t.at, at));
    strbuf_puts(to, model);
    t = text_between(at + sizeof all - 1, t.at + t.n);
  }
  add_text(to, t);
}

static void write_halves(container_cut *cut, const wrapper_text *w, const char *begin, text head,
                         const char *end, unsigned line, arena *a) {
  bool on = w->instrumented && w->on;
  const char *cut_at = head.at + head.n;
  const slot slots[] = {
      {"number", arena_printf(a, "%u", line)},
      {"path", template_quote(w->name, a)},
      {"model", on ? template_fill("container_model", NULL, 0, a) : ""},
  };
  if (w->instrumented)
    add_lines(&cut->container, template_fill(on ? "container_on" : "container_off", NULL, 0, a));
  add_text(&cut->container, text_between(begin, end));
  strbuf_puts(&cut->container, "\n");
  add_lines(&cut->container, template_fill("container_base", NULL, 0, a));
  add_includes(&cut->rest, text_between(w->at, cut_at));
  add_lines(&cut->rest, template_fill("container_apart", slots, 3, a));
  add_text(&cut->rest, text_between(end, w->at + w->n));
}

/* `interface` is torch's, without white space at its end. */
static bool separate_text(container_cut *cut, const wrapper_text *w, text interface, arena *a) {
  const text original = {w->original, w->original_n}, whole = {w->at, w->n},
             head = head_of(interface), tail = tail_of(interface);
  const char *at = find_text(original, interface);
  if (!at || !head.n || !tail.n || !includes_only(text_between(original.at, at)) ||
      uses_macros_of(text_between(at + interface.n, original.at + original.n), interface))
    return false;
  const char *begin = w->instrumented ? skip_prologue(whole) : whole.at;
  text compiled = begin ? text_between(begin, whole.at + whole.n) : (text){whole.at, 0};
  const char *cut_at = find_text(compiled, head);
  if (!cut_at || cut_at - begin != at - original.at) return false;
  const char *end = find_text(text_between(cut_at, whole.at + whole.n), tail);
  if (!end) return false;
  write_halves(cut, w, begin, (text){cut_at, head.n}, end + tail.n,
               lines_in(text_between(original.at, at + interface.n)) + 1, a);
  return true;
}

bool container_separate(container_cut *cut, const wrapper_text *w, const char *torch, arena *a) {
  strbuf t = {0};
  *cut = (container_cut){0};
  if (!torch ||
      !file_read(arena_printf(a, "%s/_inductor/codegen/aoti_runtime/interface.cpp", torch),
                 INTERFACE_MAX, &t))
    return false;
  size_t n = t.n;
  while (n > 0 && strchr(" \t\r\n", t.at[n - 1])) n--;
  bool ok = n > 0 && separate_text(cut, w, (text){t.at, n}, a);
  strbuf_free(&t);
  return ok;
}

strbuf container_apart_headers(const wrapper_text *w, const char *torch, arena *a) {
  container_cut cut = {0};
  strbuf list = {0};
  if (container_separate(&cut, w, torch, a)) {
    list = pch_headers_list(cut.rest.at, cut.rest.n);
    if (list.n) add_lines(&list, template_fill("container_elsewhere", NULL, 0, a));
  }
  strbuf_free(&cut.container);
  strbuf_free(&cut.rest);
  return list;
}

static void find_regex(const char *name, const GElf_Sym *symbol, void *data) {
  if (symbol->st_shndx == SHN_UNDEF && strstr(name, "regex")) *(bool *)data = true;
}

bool container_is_apart(const char *object) {
  elf_file f;
  bool uses = false, ok = elf_symbols_open_parts(&f, object, ELF_SYMBOLS);
  if (ok) elf_symbols_visit(&f, find_regex, &uses);
  elf_symbols_close(&f);
  return ok && !uses;
}
