#pragma once
#include <c10/core/ScalarType.h>
#include <c10/util/Optional.h>
#include <c10/util/typeid.h>
namespace c10 {
inline bool operator==(ScalarType t, caffe2::TypeMeta m);
inline bool operator==(caffe2::TypeMeta m, ScalarType t);
inline bool operator!=(ScalarType t, caffe2::TypeMeta m);
inline bool operator!=(caffe2::TypeMeta m, ScalarType t);
}
