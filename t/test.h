/* test.h - how a test of a unit is written:
 *
 *   BEFORE_EACH { make_what_all_need(); }
 *   AFTER_EACH { free_it(); }
 *
 *   TEST(what_is_expected) {
 *     assert_int_equal(...);
 *   }
 *
 * There is no list of tests and no main(): t/lib/main.c runs what TEST() defines, in the order of
 * the source. The program takes an argument: `list` prints the names, and a pattern of cmocka, as
 * 'a_*', narrows the tests.
 *
 * In all of these cmocka's `state` is at hand: what BEFORE_EACH puts into *state the test and
 * AFTER_EACH find there. An assertion that fails in BEFORE_EACH or in BEFORE_ALL fails each test
 * that would follow. BEFORE_EACH, AFTER_EACH and BEFORE_ALL stand at most once each
 * in a unit with its headers.
 */
#ifndef T_TEST_H
#define T_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "await.h"
#include "expected.h"

#define TEST(name) TEST_ADDED(name, test_add(#name, name, __COUNTER__))
#define BEFORE_EACH TEST_ADDED(before_each, test_before_each(before_each))
#define AFTER_EACH TEST_ADDED(after_each, test_after_each(after_each))
#define BEFORE_ALL TEST_ADDED(before_all, test_before_all(before_all))

/* Before main(), the call `add` makes the function known whose body follows. */
#define TEST_ADDED(name, add)                                                                      \
  static void name(void **state);                                                                  \
  __attribute__((constructor)) static void add_##name(void) { add; }                               \
  static void name(void **state __attribute__((unused)))

/* place: grows with the source, for the linker may call constructors in another order. */
void test_add(const char *name, void (*test)(void **state), int place);
void test_before_each(void (*f)(void **state));
void test_after_each(void (*f)(void **state));
void test_before_all(void (*f)(void **state));

#endif
