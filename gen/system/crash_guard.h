/* stack.h - a stack that is deep enough for what libclang does with input that nests, and a clear
 * end where it is not. */
#ifndef GEN_STACK_H
#define GEN_STACK_H

/* Runs f(data) to its end on a large stack of its own. Where that overflows, or memory is touched
 * that is not there, the process says so in one line, naming `input` (NULL: none), cleans up by
 * output_clean_up() and ends: with status 1 for input that nests too deep and where libclang gave
 * up, 3 for a fault of ours. The environment is told that libclang parses on this same stack. */
void stack_run(void (*f)(void *), void *data, const char *const *input);

#endif
