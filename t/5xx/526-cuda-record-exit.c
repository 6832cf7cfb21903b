/* 526-cuda-record-exit - how a process ends while runs are not evaluated yet: it waits for their
 * results, or not.
 *
 * 526-cuda-record-exit NAME ends in the way of that name; `list` prints the names. The .t reads its
 * output.
 */
#include <math.h>
#include <pthread.h>
#include <sys/wait.h>

#include "5xx/lagging_files.h"
#include "5xx/lagging_graph.h"

static int exit_waits_for_answers(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(10 * 1000);
  whole_run(&model, &l, 10, 9, 4, NAN);
  return 0;
}

static int exit_waits_for_files(void) {
  spooler s = {.stream = &streams[0]};
  model = new_model(0, 1, 0);
  fake_late(20 * 1000);
  save_much(&s);
  return 0;
}

static int exit_within_a_replay(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  warm_up(&l);
  fake_late(20 * 1000);
  capture_graph(&l);
  atomic_store(&bad_now[2], 5);
  fake_replay_on(l.stream);
  let_pass(50 * 1000); /* into the replay, of which each part takes 20 ms */
  return 0;
}

/* Another thread goes on with the model for ever. */
static void *endless(void *of) {
  for (;;) whole_run(&model, of, 20, 0, -1, 0);
  return NULL;
}

static int exit_beside_a_busy_thread(void) {
  static lineup l, mine;
  pthread_t thread;
  l = new_lineup(0);
  mine = new_lineup(1);
  model = new_model(3, 0, 0);
  fake_late(20);
  pthread_create(&thread, NULL, endless, &l);
  for (int i = 0; i < 20; i++) whole_run(&model, &mine, 10, i == 19 ? 9 : 0, 4, NAN);
  return 0;
}

static int exit_within_a_run(void) {
  static lineup l;
  static aotigen_run run;
  l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(1000);
  begin(&run, &model, &l);
  launch(&run, &l, 4, NAN);
  launch(&run, &l, -1, 0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  run.launch++;
  aotigen_before(&run, STEP, v, 2);
  exit(0);
}

static int exit_after_a_death(void) {
  lineup l = new_lineup(0);
  char message[8000];
  model = new_model(3, 0, 0);
  fake_late(50);
  run_to_death(&l, 60, message, sizeof message);
  return 0;
}

/* While the driver writes a core dump, launches behind the one that failed end: no result is
 * outstanding when the device tells of its error. */
static int exit_behind_a_core_dump(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  whole_run(&model, &l, 10, 0, -1, 0);
  ag_evaluator_settle();
  fake_fail("cuStreamQuery", 1, 700);
  return 0;
}

/* A stream that never comes to an end: neither answers nor files are waited for without end. */
static int exit_with_a_device_that_hangs(void) {
  static atomic_int never;
  static lineup l;
  aotigen_run run;
  l = new_lineup(0);
  model = new_model(3, 1, 0);
  fake_late(10);
  begin(&run, &model, &l);
  launch_kernel(&run, &l, STEP, l.bufs[0],
                &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &never}, l.bufs[1]);
  aotigen_run_end(&run, 0);
  return 0;
}

/* Children of a process that is at it; one is forked in the midst of everything. */
static int exit_of_a_child(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  static aotigen_model saving;
  saving = new_model(0, 1, 0);
  aotigen_run run;
  int bad = 0;
  fake_late(100);
  aotigen_run_begin(&run, &saving, 0, &streams[2]);
  launch(&run, &(lineup){&streams[2], {l.bufs[0], l.bufs[1], l.bufs[2], l.bufs[3]}}, -1, 0);
  aotigen_run_end(&run, 0);
  for (int i = 0; i < 200; i++) {
    int status;
    whole_run(&model, &l, 20, i % 3 ? 0 : 5, 4, NAN);
    let_pass(i * 7 % 300); /* another moment each time */
    pid_t child = fork();
    if (!child) {
      alarm(10);
      exit(0);
    }
    waitpid(child, &status, 0);
    bad += status != 0;
  }
  return bad ? 1 : 0;
}

int main(int argc, char **argv) {
#define EXIT(name)                                                                                 \
  { #name, name }
  static const struct {
    const char *name;
    int (*run)(void);
  } exits[] = {EXIT(exit_waits_for_answers),
               EXIT(exit_waits_for_files),
               EXIT(exit_within_a_replay),
               EXIT(exit_beside_a_busy_thread),
               EXIT(exit_within_a_run),
               EXIT(exit_after_a_death),
               EXIT(exit_with_a_device_that_hangs),
               EXIT(exit_of_a_child),
               EXIT(exit_behind_a_core_dump)};
  const char *what = argc > 1 ? argv[1] : "list";
  for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
    if (!strcmp(what, "list")) printf("%s\n", exits[i].name);
    if (!strcmp(what, exits[i].name)) return fake_open() || exits[i].run();
  }
  return strcmp(what, "list") != 0;
}
