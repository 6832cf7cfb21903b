#pragma once
namespace c10 {}
namespace c10::cuda {}
namespace c10::hip {}
namespace c10::xpu {}
#include <cassert>
namespace caffe2 {
using namespace c10;
}
namespace at {
using namespace c10;
}
namespace at::cuda {
using namespace c10::cuda;
}
namespace at::cuda {
using namespace c10::hip;
}
namespace at::xpu {
using namespace c10::xpu;
}
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#include <cstdint>
