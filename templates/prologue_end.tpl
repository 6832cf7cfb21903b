aotigen_model aotigen_model_ = {
    AOTIGEN_ABI,@{levels} @{source}, @{device},
    @{sites}, @{inputs}, @{weights}, @{cubins}, @{buffers}, @{promises}, @{nsites}, @{ninputs},
    @{nweights}, @{ncubins}, @{nbuffers}, @{npromises}, @{nleft_alone}, @{marks_order}, nullptr};
AOTIGEN_OPENED()
}  // namespace
#endif
#line 1 "@{path}"
