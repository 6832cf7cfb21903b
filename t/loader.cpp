// A C++ program as its users write it: AOTIModelPackageLoader over a package, its outputs saved for
// comparison.
// loader PACKAGE INPUTS.pt OUTPUTS.pt
//
// All of torch's headers, which torch/torch.h includes, take three times as long to compile.
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <fstream>
#include <iostream>
#include <iterator>

static std::vector<char> slurp(const char *path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  try {
    torch::inductor::AOTIModelPackageLoader loader(argv[1], "model");
    std::vector<at::Tensor> inputs;
    for (const auto &value : torch::jit::pickle_load(slurp(argv[2])).toTensorList())
      inputs.push_back(value);
    auto bytes = torch::jit::pickle_save(c10::IValue(loader.run(inputs)));
    std::ofstream(argv[3], std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  } catch (const std::exception &error) {
    std::cerr << "loader: " << error.what() << "\n";
    return 3;
  }
  return 0;
}
