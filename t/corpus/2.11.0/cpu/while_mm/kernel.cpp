// Triton kernels are embedded as comments in /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/cfb4pilo7qwq2unkt75wq5d4u6ixw6dcvudjjerujfwsajqc5d7d.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_0(float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(4L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0L) && x0 < static_cast<int64_t>(4L)))
                {
                    auto tmp0 = x0;
                    auto tmp1 = c10::convert<int64_t>(tmp0);
                    auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
                    auto tmp3 = static_cast<int64_t>(2);
                    auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
                    auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 < tmp4);
                    auto tmp6 = static_cast<int64_t>(1);
                    auto tmp7 = at::vec::VectorizedN<int64_t,2>(tmp6);
                    auto tmp8 = at::vec::VecMask<int64_t,2>(tmp2 < tmp7);
                    auto tmp9 = static_cast<float>(0.19766759872436523);
                    auto tmp10 = static_cast<float>(0.30001139640808105);
                    auto tmp11 = at::vec::Vectorized<float>(tmp9);
                    auto tmp12 = at::vec::Vectorized<float>(tmp10);
                    auto tmp13 = decltype(tmp11)::blendv(tmp12, tmp11, tmp8.template cast<float,1>());
                    auto tmp14 = static_cast<int64_t>(3);
                    auto tmp15 = at::vec::VectorizedN<int64_t,2>(tmp14);
                    auto tmp16 = at::vec::VecMask<int64_t,2>(tmp2 < tmp15);
                    auto tmp17 = static_cast<float>(-0.3389705419540405);
                    auto tmp18 = static_cast<float>(-0.21773141622543335);
                    auto tmp19 = at::vec::Vectorized<float>(tmp17);
                    auto tmp20 = at::vec::Vectorized<float>(tmp18);
                    auto tmp21 = decltype(tmp19)::blendv(tmp20, tmp19, tmp16.template cast<float,1>());
                    auto tmp22 = decltype(tmp13)::blendv(tmp21, tmp13, tmp5.template cast<float,1>());
                    tmp22.store(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(4L));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_gt_1(const int64_t* in_ptr0,
                       bool* out_ptr0)
{
    {
        {
            {
                auto tmp0 = in_ptr0[static_cast<int64_t>(0L)];
                auto tmp1 = static_cast<int64_t>(0);
                auto tmp2 = tmp0 > tmp1;
                out_ptr0[static_cast<int64_t>(0L)] = tmp2;
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_sub_2(const int64_t* in_ptr0,
                       int64_t* out_ptr0)
{
    {
        {
            {
                auto tmp0 = in_ptr0[static_cast<int64_t>(0L)];
                auto tmp1 = static_cast<int64_t>(1);
                auto tmp2 = int64_t(tmp0 - tmp1);
                out_ptr0[static_cast<int64_t>(0L)] = tmp2;
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/ckarncenfksfmopisjsuajmpfzm4k3z2vum6u2ih7lnpofsuoyx7.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/ckarncenfksfmopisjsuajmpfzm4k3z2vum6u2ih7lnpofsuoyx7.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/cfb4pilo7qwq2unkt75wq5d4u6ixw6dcvudjjerujfwsajqc5d7d.wrapper.o /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/ckarncenfksfmopisjsuajmpfzm4k3z2vum6u2ih7lnpofsuoyx7.kernel.o /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/cfb4pilo7qwq2unkt75wq5d4u6ixw6dcvudjjerujfwsajqc5d7d/cqxvvrrygwuprzwtxsunxsc3jmjlcw5zcnpc3s6yrhqyzpue2qz3.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/cpu5bgedlv7wcnlmlavuhanla5y733eq3jlmf4ziz4agosjzeya5/cfb4pilo7qwq2unkt75wq5d4u6ixw6dcvudjjerujfwsajqc5d7d.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
