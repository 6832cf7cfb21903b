#pragma once
#include <c10/core/MemoryFormat.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/ArrayRef.h>
#include <cstdint>
namespace c10 {
struct __attribute__((__visibility__("default"))) UndefinedTensorImpl final : public TensorImpl {
public:
protected:
private:
UndefinedTensorImpl();
};
}
