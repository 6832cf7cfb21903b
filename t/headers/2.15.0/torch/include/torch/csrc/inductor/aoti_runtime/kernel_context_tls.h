#pragma once
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
namespace torch::aot_inductor {
struct KernelContext {
std::string kernel_name;
std::string python_stack;
std::string compressed_python_stack;
KernelContext(std::string name, std::string stack);
KernelContext(const KernelContext&) = default;
KernelContext& operator=(const KernelContext&) = default;
KernelContext(KernelContext&&) = default;
KernelContext& operator=(KernelContext&&) = default;
private:
};
extern thread_local KernelContext* tls_kernel_context;
struct KernelContextGuard {
KernelContextGuard(const std::string& name, const std::string& stack);
~KernelContextGuard();
KernelContextGuard(const KernelContextGuard&) = delete;
KernelContextGuard& operator=(const KernelContextGuard&) = delete;
KernelContextGuard(KernelContextGuard&&) = default;
KernelContextGuard& operator=(KernelContextGuard&&) = delete;
private:
KernelContext owned_context_;
};
}
