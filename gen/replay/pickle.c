/* pickle.c - see pickle.h. A mark is a NULL on the stack. */
#include "replay/pickle.h"
#include <stdint.h>
#include <string.h>

enum { MEMO_MOST = 1 << 18, VALUES_MOST = 1 << 19 };

typedef struct machine {
  arena *a;
  const unsigned char *at, *end;
  arena_list(pickle_value *) stack, memo;
  size_t values;
  bool failed;
} machine;

static pickle_value fallen = {.kind = PICKLE_NONE};

static pickle_value *fail(machine *m) {
  m->failed = true;
  fallen = (pickle_value){.kind = PICKLE_NONE};
  return &fallen;
}

/* ---- bytes */

static uint64_t read_number(machine *m, int bytes) {
  uint64_t x = 0;
  if (m->end - m->at < bytes) {
    fail(m);
    return 0;
  }
  for (int i = 0; i < bytes; i++) x |= (uint64_t)*m->at++ << (8 * i);
  return x;
}

/* LONG1: as many bytes as it says, 8 at most. */
static long long read_long(machine *m) {
  const int bytes = (int)read_number(m, 1);
  if (bytes > 8) fail(m);
  if (!bytes || bytes > 8) return 0;
  const int shift = 64 - 8 * bytes;
  return (int64_t)(read_number(m, bytes) << shift) >> shift;
}

static const char *read_text(machine *m, uint64_t n) {
  if ((uint64_t)(m->end - m->at) < n || memchr(m->at, '\0', n)) {
    fail(m);
    return "";
  }
  m->at += n;
  return arena_strndup(m->a, (const char *)m->at - n, n);
}

static const char *read_line(machine *m) {
  const unsigned char *line = memchr(m->at, '\n', (size_t)(m->end - m->at));
  const char *text = read_text(m, line ? (uint64_t)(line - m->at) : UINT64_MAX);
  if (line && !m->failed) m->at++;
  return text;
}

/* ---- the stack */

static pickle_value *push(machine *m, pickle_value v) {
  if (++m->values > VALUES_MOST) return fail(m);
  pickle_value *made = arena_alloc(m->a, sizeof *made);
  *made = v;
  return *arena_push(m->a, &m->stack) = made;
}

/* The value on top; a mark is none. */
static pickle_value *top(machine *m) {
  pickle_value *v = m->stack.n ? m->stack.at[m->stack.n - 1] : NULL;
  return v ? v : fail(m);
}

static pickle_value *pop(machine *m) {
  pickle_value *v = top(m);
  if (!m->failed) m->stack.n--;
  return v;
}

/* The values above the last mark; they and the mark go. */
static pickle_value pop_marked(machine *m, enum pickle_kind kind) {
  pickle_value made = {.kind = kind};
  size_t i = m->stack.n;
  while (i && m->stack.at[i - 1]) i--;
  if (!i) {
    fail(m);
    return made;
  }
  for (size_t k = i; k < m->stack.n; k++) *arena_push(m->a, &made.list) = m->stack.at[k];
  m->stack.n = i - 1;
  return made;
}

static pickle_value pop_tuple(machine *m, size_t n) {
  pickle_value made = {.kind = PICKLE_TUPLE};
  pickle_value *last[3];
  for (size_t i = n; i--;) last[i] = pop(m);
  for (size_t i = 0; i < n; i++) *arena_push(m->a, &made.list) = last[i];
  return made;
}

/* Adds values to the list or dictionary below them, which none of them is, nor a dictionary that
 * holds something: so none contains itself. */
static void add(machine *m, pickle_value with, enum pickle_kind kind) {
  pickle_value *to = top(m);
  if (to->kind != kind || (kind == PICKLE_DICT && with.list.n % 2)) fail(m);
  for (size_t i = 0; !m->failed && i < with.list.n; i++) {
    const enum pickle_kind of = with.list.at[i]->kind;
    const bool is_full = of == PICKLE_DICT && with.list.at[i]->list.n;
    if (kind == PICKLE_LIST && (of == PICKLE_LIST || of == PICKLE_DICT)) fail(m);
    if (with.list.at[i] == to || is_full) fail(m);
    *arena_push(m->a, &to->list) = with.list.at[i];
  }
}

/* ---- the memo */

static void memo_put(machine *m, uint64_t i) {
  if (i > m->memo.n || i >= MEMO_MOST) { /* Python numbers them from 0 */
    fail(m);
    return;
  }
  pickle_value *v = top(m);
  if (i == m->memo.n)
    *arena_push(m->a, &m->memo) = v;
  else
    m->memo.at[i] = v;
}

static void memo_get(machine *m, uint64_t i) {
  if (i >= m->memo.n)
    fail(m);
  else
    *arena_push(m->a, &m->stack) = m->memo.at[i];
}

/* ---- codes */

static void read_global(machine *m) {
  const char *module = read_line(m), *name = read_line(m);
  push(m, (pickle_value){.kind = PICKLE_GLOBAL, .text = arena_printf(m->a, "%s %s", module, name)});
}

static void call(machine *m) {
  const pickle_value *arguments = pop(m), *of = pop(m);
  if (of->kind != PICKLE_GLOBAL || arguments->kind != PICKLE_TUPLE) fail(m);
  pickle_value made = *arguments;
  made.kind = PICKLE_CALL;
  made.text = of->text;
  push(m, made);
}

static void push_persistent(machine *m) {
  pickle_value made = *pop(m);
  if (made.kind != PICKLE_TUPLE) fail(m);
  made.kind = PICKLE_PERSISTENT;
  push(m, made);
}

static pickle_value integer(long long x) {
  return (pickle_value){.kind = PICKLE_INTEGER, .number = x};
}

static void add_two(machine *m, enum pickle_kind kind) {
  add(m, pop_tuple(m, kind == PICKLE_DICT ? 2 : 1), kind);
}

/* Values. False for another code. */
static bool read_value(machine *m, int code) {
  switch (code) {
    case 'N': push(m, (pickle_value){.kind = PICKLE_NONE}); break;
    case 0x88: push(m, (pickle_value){.kind = PICKLE_BOOL, .number = 1}); break;
    case 0x89: push(m, (pickle_value){.kind = PICKLE_BOOL}); break;
    case 'K': push(m, integer((long long)read_number(m, 1))); break;
    case 'M': push(m, integer((long long)read_number(m, 2))); break;
    case 'J': push(m, integer((int32_t)read_number(m, 4))); break;
    case 0x8a: push(m, integer(read_long(m))); break;
    case 'X':
      push(m, (pickle_value){.kind = PICKLE_TEXT, .text = read_text(m, read_number(m, 4))});
      break;
    case 'c': read_global(m); break;
    case '}': push(m, (pickle_value){.kind = PICKLE_DICT}); break;
    case ']': push(m, (pickle_value){.kind = PICKLE_LIST}); break;
    case ')': push(m, (pickle_value){.kind = PICKLE_TUPLE}); break;
    default: return false;
  }
  return true;
}

static void read_code(machine *m, int code) {
  if (read_value(m, code)) return;
  switch (code) {
    case 0x80: /* the protocol */
      if (read_number(m, 1) != 2) fail(m);
      break;
    case '(': *arena_push(m->a, &m->stack) = NULL; break;
    case 't': push(m, pop_marked(m, PICKLE_TUPLE)); break;
    case 0x85: push(m, pop_tuple(m, 1)); break;
    case 0x86: push(m, pop_tuple(m, 2)); break;
    case 0x87: push(m, pop_tuple(m, 3)); break;
    case 'a': add_two(m, PICKLE_LIST); break;
    case 's': add_two(m, PICKLE_DICT); break;
    case 'e': add(m, pop_marked(m, PICKLE_LIST), PICKLE_LIST); break;
    case 'u': add(m, pop_marked(m, PICKLE_DICT), PICKLE_DICT); break;
    case 'q': memo_put(m, read_number(m, 1)); break;
    case 'r': memo_put(m, read_number(m, 4)); break;
    case 'h': memo_get(m, read_number(m, 1)); break;
    case 'j': memo_get(m, read_number(m, 4)); break;
    case 'Q': push_persistent(m); break;
    case 'R': call(m); break;
    default: fail(m);
  }
}

const pickle_value *pickle_read(const char *at, size_t n, arena *a) {
  const unsigned char *text = (const unsigned char *)at;
  machine m = {.a = a, .at = text, .end = text + n};
  while (!m.failed && m.at < m.end) {
    const int code = *m.at++;
    if (code != '.') {
      read_code(&m, code);
      continue;
    }
    const pickle_value *whole = pop(&m);
    return m.failed || m.stack.n || m.at != m.end ? NULL : whole;
  }
  return NULL;
}
