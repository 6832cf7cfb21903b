/* 123-build-cache.c - what a compiler made, kept with all that it was made of. */
#include "toolchain/build_cache.h"
#include "machine.h"

typedef struct compilation {
  const char *kind, *source;
  strings flags;
  compiler compiler;
} compilation;

static const char *const two_flags[] = {"-O1", "-DX=1"};

static compilation usual(void) {
  return (compilation){.kind = "container",
                       .source = "int x;\n",
                       .flags = {(const char **)two_flags, 2, 2},
                       .compiler = {.name = "g++", .version = "g++ 12\n"}};
}

static build_cache opened(machine *m, const compilation *x) {
  build_cache c;
  m->o.env.cache = arena_printf(m->a, "%s/cache", m->dir);
  build_cache_open(&c, x->kind, &x->compiler, &x->flags, x->source, &m->o, m->a);
  return c;
}

/* Keeps "OBJECT", made of a header and our own source. */
static build_cache kept(machine *m, const compilation *x) {
  build_cache c = opened(m, x);
  const char *header = machine_file(m, "some header.h", "int h;\n"),
             *own = machine_file(m, "own.cpp", x->source),
             *depend = machine_file(
                 m, "own.d", arena_printf(m->a, "own.o: %s %s/some\\ header.h\n", own, m->dir));
  const product object = {machine_file(m, "made.o", "OBJECT"), ".o"};
  assert_non_null(header);
  build_cache_keep(&c, &object, 1, depend, own, m->dir);
  return c;
}

static bool finds(machine *m, const compilation *x) {
  build_cache c = opened(m, x);
  strbuf t = {0};
  bool ok = build_cache_read(&c, ".o", &t);
  if (ok) assert_string_equal(t.at, "OBJECT");
  strbuf_free(&t);
  return ok;
}

TEST(what_was_kept_is_found) {
  machine *m = *state;
  compilation x = usual();
  assert_false(finds(m, &x));
  kept(m, &x);
  assert_true(finds(m, &x));
  build_cache c = opened(m, &x);
  assert_null(build_cache_path(&c, ".other"));
  build_cache_forget(&c);
  assert_false(finds(m, &x));
}

TEST(another_compilation_does_not_find_it) {
  machine *m = *state;
  compilation x = usual();
  kept(m, &x);
  x.source = "int y;\n";
  assert_false(finds(m, &x));
  x = usual();
  x.flags.n = 1;
  assert_false(finds(m, &x));
  x = usual();
  x.kind = "headers";
  assert_false(finds(m, &x));
  x = usual();
  x.compiler.version = "g++ 13\n";
  assert_false(finds(m, &x));
  x = usual();
  assert_true(finds(m, &x));
}

/* Another compilation may have the same key: the recipe tells them apart. */
TEST(a_key_that_collides_is_no_match) {
  machine *m = *state;
  compilation x = usual();
  build_cache c = kept(m, &x);
  const char *recipe = c.recipe;
  char *other = arena_strdup(m->a, recipe);
  other[strlen(other) - 2] = '!';
  strbuf t = {0};
  strbuf_printf(&t, "recipe %zu\n%s%s", strlen(other), other, c.stamps);
  machine_file(m, arena_printf(m->a, "cache/%016llx.stamps", (unsigned long long)c.key), t.at);
  assert_false(finds(m, &x));
  strbuf_free(&t);
}

TEST(a_changed_header_is_no_match) {
  machine *m = *state;
  compilation x = usual();
  build_cache c = kept(m, &x);
  const char *old = build_cache_path(&c, ".o");
  machine_file(m, "some header.h", "int h, i;\n");
  assert_false(finds(m, &x));
  kept(m, &x);
  assert_true(finds(m, &x));
  machine_file(m, "own.cpp", "int more_than_before;\n"); /* it is no part of the product */
  assert_true(finds(m, &x));
  machine_file(m, "some header.h", "int h, i, j;\n");
  c = opened(m, &x);
  assert_null(c.stamps);
  unlink(machine_file(m, "some header.h", ""));
  assert_false(finds(m, &x));
  assert_non_null(old);
}

TEST(a_broken_product_is_no_match) {
  machine *m = *state;
  compilation x = usual();
  build_cache c = kept(m, &x);
  const char *path = build_cache_path(&c, ".o"), *name = strrchr(path, '/');
  machine_file(m, arena_printf(m->a, "cache%s", name), "OBJECt");
  assert_false(finds(m, &x));
  machine_file(m, arena_printf(m->a, "cache%s", name), "");
  assert_false(finds(m, &x));
  unlink(path);
  assert_false(finds(m, &x));
  const char *stamps = arena_printf(m->a, "cache/%016llx.stamps", (unsigned long long)c.key);
  static const char *const broken[] = {"", "recipe", "recipe 99999999\n", "recipe 3\nabc", "\n"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    machine_file(m, stamps, broken[i]);
    assert_false(finds(m, &x));
  }
  kept(m, &x);
  assert_true(finds(m, &x));
}

TEST(no_cache_is_wanted) {
  machine *m = *state;
  compilation x = usual();
  build_cache c;
  m->o.env.cache = NULL;
  build_cache_open(&c, x.kind, &x.compiler, &x.flags, x.source, &m->o, m->a);
  assert_null(build_cache_path(&c, ".o"));
  build_cache_keep(&c, NULL, 0, "nowhere", "own.cpp", m->dir);
  build_cache_forget(&c);
  assert_null(c.stamps);
}
