aotigen_model aotigen_model_ = {
    AOTIGEN_ABI, AOTIGEN_PRINTER, AOTIGEN_CHECK_INPUTS, AOTIGEN_NAN_ASSERTS, AOTIGEN_SYNC,
    AOTIGEN_KERNELS, AOTIGEN_EXPLAIN, @{source}, @{device}, @{sites}, @{inputs}, @{weights},
    @{cubins}, @{nsites}, @{ninputs}, @{nweights}, @{ncubins}, nullptr};
}  // namespace
#endif
#line 1 "@{path}"
