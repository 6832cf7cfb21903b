/* 112-archive.c - archives read and written, compared byte by byte. */
#include "package/archive_reader.h"
#include "package/archive_write.h"
#include "machine.h"
#include <ctype.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <zip.h>

typedef struct given {
  const char *name, *data;
  size_t n;
  bool deflated;
} given;

static const char *make_archive(machine *m, const char *file, const given *members, size_t n) {
  const char *path = machine_path(m, file);
  zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
  assert_non_null(zip);
  for (size_t i = 0; i < n; i++) {
    bool directory = members[i].name[strlen(members[i].name) - 1] == '/';
    zip_int64_t k = directory
                        ? zip_dir_add(zip, members[i].name, ZIP_FL_ENC_UTF_8)
                        : zip_file_add(zip, members[i].name,
                                       zip_source_buffer(zip, members[i].data, members[i].n, 0),
                                       ZIP_FL_ENC_UTF_8);
    assert_int_equal(k, i);
    if (!directory)
      assert_int_equal(
          zip_set_file_compression(zip, i, members[i].deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0),
          0);
  }
  assert_int_equal(zip_close(zip), 0);
  return path;
}

static unsigned read_number(const unsigned char *at, int n) {
  unsigned x = 0;
  while (n-- > 0) x = x << 8 | at[n];
  return x;
}

/* The members of a written archive, by the local headers that follow one another: order, names,
 * bytes, method, alignment. */
static void expect_written(const char *path, const given *expected, size_t n) {
  size_t size, at = 0;
  unsigned char *bytes = unit_read(path, &size);
  for (size_t i = 0; i < n; i++) {
    const unsigned char *h = bytes + at;
    assert_true(at + 30 < size);
    assert_memory_equal(h, "PK\3\4", 4);
    unsigned flags = read_number(h + 6, 2), method = read_number(h + 8, 2),
             packed = read_number(h + 18, 4), unpacked = read_number(h + 22, 4),
             name = read_number(h + 26, 2), extra = read_number(h + 28, 2);
    assert_int_equal(flags & ~0x800u, 0); /* no sizes behind the data: torch's reader maps it */
    assert_int_equal(method, 0);
    assert_int_equal(packed, expected[i].n);
    assert_int_equal(unpacked, expected[i].n);
    assert_int_equal(name, strlen(expected[i].name));
    assert_memory_equal(h + 30, expected[i].name, name);
    size_t data = at + 30 + name + extra;
    assert_int_equal(data % 64, 0);
    assert_memory_equal(bytes + data, expected[i].data, expected[i].n);
    for (size_t k = 30 + name + 4; k < 30 + name + extra; k++) assert_int_equal(h[k], 'Z');
    assert_memory_equal(h + 30 + name, "FB", 2);
    at = data + expected[i].n;
  }
  assert_memory_equal(bytes + at, "PK\1\2", 4);
  free(bytes);
}

static const given members[] = {{"m/a.cpp", "int x;\n", 7, false},
                                {"m/empty", "", 0, false},
                                {"m/\xc3\xa9\xe4\xb8\xad.bin", "a\0b", 3, true},
                                {"m/long", NULL, 100000, true},
                                {"m/last", "z", 1, false}};
enum { MEMBERS = sizeof members / sizeof *members };

static archive open_sample(machine *m, given *copy) {
  static char text[100000];
  archive z;
  memset(text, 'y', sizeof text);
  for (size_t i = 0; i < sizeof text; i += 977) text[i] = (char)i;
  memcpy(copy, members, sizeof members);
  copy[3].data = text;
  const char *path = make_archive(m, "in.pt2", copy, MEMBERS);
  if (!archive_open(&z, path, &m->o, m->a, m->d)) unit_says(m->d, "(it was opened)");
  assert_int_equal(z.members.n, MEMBERS);
  return z;
}

TEST(members_are_listed_and_read) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  size_t n;
  for (size_t i = 0; i < MEMBERS; i++) {
    assert_string_equal(z.members.at[i].name, copy[i].name);
    assert_int_equal(z.members.at[i].size, copy[i].n);
    assert_true(archive_extract(&z, i, machine_path(m, "out"), m->a, m->d));
    unsigned char *at = unit_read(machine_path(m, "out"), &n);
    assert_int_equal(n, copy[i].n);
    assert_memory_equal(at, copy[i].data, n);
    free(at);
  }
  assert_string_equal(archive_read_text(&z, 0, &n, m->a, m->d), "int x;\n");
  assert_int_equal(n, 7);
  assert_string_equal(archive_member_path(&z, 0, m->a),
                      arena_printf(m->a, "%s/in.pt2/m/a.cpp", m->dir));
  assert_int_equal(diags_status(m->d), STATUS_OK);
  assert_null(archive_read_text(&z, 1, &n, m->a, m->d));
  unit_says(m->d, "in.pt2/m/empty: error: is empty");
  assert_null(archive_read_text(&z, 2, &n, m->a, m->d));
  unit_says(m->d, "is binary, where a text is expected");
  archive_close(&z);
}

TEST(a_link_is_not_written_through) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  machine_file(m, "there", "old");
  assert_int_equal(symlink(machine_path(m, "there"), machine_path(m, "link")), 0);
  assert_false(archive_extract(&z, 0, machine_path(m, "link"), m->a, m->d));
  unit_says(m->d, "in.pt2/m/a.cpp: error: cannot be unpacked");
  size_t n;
  unsigned char *at = unit_read(machine_path(m, "there"), &n);
  assert_int_equal(n, 3);
  free(at);
  archive_close(&z);
}

TEST(what_is_kept_is_written_as_torch_writes_it) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  archive_replacement with[MEMBERS] = {{0}};
  archive_additions none = {0};
  const char *out = machine_path(m, "out.pt2");
  assert_true(archive_write(&z, with, &none, out, m->a, m->d));
  expect_written(out, copy, MEMBERS);
  archive again;
  assert_true(archive_open(&again, out, &m->o, m->a, m->d));
  assert_int_equal(again.members.n, MEMBERS);
  archive_close(&again);
  /* the same once more: the same bytes */
  size_t n[2];
  assert_true(archive_write(&z, with, &none, machine_path(m, "two.pt2"), m->a, m->d));
  unsigned char *one = unit_read(out, &n[0]), *two = unit_read(machine_path(m, "two.pt2"), &n[1]);
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(one, two, n[0]);
  free(one);
  free(two);
  archive_close(&z);
}

TEST(members_are_replaced_and_added) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  const char *file = machine_file(m, "file", "from a file");
  archive_replacement with[MEMBERS] = {{.text = "int longer;\n", .n = 12},
                                       {.file = file},
                                       {0},
                                       {.file = machine_file(m, "nothing", "")},
                                       {0}};
  archive_addition added[] = {{.name = "m/new.h", .file = file},
                              {.name = "m/\xc3\xa4.h", .file = file},
                              {.name = "m/end", .text = "a text", .after = MEMBERS - 1}};
  archive_additions more = {added, 3, 3};
  assert_true(archive_write(&z, with, &more, machine_path(m, "out.pt2"), m->a, m->d));
  const given expected[] = {{"m/a.cpp", "int longer;\n", 12, false},
                            {"m/new.h", "from a file", 11, false},
                            {"m/\xc3\xa4.h", "from a file", 11, false},
                            {"m/empty", "from a file", 11, false},
                            {"m/\xc3\xa9\xe4\xb8\xad.bin", "a\0b", 3, false},
                            {"m/long", "", 0, false},
                            {"m/last", "z", 1, false},
                            {"m/end", "a text", 6, false}};
  expect_written(machine_path(m, "out.pt2"), expected, sizeof expected / sizeof *expected);
  archive_close(&z);
}

/* What member `of` was, read from the new archive while the rest is not written. */
typedef struct made_of {
  archive_written of;
  diags *d;
} made_of;

static bool make_upper(void *data, int written, char *to, size_t n) {
  const made_of *x = data;
  assert_int_equal(pread(written, to, n, (off_t)x->of.offset), n);
  for (size_t i = 0; i < n; i++) to[i] = (char)toupper(to[i]);
  return true;
}

static bool make_nothing(void *data, int written, char *to, size_t n) {
  const made_of *x = data;
  (void)written, (void)to, (void)n;
  diag_error(x->d, STATUS_INPUT, "m/made", "is not made");
  return false;
}

TEST(a_member_is_renamed_and_another_made_of_it) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  static so_hash hash, expected_hash;
  made_of x = {.of = {.hash = &hash}, .d = m->d};
  archive_replacement with[MEMBERS] = {{.name = "m/old", .written = &x.of}};
  archive_addition added[] = {{.name = "m/a.cpp", .make = make_upper, .data = &x, .n = copy[0].n}};
  archive_additions more = {added, 1, 1};
  const char *out = machine_path(m, "out.pt2");
  assert_true(archive_write(&z, with, &more, out, m->a, m->d));
  given all[MEMBERS + 1];
  char upper[100];
  assert_true(copy[0].n < sizeof upper);
  for (size_t i = 0; i < copy[0].n; i++) upper[i] = (char)toupper(copy[0].data[i]);
  for (size_t i = 1; i < MEMBERS; i++) all[i + 1] = copy[i];
  all[0] = (given){"m/old", copy[0].data, copy[0].n, false};
  all[1] = (given){"m/a.cpp", upper, copy[0].n, false};
  expect_written(out, all, MEMBERS + 1);
  so_hash_begin(&expected_hash);
  so_hash_add(&expected_hash, copy[0].data, copy[0].n);
  assert_true(so_hash_end(&hash) == so_hash_end(&expected_hash));
  added[0].make = make_nothing;
  assert_false(archive_write(&z, with, &more, machine_path(m, "two.pt2"), m->a, m->d));
  unit_says(m->d, "m/made: error: is not made");
  assert_int_not_equal(access(machine_path(m, "two.pt2"), F_OK), 0);
  char *said = unit_messages(m->d, false);
  assert_null(strstr(said, "cannot be written")); /* it is told once */
  free(said);
  archive_close(&z);
}

/* As the library of a watch package has it, which writes archives. */
TEST(a_member_may_hold_the_mark_of_an_archive_s_end) {
  machine *m = *state;
  static const char bytes[] = "PK\5\6 is a mark of ZIP, and this is none";
  const given one[] = {{"m/a.so", bytes, sizeof bytes, false}};
  archive z;
  assert_true(archive_open(&z, make_archive(m, "in.pt2", one, 1), &m->o, m->a, m->d));
  assert_int_equal(z.members.n, 1);
  archive_close(&z);
}

TEST(what_cannot_be_had_leaves_no_archive) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  archive_replacement with[MEMBERS] = {{.file = machine_path(m, "gone")}};
  archive_additions none = {0};
  const char *out = machine_path(m, "out.pt2");
  assert_false(archive_write(&z, with, &none, out, m->a, m->d));
  unit_says(m->d, "out.pt2: error: cannot be written");
  assert_int_not_equal(access(out, F_OK), 0);
  archive_close(&z);
}

static const char *take_any(void *to, const char *name, uint64_t size) {
  (void)to, (void)name, (void)size;
  return NULL;
}

TEST(a_wrong_sum_is_told_with_its_member) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  archive_close(&z);
  size_t n, at = 0;
  unsigned char *bytes = unit_read(z.path, &n);
  while (memcmp(bytes + at, "PK\3\4", 4) != 0 || memcmp(bytes + at + 30, "m/last", 6) != 0)
    assert_true(++at + 36 < n);
  bytes[at + 36 + read_number(bytes + at + 28, 2)] ^=
      1; /* its one byte, behind its name and fields */
  FILE *f = fopen(z.path, "w");
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
  free(bytes);
  assert_true(archive_open(&z, z.path, &m->o, m->a, m->d));
  archive_replacement with[MEMBERS] = {{0}};
  archive_additions none = {0};
  assert_false(archive_write(&z, with, &none, machine_path(m, "out.pt2"), m->a, m->d));
  unit_says(m->d, "in.pt2/m/last: error: cannot be unpacked: CRC error");
  assert_int_not_equal(access(machine_path(m, "out.pt2"), F_OK), 0);
  archive_close(&z);
}

/* A reader whose child answers what is given: the list of one member. */
static const char *list_of(machine *m, archive_reader *r, archive_place place, int file) {
  int ends[2];
  const uint64_t numbers[] = {0, 1, place.at, place.size, place.sum};
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  assert_int_equal(write(ends[1], numbers, sizeof numbers), sizeof numbers);
  assert_int_equal(write(ends[1], "\1\0\0\0x", 5), 5);
  close(ends[1]);
  *r = (archive_reader){.socket = ends[0], .file = dup(file), .size = 10};
  const char *name;
  return archive_reader_list(r, take_any, NULL, &name, m->a);
}

TEST(a_member_is_read_from_where_the_child_says_within_the_file) {
  machine *m = *state;
  archive_reader r;
  char bytes[20];
  size_t n = sizeof bytes;
  const uint32_t of_cde = 0x1a8e4b3f; /* any but that of "cde" */
  int file = open(machine_file(m, "file", "abcdefghij"), O_RDWR);
  assert_null(list_of(m, &r, (archive_place){2, 3, of_cde}, file));
  assert_null(archive_reader_begin(&r, 0, 3));
  assert_null(archive_reader_next(&r, bytes, &n, m->a));
  assert_int_equal(n, 3);
  assert_memory_equal(bytes, "cde", 3);
  n = sizeof bytes;
  assert_string_equal(archive_reader_next(&r, bytes, &n, m->a), "CRC error");
  assert_int_equal(n, 0);
  archive_reader_stop(&r);
  static const archive_place outside[] = {
      {11, 0, 0}, {8, 3, 0}, {UINT64_MAX, 3, 0}, {2, UINT64_MAX, 0}, {UINT64_MAX, UINT64_MAX, 0}};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    assert_non_null(list_of(m, &r, outside[i], file));
  assert_null(list_of(m, &r, (archive_place){2, 8, 0}, file));
  assert_int_equal(ftruncate(file, 2), 0);
  assert_null(archive_reader_begin(&r, 0, 8));
  n = sizeof bytes;
  assert_string_equal(archive_reader_next(&r, bytes, &n, m->a), "the file has become shorter");
  archive_reader_stop(&r);
  close(file);
}

static void expect_refused(machine *m, const given *list, size_t n, const char *says) {
  archive z;
  if (archive_open(&z, make_archive(m, "bad.pt2", list, n), &m->o, m->a, m->d))
    fail_msg("opened, and not: %s", says);
  unit_says(m->d, says);
  archive_close(&z);
}

TEST(names_that_lead_elsewhere_are_refused) {
  machine *m = *state;
  static const char *const names[][2] = {{"../a", "climbs"},
                                         {"a/../../b", "climbs"},
                                         {"/a", "absolute"},
                                         {"\\a", "absolute"},
                                         {"a\\..\\..\\b", "climbs"},
                                         {"C:b", "absolute"},
                                         {"a//b", "empty parts"},
                                         {"a/./b", "empty parts"},
                                         {"a\nb", "control character"},
                                         {"a\xc2\x9b"
                                          "b",
                                          "control character"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect_refused(m, &(given){names[i][0], "x", 1, false}, 1, names[i][1]);
  const given both[] = {{"a/b", "x", 1, false}, {"a", "x", 1, false}, {"a-", "x", 1, false}},
              far[] = {{"a", "x", 1, false}, {"a!", "x", 1, false}, {"a/b", "x", 1, false}};
  expect_refused(m, both, 3, "is both a file and a directory");
  expect_refused(m, far, 3, "is both a file and a directory");
  const given sound[] = {{"a/", "", 0, false},
                         {"a/b", "x", 1, false},
                         {"ab", "x", 1, false},
                         {"a/..b", "x", 1, false}};
  archive z;
  assert_true(archive_open(&z, make_archive(m, "good.pt2", sound, 4), &m->o, m->a, m->d));
  assert_int_equal(z.members.n, 4);
  archive_close(&z);
}

TEST(archives_are_known_by_their_head_or_name) {
  machine *m = *state;
  given copy[MEMBERS];
  archive z = open_sample(m, copy);
  archive_close(&z);
  assert_true(archive_detect(z.path));
  assert_int_equal(rename(z.path, machine_path(m, "other")), 0);
  assert_true(archive_detect(machine_path(m, "other")));
  assert_true(archive_detect("gone.pt2"));
  assert_false(archive_detect("gone"));
  assert_false(archive_detect(".pt2"));
  assert_false(archive_detect(machine_file(m, "text.cpp", "PK")));
}
