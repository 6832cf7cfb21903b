/* arena.h - memory that is freed all at once, lists and strings in it, and growing text.
 *
 * main() makes one arena for the run; what the stages hand each other lies there. Running out of
 * memory prints an error and exits with status 3. Not thread-safe.
 */
#ifndef GEN_ARENA_H
#define GEN_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *a); /* NULL is fine */

void *arena_alloc(arena *a, size_t size); /* zeroed, aligned for anything */
char *arena_strdup(arena *a, const char *s);
char *arena_strndup(arena *a, const char *s, size_t n);
__attribute__((format(printf, 2, 3))) char *arena_printf(arena *a, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *arena_vprintf(arena *a, const char *format,
                                                          va_list args);

/* A growing array of T in an arena. */
#define arena_list(T)                                                                              \
  struct {                                                                                         \
    T *at;                                                                                         \
    size_t n, cap;                                                                                 \
  }

/* Adds an element to a list, or to a struct that begins as one: *arena_push(a, &list) = x. */
#define arena_push(a, list)                                                                        \
  (arena_grow_(a, (void **)&(list)->at, (list)->n, &(list)->cap, sizeof *(list)->at),              \
   &(list)->at[(list)->n++])
void arena_grow_(arena *a, void **at, size_t n, size_t *cap, size_t size);

/* Sets `i` to the number of the first of n elements for which `is_before`, an expression of `i`, is
 * false; n if there is none. It is true for those before that one and false for those behind it. */
#define arena_bound(i, n, is_before)                                                               \
  do {                                                                                             \
    size_t low_ = 0, high_ = (n);                                                                  \
    while ((i) = low_ + (high_ - low_) / 2, low_ < high_)                                          \
      if (is_before)                                                                               \
        low_ = (i) + 1;                                                                            \
      else                                                                                         \
        high_ = (i);                                                                               \
  } while (0)

bool text_begins(const char *s, const char *with);

typedef arena_list(const char *) strings;

/* True where one of the strings equals `s`. */
bool strings_has(const strings *list, const char *s);

/* The index of `s` in a NULL-terminated list, or -1. */
int strings_index(const char *const *list, const char *s);

/* "a, b, c"; "" where there are none. */
char *strings_join(arena *a, const strings *s, const char *between);

/* Growing text, freed by its owner with strbuf_free(). `at` is NULL until something is added, even
 * "", and NUL-terminated afterwards. */
typedef struct strbuf {
  char *at;
  size_t n, cap;
} strbuf;

void strbuf_add(strbuf *t, const char *s, size_t n);
void strbuf_puts(strbuf *t, const char *s);
__attribute__((format(printf, 2, 3))) void strbuf_printf(strbuf *t, const char *format, ...);
void strbuf_free(strbuf *t);
char *strbuf_take(strbuf *t, arena *a); /* frees it, and has its text in the arena; "" for none */

#endif
