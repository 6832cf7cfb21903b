#pragma once
#include <utility>
#include <c10/util/ArrayRef.h>
#include <ATen/core/List.h>
namespace at {
template <typename F>
struct IterArgs {
template <typename T>
void operator()(c10::IListRef<T> args);
template <typename T>
void operator()(at::ArrayRef<T> args);
template <typename T>
void operator()(const torch::List<T>& args);
template <typename T>
void operator()(const std::vector<T>& args);
private:
inline F& self();
};
}
