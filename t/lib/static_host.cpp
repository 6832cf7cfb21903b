// A program that a model of AOTInductor is linked into statically, with torch's C interface alone.
// usage: static_host ROWS COLUMNS < float32      prints the bits of the only output, a line each
#include MODEL_HEADER
#include <cstdio>
#include <cstdlib>

using namespace torch::aot_inductor;

int main(int, char **argv) {
  const int64_t rows = atol(argv[1]), columns = atol(argv[2]);
  std::vector<float> data(rows * columns);
  if (fread(data.data(), sizeof(float), data.size(), stdin) != data.size()) return 2;
  auto model = MODEL_CLASS::Create(std::make_shared<ConstantMap>(),
      std::make_shared<std::vector<ConstantHandle>>(), "cpu", std::nullopt);
  model->load_constants();
  const int64_t sizes[] = {rows, columns}, strides[] = {columns, 1};
  AtenTensorHandle in, out = nullptr;
  AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_create_tensor_from_blob(data.data(), 2, sizes, strides, 0,
      aoti_torch_dtype_float32(), aoti_torch_device_type_cpu(), 0, &in));
  model->run(&in, &out, nullptr, nullptr);
  void *at;
  int64_t numel;
  AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_get_data_ptr(out, &at));
  AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_get_numel(out, &numel));
  for (int64_t i = 0; i < numel; i++) printf("%08x\n", static_cast<unsigned *>(at)[i]);
}
