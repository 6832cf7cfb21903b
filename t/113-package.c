/* 113-package.c - which members make a model. */
#include "package/package.h"
#include "machine.h"

/* An archive of these names; nothing of it is read. */
static archive make_archive(machine *m, const char *const *names) {
  archive z = {.path = "p.pt2"};
  for (; *names; names++) *arena_push(m->a, &z.members) = (archive_member){*names, 1};
  return z;
}

static const char *member_name(const archive *z, size_t i) {
  return i == PACKAGE_NO_MEMBER ? "-" : z->members.at[i].name;
}

static package_models expect_found(machine *m, const archive *z, const char *only, size_t n) {
  package_models p;
  if (!package_find_models(&p, z, only, m->a, m->d)) unit_says(m->d, "(it was found)");
  assert_int_equal(p.n, n);
  return p;
}

static void expect_refused(machine *m, const char *const *names, const char *only,
                           const char *says) {
  archive z = make_archive(m, names);
  package_models p;
  m->d = diags_new(m->a);
  if (package_find_models(&p, &z, only, m->a, m->d)) fail_msg("found, and not: %s", says);
  assert_int_equal(diags_status(m->d), STATUS_INPUT);
  unit_says(m->d, says);
}

TEST(as_torch_2_6_lays_it_out) {
  machine *m = *state;
  archive z = make_archive(m, (const char *const[]){"version", "archive_format",
                                                    "data/aotinductor/model/abc.cpp",
                                                    "data/aotinductor/model/abc_metadata.json",
                                                    "data/aotinductor/model/abc.so", NULL});
  package_models p = expect_found(m, &z, NULL, 1);
  assert_string_equal(p.at[0].name, "model");
  assert_string_equal(p.at[0].dir, "data/aotinductor/model/");
  assert_string_equal(member_name(&z, p.at[0].wrapper), "data/aotinductor/model/abc.cpp");
  assert_string_equal(member_name(&z, p.at[0].so), "data/aotinductor/model/abc.so");
  assert_int_equal(p.at[0].ops, PACKAGE_NO_MEMBER);
  assert_int_equal(p.at[0].kernels.n + p.at[0].objects.n, 0);
}

#define IN "root/data/aotinductor/model/"

TEST(as_torch_2_11_lays_it_out) {
  machine *m = *state;
  archive z = make_archive(
      m, (const char *const[]){IN "a.wrapper.json", IN "b.kernel.cpp", IN "a.wrapper.cpp",
                               IN "a.wrapper_metadata.json", IN "c.kernel.cpp", IN "a.wrapper.so",
                               IN "w.weights.o", IN "k.cubin", "root/archive_format",
                               "root/data/weights/model/x", NULL});
  package_models p = expect_found(m, &z, NULL, 1);
  const package_model *x = &p.at[0];
  assert_string_equal(x->name, "model");
  assert_string_equal(x->dir, IN);
  assert_string_equal(member_name(&z, x->wrapper), IN "a.wrapper.cpp");
  assert_string_equal(member_name(&z, x->so), IN "a.wrapper.so");
  assert_string_equal(member_name(&z, x->ops), IN "a.wrapper.json");
  assert_int_equal(x->kernels.n, 2);
  assert_string_equal(member_name(&z, x->kernels.at[1]), IN "c.kernel.cpp");
  assert_int_equal(x->objects.n, 1);
}

TEST(names_may_hold_slashes_and_models_are_many) {
  machine *m = *state;
  archive z = make_archive(
      m, (const char *const[]){"r/data/aotinductor/a/x.cpp", "r/data/aotinductor/a/b/x.cpp",
                               "r/data/aotinductor/a/b/x.so", "r/data/aotinductor/none/readme",
                               "r/data/aotinductor/a/x.o", NULL});
  package_models p = expect_found(m, &z, NULL, 2);
  assert_string_equal(p.at[0].name, "a");
  assert_int_equal(p.at[0].objects.n, 1);
  assert_int_equal(p.at[0].so, PACKAGE_NO_MEMBER);
  assert_string_equal(p.at[1].name, "a/b");
  assert_int_equal(p.at[1].so, 2);
  p = expect_found(m, &z, "a/b", 1);
  assert_string_equal(p.at[0].name, "a/b");
}

TEST(what_cannot_be_told_apart_is_refused) {
  machine *m = *state;
  expect_refused(m,
                 (const char *const[]){"data/x.cpp", "a/b/data/aotinductor/m/x.cpp",
                                       "data/aotinductor/x.cpp", NULL},
                 NULL, "p.pt2: error: holds no model of AOTInductor");
  expect_refused(m, (const char *const[]){IN "x.cpp", NULL}, "other",
                 "p.pt2: error: holds no model 'other': it holds model");
  expect_refused(m, (const char *const[]){IN "x.cpp", IN "y.wrapper.cpp", NULL}, NULL,
                 "p.pt2/" IN "y.wrapper.cpp: error: is a second wrapper beside '" IN "x.cpp'");
  expect_refused(m, (const char *const[]){IN "x.cpp", IN "y.so", IN "z.so", NULL}, NULL,
                 "z.so: error: is a second '.so'");
  expect_refused(m, (const char *const[]){IN "x.so", IN "y.kernel.cpp", NULL}, NULL,
                 IN "x.so: error: has no wrapper beside it");
  expect_refused(m, (const char *const[]){IN ".cpp", NULL}, "x", "holds no model 'x'");
  archive z = make_archive(
      m, (const char *const[]){"data/aotinductor/a/x.so", "data/aotinductor/b/x.cpp", NULL});
  package_models p =
      expect_found(m, &z, "b", 1); /* what is wrong with another one does not matter */
  assert_string_equal(p.at[0].name, "b");
}

TEST(what_is_compiled_needs_no_wrapper) {
  machine *m = *state;
  archive z = make_archive(m, (const char *const[]){IN "x.so", "root/data/aotinductor/b/x.cpp",
                                                    "root/data/aotinductor/none/x.o", NULL});
  package_models p;
  assert_true(package_find_compiled(&p, &z, "model", m->a, m->d));
  assert_int_equal(p.n, 1);
  assert_int_equal(p.at[0].so, 0);
  assert_int_equal(p.at[0].wrapper, PACKAGE_NO_MEMBER);
  assert_false(package_find_compiled(&p, &z, NULL, m->a, m->d));
  unit_says(m->d, "p.pt2/root/data/aotinductor/b/x.cpp: error: has no '.so' beside it");
}

TEST(a_thousand_models_and_no_more) {
  machine *m = *state;
  archive z = {.path = "p.pt2"};
  for (int i = 0; i < 1000; i++)
    *arena_push(m->a, &z.members) =
        (archive_member){arena_printf(m->a, "data/aotinductor/m%d/x.cpp", i), 1};
  expect_found(m, &z, NULL, 1000);
  *arena_push(m->a, &z.members) = (archive_member){"data/aotinductor/m/x.cpp", 1};
  package_models p;
  assert_false(package_find_models(&p, &z, NULL, m->a, m->d));
  unit_says(m->d, "holds more models than a package does");
}
