#pragma once
#include <c10/core/ScalarType.h>
namespace caffe2 {
class TypeMeta;
}
