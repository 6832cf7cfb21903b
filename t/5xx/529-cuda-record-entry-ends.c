/* 529-cuda-record-entry-ends - an asynchronous error of the device that shows outside of a run
 * function, in a host that ends at once: what is on stderr by then, and in the exception's text.
 *
 * 529-cuda-record-entry-ends PLACE-END [TIMES] ends TIMES processes in that way; `list` prints the
 * names. Each is a child, since what happens to a device stays with the process. The model is
 * called as torch's container calls it.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "5xx/lagging.h"

enum { CALLS = 5, LOST_IN = 3, LAUNCHES = 6, SPOILED = 2, LOST_AT = 4 };

/* The message that the host gets: torch's own, unless the model replaces it. */
static char thrown[8000];

static void leave(const char *what) {
  const char *message = aotigen_entry_failed(&model, what);
  snprintf(thrown, sizeof thrown, "%s", message ? message : what);
}

/* Launch SPOILED makes a NaN; in launch LOST_AT the device is lost. Returns what a marker wants
 * thrown, or NULL. */
static const char *run_body(aotigen_run *run, const lineup *l, bool dies) {
  const char *fault = NULL;
  for (uint64_t i = 1; i <= LAUNCHES && !fault; i++) {
    aotigen_value v[] = {handle(l->bufs[2]), handle(l->bufs[3])};
    if (!dies || i != LOST_AT) {
      fault = launch(run, l, dies && i == SPOILED ? 7 : -1, NAN);
      continue;
    }
    run->launch++;
    if ((fault = aotigen_before(run, ODD, v, 2))) break;
    fake_death(l->stream, 0, 700);
    fault = aotigen_after(run, ODD, NULL, 0);
  }
  return fault;
}

/* Calls the model. False where its own code saw the error, and threw it. */
static bool call_model(const lineup *l, bool folding, bool dies) {
  aotigen_run run;
  aotigen_run_begin(&run, &model, folding, l->stream);
  const char *fault = run_body(&run, l, dies);
  aotigen_run_end(&run, fault != NULL);
  if (fault) leave(fault);
  return !fault;
}

static void call_until(const lineup *l, int last) {
  for (int i = 1; i <= last; i++)
    if (!call_model(l, false, i == LOST_IN)) return;
}

/* Called within one of torch's calls between the markers of a later run. */
static void next_launch(const lineup *l) {
  aotigen_run run;
  call_until(l, LOST_IN);
  if (*thrown) return;
  begin(&run, &model, l);
  const char *fault = launch(&run, l, -1, 0);
  fake_wait(l->stream);
  if (!fault) fault = aotigen_run_failed(&run, driver_error);
  leave(fault ? fault : driver_error);
  aotigen_run_end(&run, 1);
}

/* Called when the container records its event behind the run. */
static void event_at_end(const lineup *l) {
  call_until(l, LOST_IN);
  fake_wait(l->stream);
  if (!*thrown) leave(driver_error);
}

/* Called when the container asks whether its model has finished. */
static void query_at_begin(const lineup *l) {
  call_until(l, LOST_IN + 1);
  fake_wait(l->stream);
  if (!*thrown) leave(driver_error);
}

static void update_of_weights(const lineup *l) {
  call_until(l, CALLS);
  fake_wait(l->stream);
  if (*thrown) return;
  aotigen_weights_changed(&model);
  leave(driver_error);
}

static void constant_folding(const lineup *l) {
  if (!call_model(l, true, true)) return;
  fake_wait(l->stream);
  leave(driver_error);
}

/* The destructor ends the process: it throws nothing, and the device may not be there yet. Where
 * the host was slow and the device is, the run has thrown. */
static void deletion(const lineup *l) {
  call_until(l, LOST_IN);
  aotigen_entry_deletes(&model);
}

static const struct {
  const char *name;
  void (*run)(const lineup *l);
} places[] = {{"next_launch", next_launch},           {"event_at_end", event_at_end},
              {"query_at_begin", query_at_begin},     {"update_of_weights", update_of_weights},
              {"constant_folding", constant_folding}, {"deletion", deletion}};
static const char *const ends[] = {"return", "_exit", "abort"};

/* ---- the host ------------------------------------------------------------------------------- */

static int host(size_t place, size_t end, int number) {
  lineup l;
  if (fake_open()) return 9;
  l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(1 + number * 7 % 120);
  places[place].run(&l);
  if (write(STDOUT_FILENO, thrown, strlen(thrown)) < 0) return 8;
  if (end == 1) _exit(0);
  if (end == 2) abort();
  return 0;
}

static void read_all(int fd, char *text, size_t room) {
  ssize_t n = pread(fd, text, room - 1, 0);
  text[n > 0 ? n : 0] = 0;
}

/* NULL where the host has all that it must have, else what it lacks. */
static const char *check_host(size_t place, size_t end, int status, const char *out,
                              const char *err) {
  static char head[200];
  int run = places[place].run == constant_folding ? 0 : LOST_IN;
  if (end == 2 ? !WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT
               : !WIFEXITED(status) || WEXITSTATUS(status))
    return "another end";
  snprintf(head, sizeof head,
           "aotigen: device error in run %d, launch %d: triton_poi_fused_mul_1\n", run, LOST_AT);
  if (count(err, head) != 1) return "the report on stderr, once";
  if (count(err, "aotigen: device error") != 1) return "no other report";
  if (!strstr(err, "(CUDA_ERROR_ILLEGAL_ADDRESS, 700)\n")) return "the driver's error";
  snprintf(head, sizeof head, "aotigen: NaN born in run %d, launch %d: ", run, SPOILED);
  if (count(err, head) != 1) return "what was found before";
  if (places[place].run == deletion && !*out) return NULL;
  snprintf(head, sizeof head,
           "aotigen: device error in run %d, launch %d: triton_poi_fused_mul_1, ", run, LOST_AT);
  if (strncmp(out, head, strlen(head)) != 0) return "the report in the exception";
  return NULL;
}

static bool one(size_t place, size_t end, int number, FILE *out, FILE *err) {
  static char said[2][16000];
  int status;
  if (ftruncate(fileno(out), 0) || ftruncate(fileno(err), 0)) return false;
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    alarm(10);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    lseek(STDOUT_FILENO, 0, SEEK_SET);
    lseek(STDERR_FILENO, 0, SEEK_SET);
    exit(host(place, end, number));
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  read_all(fileno(out), said[0], sizeof said[0]);
  read_all(fileno(err), said[1], sizeof said[1]);
  const char *lacks = check_host(place, end, status, said[0], said[1]);
  if (lacks)
    printf("number %d lacks %s (status %d)\n--- its exception:\n%s\n--- its stderr:\n%s\n", number,
           lacks, status, said[0], said[1]);
  return !lacks;
}

static int repeat(size_t place, size_t end, int times) {
  FILE *out = tmpfile(), *err = tmpfile();
  int good = 0;
  if (!out || !err) return 1;
  for (int i = 0; i < times && good == i; i++) good += one(place, end, i, out, err);
  printf("%d of %d\n", good, times);
  return good != times;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "list";
  char name[64];
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
      snprintf(name, sizeof name, "%s-%s", places[i].name, ends[j]);
      if (!strcmp(what, "list")) printf("%s\n", name);
      if (!strcmp(what, name)) return repeat(i, j, argc > 2 ? atoi(argv[2]) : 100);
    }
  return strcmp(what, "list") != 0;
}
