aotigen_model aotigen_model_ = {
    AOTIGEN_ABI, AOTIGEN_PRINTER, AOTIGEN_CHECK_INPUTS, AOTIGEN_NAN_ASSERTS, AOTIGEN_SYNC,
    AOTIGEN_GUARD, AOTIGEN_GUARD_BUFFERS, AOTIGEN_KERNELS, AOTIGEN_EXPLAIN, @{source}, @{device},
    @{sites}, @{inputs}, @{weights}, @{cubins}, @{buffers}, @{nsites}, @{ninputs}, @{nweights},
    @{ncubins}, @{nbuffers}, @{nleft_alone}, nullptr};
AOTIGEN_OPENED()
}  // namespace
#endif
#line 1 "@{path}"
