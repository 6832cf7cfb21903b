/* crash_guard.h - runs a function on a large stack, because libclang recurses as deep as its input
 * nests, and turns a crash in it into an error message. */
#ifndef GEN_CRASH_GUARD_H
#define GEN_CRASH_GUARD_H

/* Runs f(data) to its end in a thread with a stack of 64 MiB (128 MiB with a sanitizer). On a stack
 * overflow or another crash, prints one line that names `*input` (NULL: none), runs cleanup_run()
 * and exits: with status 1 if the input nests too deep or libclang aborts, with 3 if aotigen
 * crashed. Sets environment variables that keep libclang in this thread. Call it once. */
void crash_guard_run(void (*f)(void *), void *data, const char *const *input);

/* The exit status of a crashed copy of this process after crash_guard_in_copy(). */
enum { CRASH_GUARD_OVERFLOW = 70, CRASH_GUARD_CRASH = 71 };

/* Call it in a forked copy of this process: from now on a crash ends the copy without a message. */
void crash_guard_in_copy(void);

#endif
