/* 362-fork - a child that is forked while another thread runs the model: every lock is free there.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param params[] = {
    {.name = "arg0_1", .dtype = "float32", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE("cpp_fused_add_0", params, 22)};
static const aotigen_input inputs[] = {{.name = "arg0_1", .ndim = -1}};
static const aotigen_buffer rows[] = {{"buf0", 10, AOTIGEN_HANDED_NEVER}};
static aotigen_model model = MODEL(WITH(sites, sites), WITH(inputs, inputs), WITH(buffers, rows),
                                   .guard = AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_POISON,
                                   .nan_asserts = 1);
static atomic_bool over;

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **shared);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **shared) {
  (void)tensor;
  *shared = fake_new("float32", 1, -1);
  return 0;
}

static void run_model(fake *input, fake *buffer) {
  aotigen_run run;
  aotigen_memory memory;
  void *own = buffer->data;
  aotigen_run_begin(&run, &model, 0, NULL);
  if (!aotigen_allocate(&run, 0, buffer, &memory)) _exit(9);
  buffer->data = memory.data;
  run.launch++;
  const aotigen_value v[] = {handle(input), handle(buffer)};
  if (aotigen_before(&run, 0, v, 2)) _exit(10);
  memset(memory.data, 0, 4 * sizeof(float));
  if (aotigen_after(&run, 0, NULL, 0)) _exit(11);
  aotigen_release(memory.owner);
  buffer->data = own;
  aotigen_run_end(&run, 0);
}

static void *run_often(void *none) {
  fake *input = fake_new("float32", 4, -1), *buffer = fake_new("float32", 4, -1);
  while (!over) run_model(input, buffer);
  fake_free(input);
  fake_free(buffer);
  return none;
}

TEST(a_child_runs_the_model) {
  pthread_t other;
  fake *input = fake_new("float32", 4, -1), *buffer = fake_new("float32", 4, -1);
  pthread_create(&other, NULL, run_often, NULL);
  for (int i = 0; i < 300; i++) {
    int status;
    pid_t child = fork();
    if (!child) {
      alarm(10);
      run_model(input, buffer);
      _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
  over = true;
  pthread_join(other, NULL);
  fake_free(input);
  fake_free(buffer);
}
