// Triton kernels are embedded as comments in /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/cwdhrcxrrkbsjttgkeqreuwrfvseuzyqo2eimi24prubd4aucfsc.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_sum_0(const float* in_ptr0,
                       float* out_ptr0)
{
    {
        {
            {
                auto tmp0 = in_ptr0[static_cast<int64_t>(0L)];
                out_ptr0[static_cast<int64_t>(0L)] = tmp0;
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_mul_1(const float* in_ptr0,
                       float* out_ptr0,
                       float* out_ptr1,
                       const float ks0,
                       const float ks1)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(12L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0L) && x0 < static_cast<int64_t>(12L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(12L));
                    auto tmp1 = ks0;
                    auto tmp2 = c10::convert<float>(tmp1);
                    auto tmp3 = at::vec::Vectorized<float>(tmp2);
                    auto tmp4 = tmp0 * tmp3;
                    auto tmp5 = ks1;
                    auto tmp6 = c10::convert<float>(tmp5);
                    auto tmp7 = at::vec::Vectorized<float>(tmp6);
                    auto tmp8 = tmp0 + tmp7;
                    tmp4.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(12L));
                    tmp8.store(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(12L));
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/c4ynob4d7qrwjbknixzsbtki3jgq57b4s6hq2nmwqxoakrow64sb.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/c4ynob4d7qrwjbknixzsbtki3jgq57b4s6hq2nmwqxoakrow64sb.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/cwdhrcxrrkbsjttgkeqreuwrfvseuzyqo2eimi24prubd4aucfsc.wrapper.o /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/c4ynob4d7qrwjbknixzsbtki3jgq57b4s6hq2nmwqxoakrow64sb.kernel.o /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/cwdhrcxrrkbsjttgkeqreuwrfvseuzyqo2eimi24prubd4aucfsc/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/cy4el77pwd6l7oxuttarg3m6qxdheoysc76hasir54cdtiu2tkrz/cwdhrcxrrkbsjttgkeqreuwrfvseuzyqo2eimi24prubd4aucfsc.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
