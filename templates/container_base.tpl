
namespace torch::aot_inductor {
template AOTInductorModelBase<AOTInductorModel>::AOTInductorModelBase(
    size_t, size_t, size_t, const std::string &, std::optional<std::string>, bool);
}
