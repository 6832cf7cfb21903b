#pragma once
#include <string>
namespace c10 {
using std::to_string;
}
