// Triton kernels are embedded as comments in /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/cm5hez5kfxju4mmvxs2kmjsdcdnnan6vavgt42x5o4jei7pkpava.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_exp_mul_relu_0(float* in_out_ptr0,
                       const float* in_ptr0,
                       float* out_ptr0)
{
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
                    {
                        auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 8L*x0), static_cast<int64_t>(8L));
                        auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1), static_cast<int64_t>(8L));
                        auto tmp1 = at::vec::clamp_min(tmp0, decltype(tmp0)(0));
                        auto tmp2 = static_cast<float>(2.0);
                        auto tmp3 = at::vec::Vectorized<float>(tmp2);
                        auto tmp4 = tmp1 * tmp3;
                        auto tmp6 = tmp4 + tmp5;
                        tmp6.store(in_out_ptr0 + static_cast<int64_t>(x1 + 8L*x0), static_cast<int64_t>(8L));
                    }
                }
            }
        }
    }
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0L) && x0 < static_cast<int64_t>(8L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8L));
                    auto tmp1 = tmp0.exp();
                    tmp1.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8L));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_1(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(48L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(48L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp2 = tmp0 + tmp1;
                    tmp2.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/csjdfletxqmrsio7se3twxwawkfbflyqkpnnq34vjhtpw5oszoim.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/csjdfletxqmrsio7se3twxwawkfbflyqkpnnq34vjhtpw5oszoim.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/cm5hez5kfxju4mmvxs2kmjsdcdnnan6vavgt42x5o4jei7pkpava.wrapper.o /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/csjdfletxqmrsio7se3twxwawkfbflyqkpnnq34vjhtpw5oszoim.kernel.o /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/cm5hez5kfxju4mmvxs2kmjsdcdnnan6vavgt42x5o4jei7pkpava/csvnxrnlryhv2auf6lblpvyph4il5ggiptquj3dezeohy5pyrrvq.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/cwrx2emq2cflh7dcv6t2pplevu5yg57a3ckyiqv3swn6eks24pjq/cm5hez5kfxju4mmvxs2kmjsdcdnnan6vavgt42x5o4jei7pkpava.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
