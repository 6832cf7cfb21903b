// Triton kernels are embedded as comments in /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cllaqtrszg2kvmjbd5uw7vtaygg27zxsivejqo4cgye3bf4c7bxg.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused__scaled_dot_product_flash_attention_for_cpu_masked_fill_ones_scalar_tensor_triu_where_zeros_0(const bool* in_ptr0,
                       float* out_ptr0,
                       float* out_ptr1)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(256L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(256L)))
                {
                    auto tmp0 = at::vec::VecMask<float,1>::from(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(0.0);
                    auto tmp2 = -std::numeric_limits<float>::infinity();
                    auto tmp3 = at::vec::Vectorized<float>(tmp1);
                    auto tmp4 = at::vec::Vectorized<float>(tmp2);
                    auto tmp5 = decltype(tmp3)::blendv(tmp4, tmp3, tmp0.template cast<float,1>());
                    tmp5.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(16L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
                    {
                        auto tmp0 = x1 + ((-1L)*x0);
                        auto tmp1 = c10::convert<int64_t>(tmp0);
                        auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
                        auto tmp3 = static_cast<int64_t>(1);
                        auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
                        auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 >= tmp4);
                        auto tmp6 = static_cast<bool>(true);
                        auto tmp7 = at::vec::VecMask<float,1>::from(tmp6);
                        auto tmp8 = tmp5.template cast<int32_t,1>();
                        auto tmp9 = tmp7.template cast<int32_t,1>();
                        auto tmp10 = tmp8 & tmp9;
                        auto tmp11 = -std::numeric_limits<float>::infinity();
                        auto tmp12 = static_cast<float>(0.0);
                        auto tmp13 = at::vec::Vectorized<float>(tmp11);
                        auto tmp14 = at::vec::Vectorized<float>(tmp12);
                        auto tmp15 = decltype(tmp13)::blendv(tmp14, tmp13, tmp10.template cast<float,1>());
                        tmp15.store(out_ptr1 + static_cast<int64_t>(x1 + 16L*x0));
                    }
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cgw6yc3wuk2epysrq5jy3hc53ob7u6sazl6rafz35647g2v76nkk.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cgw6yc3wuk2epysrq5jy3hc53ob7u6sazl6rafz35647g2v76nkk.kernel.o
// Link cmd
// g++ /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cllaqtrszg2kvmjbd5uw7vtaygg27zxsivejqo4cgye3bf4c7bxg.wrapper.o /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cgw6yc3wuk2epysrq5jy3hc53ob7u6sazl6rafz35647g2v76nkk.kernel.o /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cllaqtrszg2kvmjbd5uw7vtaygg27zxsivejqo4cgye3bf4c7bxg/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/c36oni3neu2ub5pth2x7wu6fzybwey7ykx6vauxhht3mdb7tkc6k/cllaqtrszg2kvmjbd5uw7vtaygg27zxsivejqo4cgye3bf4c7bxg.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
