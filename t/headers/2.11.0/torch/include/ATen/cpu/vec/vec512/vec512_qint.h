#pragma once
#include <ATen/cpu/vec/vec_base.h>
#include <ATen/native/quantized/AffineQuantizerBase.h>
#include <c10/util/irange.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint8.h>
#include <array>
#include <cmath>
namespace at {
namespace vec {
inline namespace CPU_CAPABILITY {
struct Vectorizedqi {
protected:
__m512i vals __attribute__((aligned(64)));
public:
Vectorizedqi();
Vectorizedqi(__m512i v);
operator __m512i() const;
};
template <>
struct Vectorized<c10::qint32> : public Vectorizedqi {
using size_type = int;
static constexpr size_type size() {
return 16;
}
using value_type = c10::qint32::underlying;
public:
using Vectorizedqi::Vectorizedqi;
Vectorized();
Vectorized(__m512i vals_);
Vectorized(const c10::qint32& val);
void store(void* ptr, int count = size()) const;
static Vectorized<c10::qint32> loadu(const void* ptr);
static Vectorized<c10::qint32> loadu(const void* ptr, int64_t count);
private:
Vectorized(const void* ptr);
};
template <>
Vectorized<c10::qint32> inline operator*(
const Vectorized<c10::qint32>& a,
const Vectorized<c10::qint32>& b);
template <>
Vectorized<c10::qint32> inline operator+(
const Vectorized<c10::qint32>& a,
const Vectorized<c10::qint32>& b);
template <>
struct Vectorized<c10::qint8> : public Vectorizedqi {
static constexpr int size() {
return 64;
}
using value_type = c10::qint8::underlying;
public:
using Vectorizedqi::Vectorizedqi;
Vectorized();
Vectorized(__m512i vals_);
Vectorized(const c10::qint8& val);
Vectorized(const Vectorized<c10::qint8>& other);
Vectorized& operator=(const Vectorized<c10::qint8>&) = default;
void store(void* ptr, int count = size()) const;
static Vectorized<c10::qint8> loadu(const void* ptr);
static Vectorized<c10::qint8> loadu(const void* ptr, int64_t count);
private:
public:
private:
Vectorized(const void* ptr);
};
template <>
struct Vectorized<c10::quint8> : public Vectorizedqi {
static constexpr int size() {
return 64;
}
using value_type = c10::quint8::underlying;
public:
using Vectorizedqi::Vectorizedqi;
Vectorized();
Vectorized(__m512i vals_);
Vectorized(const c10::quint8& val);
Vectorized(const Vectorized<c10::quint8>& other);
Vectorized& operator=(const Vectorized<c10::quint8>&) = default;
void store(void* ptr, int count = size()) const;
static Vectorized<c10::quint8> loadu(const void* ptr);
static Vectorized<c10::quint8> loadu(const void* ptr, int64_t count);
private:
public:
private:
Vectorized(const void* ptr);
};
}
}
}
