/* expected.h - a report is compared whole with how it looked before, in t/expected/UNIT.txt:
 *
 *   TEST(a_nan_is_born) {
 *     ...
 *     as_expected(captured(2));
 *   }
 *
 * The file has a section for each call: `=== TEST`, for the second of a test `=== TEST 2` and so
 * on, and then the text. UPDATE_EXPECTED=1 in the environment writes what came in place of what was
 * expected: read the difference as a reviewer would.
 */
#ifndef T_EXPECTED_H
#define T_EXPECTED_H

/* Fails, and shows the difference, unless the text is that of the file. It is freed. What differs
 * from one time to the next stands for itself, as expected_form() says. From one thread. */
void as_expected(char *text);

/* The text, in a new place, with N for the number of a run or a thread and ADDRESS for an address,
 * and without the line that the first report of a process alone has. Freed by the caller. */
char *expected_form(const char *text);

/* The section `=== NAME` of a file of such sections, which another program wrote. Fails where there
 * is none. Freed by the caller. */
char *expected_section(const char *file, const char *name);

/* A test begins: its next as_expected() is its first. main.c calls it. */
void expected_begin(const char *test);

#endif
