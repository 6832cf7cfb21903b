// Triton kernels are embedded as comments in /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/cq4bxcmwnce2qmzuowurtevvfgkf5ilafoo4xkodhhvcbgrtfbdf.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused__assert_async__to_copy_all_arange_eq_ge_lt_mul_unsqueeze_0(bool* in_out_ptr0,
                       bool* in_out_ptr1,
                       const int64_t* in_ptr0,
                       float* out_ptr4)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    auto out_ptr0 = in_out_ptr0;
    auto out_ptr1 = in_out_ptr1;
    {
        {
            bool tmp_acc0 = 0;
            at::vec::VecMask<float,1> tmp_acc0_vec = at::vec::VecMask<float,1>::from(0);
            bool tmp_acc1 = 0;
            at::vec::VecMask<float,1> tmp_acc1_vec = at::vec::VecMask<float,1>::from(0);
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(33L); x0+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
                    {
                        auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                        auto tmp1 = static_cast<int64_t>(0);
                        auto tmp2 = at::vec::VectorizedN<int64_t,2>(tmp1);
                        auto tmp3 = at::vec::VecMask<int64_t,2>(tmp0 >= tmp2);
                        auto tmp4 = ~tmp3;
                        auto tmp5 = inductor_vec_mask_cast<float,1>(tmp4);
                        auto tmp6 = static_cast<int64_t>(10);
                        auto tmp7 = at::vec::VectorizedN<int64_t,2>(tmp6);
                        auto tmp8 = at::vec::VecMask<int64_t,2>(tmp0 < tmp7);
                        auto tmp9 = ~tmp8;
                        auto tmp10 = inductor_vec_mask_cast<float,1>(tmp9);
                        tmp_acc0_vec = tmp_acc0_vec | tmp5;
                        tmp_acc1_vec = tmp_acc1_vec | tmp10;
                    }
                    if(C10_UNLIKELY(x0 >= static_cast<int64_t>(32L) && x0 < static_cast<int64_t>(33L)))
                    {
                        auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(1L));
                        auto tmp1 = static_cast<int64_t>(0);
                        auto tmp2 = at::vec::VectorizedN<int64_t,2>(tmp1);
                        auto tmp3 = at::vec::VecMask<int64_t,2>(tmp0 >= tmp2);
                        auto tmp4 = ~tmp3;
                        auto tmp5 = inductor_vec_mask_cast<float,1>(tmp4);
                        auto tmp6 = static_cast<int64_t>(10);
                        auto tmp7 = at::vec::VectorizedN<int64_t,2>(tmp6);
                        auto tmp8 = at::vec::VecMask<int64_t,2>(tmp0 < tmp7);
                        auto tmp9 = ~tmp8;
                        auto tmp10 = inductor_vec_mask_cast<float,1>(tmp9);
                        tmp_acc0_vec = any_masked_reduce(tmp_acc0_vec, tmp5, static_cast<int64_t>(1L));
                        tmp_acc1_vec = any_masked_reduce(tmp_acc1_vec, tmp10, static_cast<int64_t>(1L));
                    }
                }
            }
            tmp_acc0 = tmp_acc0 || !tmp_acc0_vec.all_zero();
            out_ptr0[static_cast<int64_t>(0L)] = static_cast<bool>(tmp_acc0);
            tmp_acc1 = tmp_acc1 || !tmp_acc1_vec.all_zero();
            out_ptr1[static_cast<int64_t>(0L)] = static_cast<bool>(tmp_acc1);
        }
    }
    {
        {
            {
                auto tmp0 = out_ptr0[static_cast<int64_t>(0L)];
                auto tmp1 = !tmp0;
                (tmp1 ? 0 : (throw std::runtime_error("one_hot: Class values must be non-negative."), 0));
            }
        }
    }
    {
        {
            {
                auto tmp0 = out_ptr1[static_cast<int64_t>(0L)];
                auto tmp1 = !tmp0;
                (tmp1 ? 0 : (throw std::runtime_error("one_hot: Class values must be smaller than num_classes."), 0));
            }
        }
    }
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(33L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(10L); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(10L)))
                    {
                        auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                        auto tmp1 = x1;
                        auto tmp2 = c10::convert<int64_t>(tmp1);
                        auto tmp3 = at::vec::VectorizedN<int64_t,2>::arange(tmp2, 1);
                        auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp0);
                        auto tmp5 = at::vec::VecMask<int64_t,2>(tmp4 == tmp3);
                        auto tmp6 = tmp5.to<int64_t,2>();
                        auto tmp7 = at::vec::convert<float,1,int64_t,2>(tmp6);
                        auto tmp8 = static_cast<float>(2.0);
                        auto tmp9 = at::vec::Vectorized<float>(tmp8);
                        auto tmp10 = tmp7 * tmp9;
                        tmp10.store(out_ptr4 + static_cast<int64_t>(x1 + 10L*x0), static_cast<int64_t>(10L));
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}

// Compile cmd
// g++ /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/clvndhle4ssgusfl4vyqb3fx75cidrhwi6r5jhp6nclffjh7iqlv.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D TORCH_INDUCTOR_PRECOMPILE_HEADERS -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-omit-frame-pointer -g1 -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-finite-math-only -fno-unsafe-math-optimizations -fmath-errno -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++20 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/precompiled_headers/ctqo5kzcd6y2qno4fuda4mpkemtfelh7jlgenerqdwwqv2527mrp.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl  -c -o /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/clvndhle4ssgusfl4vyqb3fx75cidrhwi6r5jhp6nclffjh7iqlv.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/cq4bxcmwnce2qmzuowurtevvfgkf5ilafoo4xkodhhvcbgrtfbdf.wrapper.o /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/clvndhle4ssgusfl4vyqb3fx75cidrhwi6r5jhp6nclffjh7iqlv.kernel.o /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/cq4bxcmwnce2qmzuowurtevvfgkf5ilafoo4xkodhhvcbgrtfbdf/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D TORCH_INDUCTOR_PRECOMPILE_HEADERS -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-omit-frame-pointer -g1 -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-finite-math-only -fno-unsafe-math-optimizations -fmath-errno -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++20 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl  -o /tmp/torchinductor/cvm2obu5dyky2m3xeesijsh3gqlwh4vaqm2kb7rrdhomwuqqml6x/cq4bxcmwnce2qmzuowurtevvfgkf5ilafoo4xkodhhvcbgrtfbdf.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
