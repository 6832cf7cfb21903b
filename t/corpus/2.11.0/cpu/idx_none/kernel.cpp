// Triton kernels are embedded as comments in /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/cl6xwdaro4l7fqpgkwvqsltxx5pw2hzdep4zvzjo3bwqg4k3f6ol.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused__to_copy_add_index_put_lift_fresh_copy_0(const float* in_ptr0,
                       float* out_ptr0,
                       int64_t* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(64L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(64L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = at::vec::convert<int64_t,2,float,1>(tmp0);
                    tmp0.store(out_ptr0 + static_cast<int64_t>(x0));
                    tmp1.store(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    tmp0.store(out_ptr2 + static_cast<int64_t>(x0));
                }
            }
        }
    }
    {
        {
            {
                auto tmp0 = static_cast<float>(0.5);
                out_ptr3[static_cast<int64_t>(0L)] = tmp0;
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused__to_copy_1(const float* in_ptr0,
                       int64_t* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(24L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(16L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = at::vec::convert<int64_t,2,float,1>(tmp0);
                    tmp1.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                }
                if(C10_UNLIKELY(x0 >= static_cast<int64_t>(16L) && x0 < static_cast<int64_t>(24L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8L));
                    auto tmp1 = at::vec::convert<int64_t,2,float,1>(tmp0);
                    tmp1.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8L));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_2(float* in_out_ptr0,
                       const int64_t ks0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L*ks0); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(2L))))))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(1.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 + tmp2;
                    tmp3.store(in_out_ptr0 + static_cast<int64_t>(x0));
                }
                if(C10_UNLIKELY(x0 >= static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(2L)))) && x0 < static_cast<int64_t>(8L*ks0)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(2L))) + 8L*ks0));
                    auto tmp1 = static_cast<float>(1.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 + tmp2;
                    tmp3.store(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>((-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(2L))) + 8L*ks0));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_mul_3(const float* in_ptr0,
                       float* out_ptr0,
                       const int64_t ks0)
{
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(ks0); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(16L))))))
                    {
                        auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + x0*std::max(static_cast<int64_t>(1L), static_cast<int64_t>(ks0))), static_cast<int64_t>(16));
                        auto tmp1 = static_cast<float>(2.0);
                        auto tmp2 = at::vec::Vectorized<float>(tmp1);
                        auto tmp3 = tmp0 * tmp2;
                        tmp3.store(out_ptr0 + static_cast<int64_t>(x1 + ks0*x0));
                    }
                    if(C10_UNLIKELY(x1 >= static_cast<int64_t>(16L*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(16L)))) && x1 < static_cast<int64_t>(ks0)))
                    {
                        auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + x0*std::max(static_cast<int64_t>(1L), static_cast<int64_t>(ks0))), static_cast<int64_t>(ks0 + (-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(16L)))));
                        auto tmp1 = static_cast<float>(2.0);
                        auto tmp2 = at::vec::Vectorized<float>(tmp1);
                        auto tmp3 = tmp0 * tmp2;
                        tmp3.store(out_ptr0 + static_cast<int64_t>(x1 + ks0*x0), static_cast<int64_t>(ks0 + (-16L)*(c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(16L)))));
                    }
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/c4u5rj2aq4xyeluh5kdkqfumnxyafaln2nuemkjo66k4yyvixcou.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/c4u5rj2aq4xyeluh5kdkqfumnxyafaln2nuemkjo66k4yyvixcou.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/cl6xwdaro4l7fqpgkwvqsltxx5pw2hzdep4zvzjo3bwqg4k3f6ol.wrapper.o /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/c4u5rj2aq4xyeluh5kdkqfumnxyafaln2nuemkjo66k4yyvixcou.kernel.o /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/cl6xwdaro4l7fqpgkwvqsltxx5pw2hzdep4zvzjo3bwqg4k3f6ol/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/cj6h7t6jvk6w5qb7hhaoq3zbxlghcn72qggoedvfcytdjzir4myh/cl6xwdaro4l7fqpgkwvqsltxx5pw2hzdep4zvzjo3bwqg4k3f6ol.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
