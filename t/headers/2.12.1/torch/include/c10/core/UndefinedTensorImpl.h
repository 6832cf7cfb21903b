#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <cstdint>
#include <vector>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
namespace c10 {
struct __attribute__((__visibility__("default"))) UndefinedTensorImpl final : public TensorImpl {
public:
protected:
private:
UndefinedTensorImpl();
};
}
