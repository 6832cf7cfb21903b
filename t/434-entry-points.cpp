// 434-entry-points MODEL.so - calls each entry point of mlp_dyn's model, most of them with
// arguments that make them fail, and prints what each returned or threw.
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <exception>
#include <string>
#include <unordered_map>

#include <torch/csrc/inductor/aoti_torch/c/shim.h>

static void *model;

template <class... A> static void call(const char *name, A... arguments) {
  auto entry = reinterpret_cast<int32_t (*)(A...)>(dlsym(model, name));
  std::fprintf(stderr, "--- %s\n", name);
  if (!entry) {
    std::fprintf(stderr, "absent\n");
    return;
  }
  try {
    int32_t status = entry(arguments...);
    std::fprintf(stderr, "returned %d\n", status);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "threw %s\n", e.what());
  }
  auto last = reinterpret_cast<int32_t (*)(const char **)>(dlsym(model, "AOTInductorGetLastError"));
  const char *text = "";
  if (last && last(&text) == 0) std::fprintf(stderr, "last error: %s\n", text);
}

static AtenTensorHandle tensor(int64_t rows, int64_t columns) {
  int64_t sizes[] = {rows, columns}, strides[] = {columns, 1};
  AtenTensorHandle h = nullptr;
  aoti_torch_empty_strided(2, sizes, strides, aoti_torch_dtype_float32(),
                           aoti_torch_device_type_cpu(), 0, &h);
  aoti_torch_zero_(h); // what such memory holds may be NaN
  return h;
}

using map = std::unordered_map<std::string, AtenTensorHandle>;
struct pair {
  const char *name;
  AtenTensorHandle handle;
};

static void run(const char *name, void *container, int64_t columns, size_t ninputs) {
  AtenTensorHandle in[] = {tensor(8, columns)}, out[] = {nullptr};
  call(name, container, in, ninputs, out, size_t{1}, (void *)nullptr, (void *)nullptr);
}

static void ask(void *c) {
  const char *text = nullptr, *other = nullptr;
  size_t n = 0;
  int32_t i = 0;
  bool b = false;
  uint64_t u = 0;
  for (const char *name :
       {"AOTInductorModelContainerGetNumConstants", "AOTInductorModelContainerGetNumInputs",
        "AOTInductorModelContainerGetNumOutputs"})
    call(name, c, &n);
  for (const char *name :
       {"AOTInductorModelContainerGetConstantName",
        "AOTInductorModelContainerGetConstantOriginalFQN", "AOTInductorModelContainerGetInputName",
        "AOTInductorModelContainerGetOutputName"})
    call(name, c, size_t{999}, &text);
  call("AOTInductorModelContainerGetConstantFromFolded", c, size_t{999}, &b);
  for (const char *name :
       {"AOTInductorModelContainerGetConstantType", "AOTInductorModelContainerGetConstantDtype"})
    call(name, c, size_t{999}, &i);
  call("AOTInductorModelContainerGetConstantDataSize", c, size_t{999}, &n);
  call("AOTInductorModelContainerGetCallSpec", c, &text, &other);
  call("AOTInductorModelContainerGetConstantsBlobSize", c, &u);
  call("AOTInductorModelContainerDidCallLoadConstants", c, &b);
}

static void update(void *c) {
  map wrong = {{"nonexistent", tensor(2, 2)}}, extracted;
  pair pairs[] = {{"nonexistent", tensor(2, 2)}};
  const pair *entries = nullptr;
  size_t n = 0;
  for (const char *name : {"AOTInductorModelContainerUpdateConstantBuffer",
                           "AOTInductorModelContainerUpdateUserManagedConstantBuffer",
                           "AOTInductorModelContainerUpdateConstantBufferFromCpu"})
    call(name, c, (void *)&wrong, false, true);
  for (const char *name : {"AOTInductorModelContainerUpdateConstantBufferPairs",
                           "AOTInductorModelContainerUpdateUserManagedConstantBufferPairs",
                           "AOTInductorModelContainerUpdateConstantBufferFromCpuPairs"})
    call(name, c, (const pair *)pairs, size_t{1}, false, true);
  call("AOTInductorModelContainerUpdateInactiveConstantBuffer", c, (void *)&wrong);
  call("AOTInductorModelContainerUpdateInactiveConstantBufferPairs", c, (const pair *)pairs,
       size_t{1});
  call("AOTInductorModelContainerExtractConstantsMap", c, (void *)&extracted, true);
  call("AOTInductorModelContainerExtractConstantsMapEntries", c, &entries, &n, true);
  call("AOTInductorModelContainerSwapConstantBuffer", c);
  call("AOTInductorModelContainerFreeInactiveConstantBuffer", c);
  call("AOTInductorModelContainerRunConstantFolding", c, true, (void *)nullptr, (void *)nullptr);
}

static void use_model() {
  void *m = nullptr;
  map none;
  size_t n = 0;
  AtenTensorHandle in[] = {tensor(8, 60)}, out[] = {nullptr};
  call("AOTInductorModelCreate", &m, (void *)nullptr);
  if (!m) return;
  call("AOTInductorModelGetNumOutputs", m, &n);
  call("AOTInductorModelRun", m, in, out);
  call("AOTInductorModelUpdateConstantsMap", m, (void *)&none);
  call("AOTInductorModelUpdateConstantsMapV2", m, (const pair *)nullptr, int32_t{0});
  call("AOTInductorModelDelete", m);
}

int main(int, char **argv) {
  void *c = nullptr, *x = nullptr;
  setvbuf(stderr, nullptr, _IONBF, 0);
  model = dlopen(argv[1], RTLD_NOW);
  if (!model) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const char *nowhere = nullptr;
  call("AOTInductorModelContainerCreate", &x, size_t{0}, true, nowhere);
  call("AOTInductorModelContainerCreateWithDevice", &x, size_t{1}, "bogus", nowhere);
  call("AOTInductorModelContainerCreateWithExternalConstants", &x, size_t{1}, "bogus", nowhere,
       (const pair *)nullptr, size_t{0});
  call("AOTInductorModelContainerCreateWithDevice", &c, size_t{1}, "cpu", nowhere);
  if (!c) return 1;
  for (const char *name :
       {"AOTInductorModelContainerRun", "AOTInductorModelContainerRunSingleThreaded"}) {
    run(name, c, 60, 1);
    run(name, c, 64, 0);
    run(name, c, 64, 1);
  }
  call("AOTInductorModelContainerSetUseStreamAffinity", c, false);
  call("AOTInductorModelContainerGetStreamAffinityModelIndexForTesting", c, (void *)nullptr,
       (int64_t *)nullptr);
  ask(c);
  update(c);
  call("AOTInductorModelContainerDelete", c);
  use_model();
  return 0;
}
