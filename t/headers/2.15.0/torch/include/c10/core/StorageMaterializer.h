#pragma once
namespace c10 {
struct StorageImpl;
using MaterializeFn = void (*)(StorageImpl*);
}
