/* crash_guard.h - runs a function on a large stack, because libclang recurses as deep as its input
 * nests, and turns a crash in it into an error message. */
#ifndef GEN_CRASH_GUARD_H
#define GEN_CRASH_GUARD_H

/* Runs f(data) to its end in a thread with a stack of 64 MiB (128 MiB where it is sanitized). On a
 * stack overflow or another crash prints one line that names `*input` (NULL: none), runs
 * cleanup_run() and exits: with status 1 where the input nests too deep or libclang aborts, with 3
 * where aotigen crashed. Sets environment variables that keep libclang in this thread. Call it
 * once.
 */
void crash_guard_run(void (*f)(void *), void *data, const char *const *input);

/* How a copy of this process ends after crash_guard_in_copy(): its exit status. */
enum { CRASH_GUARD_OVERFLOW = 70, CRASH_GUARD_CRASH = 71 };

/* In a copy of this process, forked by f: from now on a crash ends it without a message. */
void crash_guard_in_copy(void);

#endif
