/* 147-confine.c - a confined child tries what it may and what it may not. Each act is tried by the
 * child itself, without any check of a text before it. */
#include "confine_acts.h"

/* ---- what it may ---------------------------------------------------------------------------- */

ACT(reads_inside, opens(path_in(scene.inside, "own"), O_RDONLY))
ACT(writes_inside, opens(path_in(scene.inside, "made"), O_WRONLY | O_CREAT))
ACT(replaces_inside, rename(path_in(scene.inside, "made"), path_in(scene.inside, "own")) == 0)
ACT(makes_directory, mkdir(path_in(scene.inside, "dir"), 0700) == 0)
ACT(removes_inside, rmdir(path_in(scene.inside, "dir")) == 0)
ACT(reads_library, opens("/lib/x86_64-linux-gnu", O_RDONLY) || opens("/lib", O_RDONLY))
ACT(opens_null, opens("/dev/null", O_RDWR))
ACT(runs_allowed, runs("/bin/true"))
ACT(takes_some_memory, malloc((size_t)64 << 20) != NULL)

#define ALLOWED(name)                                                                              \
  { #name, name }
static const act allowed[] = {
    ALLOWED(reads_inside),    ALLOWED(writes_inside),  ALLOWED(replaces_inside),
    ALLOWED(makes_directory), ALLOWED(removes_inside), ALLOWED(reads_library),
    ALLOWED(opens_null),      ALLOWED(runs_allowed),   ALLOWED(takes_some_memory)};

/* ---- where it may write to one directory within the allowed one -------------------------------
 */

ACT(makes_beside, opens(path_in(scene.inside, "object"), O_WRONLY | O_CREAT))
ACT(writes_beside, opens(path_in(scene.inside, "own"), O_WRONLY))
ACT(truncates_beside, opens(path_in(scene.inside, "own"), O_WRONLY | O_TRUNC))
ACT(removes_beside, unlink(path_in(scene.inside, "own")) == 0)
ACT(renames_beside, rename(path_in(scene.output, "made"), path_in(scene.inside, "own")) == 0)
ACT(takes_from_beside, rename(path_in(scene.inside, "own"), path_in(scene.output, "own")) == 0)
ACT(links_from_beside, link(path_in(scene.inside, "own"), path_in(scene.output, "own")) == 0)
ACT(makes_directory_beside, mkdir(path_in(scene.inside, "beside"), 0700) == 0)
ACT(renames_its_directory, rename(scene.output, path_in(scene.inside, "moved")) == 0)
ACT(writes_output, opens(path_in(scene.output, "made"), O_WRONLY | O_CREAT))
ACT(replaces_output, rename(path_in(scene.output, "made"), path_in(scene.output, "x.o")) == 0)

static const act beside[] = {FORBIDDEN(makes_beside),          FORBIDDEN(writes_beside),
                             FORBIDDEN(truncates_beside),      FORBIDDEN(removes_beside),
                             FORBIDDEN(renames_beside),        FORBIDDEN(takes_from_beside),
                             FORBIDDEN(links_from_beside),     FORBIDDEN(makes_directory_beside),
                             FORBIDDEN(renames_its_directory), FORBIDDEN(reads_outside),
                             FORBIDDEN(makes_outside)};
static const act within[] = {ALLOWED(writes_output), ALLOWED(replaces_output),
                             ALLOWED(writes_output), ALLOWED(reads_inside),
                             ALLOWED(opens_null),    ALLOWED(runs_allowed)};

/* ---- where it may start no process ------------------------------------------------------------
 */

static bool forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}

ACT(executes, execl("/bin/true", "true", (char *)NULL) == 0)

static void *do_nothing(void *data) { return data; }

static bool makes_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, do_nothing, NULL) == 0;
}

static bool maps(int flags) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

/* Memory that its limit does not count. */
ACT(maps_shared_memory, maps(MAP_SHARED))
ACT(maps_growing_memory, maps(MAP_PRIVATE | MAP_GROWSDOWN))

static const act by_starting[] = {
    FORBIDDEN(maps_shared_memory), FORBIDDEN(maps_growing_memory), FORBIDDEN(forks),
    FORBIDDEN(executes),           FORBIDDEN(makes_thread),        FORBIDDEN(runs_allowed),
    FORBIDDEN(reads_passwd),       FORBIDDEN(makes_socket)};

/* ---- the tests ------------------------------------------------------------------------------ */

static void begin(machine *m, confine *c, bool alone) {
  static const confine_limits limits = {
      .cpu_seconds = 20, .memory_bytes = 1 << 30, .file_bytes = 1 << 20};
  machine_file(m, "inside/own", "mine");
  machine_file(m, "inside/program", "#!/bin/sh\n");
  machine_file(m, "outside/secret", "secret");
  scene.inside = machine_path(m, "inside");
  scene.outside = machine_path(m, "outside");
  scene.output = machine_path(m, "inside/output");
  mkdir(scene.output, 0700);
  chmod(path_in(scene.inside, "program"), 0700);
  assert_int_equal(symlink("../outside/secret", path_in(scene.inside, "link")), 0);
  scene.shared = shmget(IPC_PRIVATE, 4096, 0600);
  assert_true(scene.shared >= 0);
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  scene.socket = ends[0];
  close(ends[1]);
  scene.other = fork();
  if (scene.other == 0)
    for (;;) pause();
  assert_true(confine_begin(c, &limits, alone, m->a, m->d));
  assert_true(confine_allow(c, scene.inside, CONFINE_WRITE));
  assert_true(confine_allow(c, "/bin/true", CONFINE_EXECUTE));
  const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/etc/ld.so.cache"};
  for (size_t i = 0; i < 4; i++) assert_true(confine_allow(c, libraries[i], CONFINE_READ));
  assert_true(confine_allow(c, "/lib64/ld-linux-x86-64.so.2", CONFINE_EXECUTE));
  assert_true(confine_allow(c, "/lib/ld-linux-aarch64.so.1", CONFINE_EXECUTE));
}

/* The names of the acts that went otherwise than `wanted`, each tried in a child of its own. */
static char *try_acts(machine *m, const confine *c, const act *acts, size_t n, bool wanted) {
  strbuf wrong = {0};
  for (size_t i = 0; i < n; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stdout)) _exit(9);
      if (!confine_enter(c)) _exit(9);
      alarm(10);
      _exit(acts[i].does() ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted)
      strbuf_printf(&wrong, "%s (%x) ", acts[i].what, (unsigned)status);
  }
  char *names = arena_strdup(m->a, wrong.at ? wrong.at : "");
  strbuf_free(&wrong);
  return names;
}

static void end(confine *c) {
  confine_end(c);
  close(scene.socket);
  shmctl(scene.shared, IPC_RMID, NULL);
  kill(scene.other, SIGKILL);
  waitpid(scene.other, NULL, 0);
}

static bool can_run(void) {
#ifdef __SANITIZE_ADDRESS__
  return false; /* its shadow memory is above the limit */
#else
  return confine_kernel_version() > 0;
#endif
}

#define TRY(rules, acts, wanted)                                                                   \
  assert_string_equal(try_acts(m, rules, acts, sizeof acts / sizeof *acts, wanted), "")

TEST(test_acts) {
  machine *m = *state;
  confine c;
  begin(m, &c, false);
  /* Without the rules most can be done: the test can fail. */
  assert_true(reads_outside() && makes_socket() && opens_zero() && reads_own_maps());
  if (can_run()) {
    TRY(&c, by_reading, false);
    TRY(&c, by_writing, false);
    TRY(&c, others, false);
    TRY(&c, of_files, false);
    TRY(&c, of_processes, false);
    TRY(&c, more, false);
    TRY(&c, allowed, true);
  }
  end(&c);
  assert_true(reads_outside());
}

TEST(test_outputs) {
  machine *m = *state;
  confine c, narrow;
  begin(m, &c, false);
  assert_true(confine_outputs(&narrow, &c, scene.output));
  if (can_run()) {
    TRY(&narrow, beside, false);
    TRY(&narrow, within, true);
    assert_string_equal(try_acts(m, &c, &(act)ALLOWED(makes_beside), 1, true), "");
  }
  confine_end_outputs(&narrow);
  end(&c);
}

TEST(test_alone) {
  machine *m = *state;
  confine c;
  begin(m, &c, true);
  assert_true(forks());
  if (can_run()) {
    TRY(&c, by_starting, false);
    assert_string_equal(try_acts(m, &c, &(act)ALLOWED(reads_inside), 1, true), "");
  }
  end(&c);
}
