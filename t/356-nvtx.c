/* 356-nvtx - AOTIGEN_NVTX=1: a tool that listens gets a range of each run, and within it one of
 * each launch; they are balanced where an exception leaves the run, and without the variable there
 * are none. */
#include <stdio.h>

#include <nvtx3/nvToolsExt.h>

#include "shim.h"

static const aotigen_line lines[] = {{"/a/model.py", 14, "y = log(x)", "encoder.0"}};
static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE("cpp_fused_log_0", params, 11, .nodes = "log",
                                              .aten = "aten.log", .lines = lines, .nlines = 1),
                                     CPU_SITE("plain", params, 22)};
static aotigen_model model;
static char told[2048]; /* what the tool was told: "<range", "<range<launch>>" */

/* ---- a tool --------------------------------------------------------------------------------- */

static void tell(const char *a, const char *b) {
  size_t n = strlen(told);
  snprintf(told + n, sizeof told - n, "%s%s", a, b);
}

static nvtxDomainHandle_t create_domain(const char *name) {
  assert_string_equal(name, "aotigen");
  return (nvtxDomainHandle_t)(void *)told;
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a) {
  assert_ptr_equal(domain, told);
  assert_int_equal(a->messageType, NVTX_MESSAGE_TYPE_ASCII);
  tell("<", a->message.ascii);
  return 0;
}

static int pop(nvtxDomainHandle_t domain) {
  assert_ptr_equal(domain, told);
  tell(">", "");
  return 0;
}

static int listen(NvtxGetExportTableFunc_t get) {
  const NvtxExportTableCallbacks *callbacks = get(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table;
  unsigned n;
  if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &n)) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create_domain;
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
  *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
  return 1;
}

/* NVTX calls it at the first use: a tool that is linked. */
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = listen;

/* ---- runs ----------------------------------------------------------------------------------- */

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .check_inputs = 2);
  model.device = fake_device();
  *told = '\0';
}

static void run_two_launches(bool throws) {
  aotigen_run run;
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_run_begin(&run, &model, 0, NULL);
  for (uint32_t i = 0; i < 2; i++) {
    run.launch++;
    assert_null(aotigen_before(&run, i, v, 1));
    if (i && throws) break;
    assert_null(aotigen_after(&run, i, NULL, 0));
  }
  aotigen_run_end(&run, throws);
  fake_free(out);
}

TEST(ranges) {
  environment("AOTIGEN_NVTX", "1");
  for (int throws = 0; throws < 2; throws++) {
    *told = '\0';
    run_two_launches(throws);
    assert_string_equal(without_runs(told),
                        "<run N of model.cpp<launch 1: cpp_fused_log_0 (log) /a/model.py:14 in "
                        "encoder.0><launch 2: plain>>");
  }
}

TEST(none_without_the_variable) {
  static const char *const values[] = {NULL, "0"};
  for (int i = 0; i < 2; i++) {
    environment("AOTIGEN_NVTX", values[i]);
    run_two_launches(false);
    assert_string_equal(told, "");
  }
}

TEST(refuses_others) {
  capture(2);
  environment("AOTIGEN_NVTX", "yes");
  run_two_launches(false);
  char *text = captured(2);
  assert_string_equal(text, "aotigen: ignoring AOTIGEN_NVTX='yes': expected 0 or 1\n");
  assert_string_equal(told, "");
  free(text);
  environment("AOTIGEN_NVTX", NULL);
}
