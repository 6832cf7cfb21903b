#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
extern "C" {
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_cpu__c10d_functional_all_reduce_(
AtenTensorHandle inp,
const char* reduce_op,
const char* group_name,
AtenTensorHandle* ret0);
__attribute__((__visibility__("default"))) AOTITorchError aoti_torch_cpu__c10d_functional_wait_tensor(
AtenTensorHandle inp,
AtenTensorHandle* ret0);
}
