// Triton kernels are embedded as comments in /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/czlvej5tnhoe6zfu2nhf2jg6w635qadahiedd2foevgoeouzkfny.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_addto_mul_0(const float* in_ptr0,
                       float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(48L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(48L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(2.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 * tmp2;
                    tmp3.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_1(const float* in_ptr0,
                       float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(48L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(48L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    auto tmp1 = static_cast<float>(1.0);
                    auto tmp2 = at::vec::Vectorized<float>(tmp1);
                    auto tmp3 = tmp0 + tmp2;
                    tmp3.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/chpfuree45aichmbakacp5vraqvyk3yhnvv67a3incqwbqwyvtba.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/chpfuree45aichmbakacp5vraqvyk3yhnvv67a3incqwbqwyvtba.kernel.o
// Link cmd
// g++ /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/czlvej5tnhoe6zfu2nhf2jg6w635qadahiedd2foevgoeouzkfny.wrapper.o /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/chpfuree45aichmbakacp5vraqvyk3yhnvv67a3incqwbqwyvtba.kernel.o /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/czlvej5tnhoe6zfu2nhf2jg6w635qadahiedd2foevgoeouzkfny/cq3zd6qxcvl3tricqkctpz3o5vapp2pgwqraqlknq325vqymef2p.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/cdcouiokr24rbw7yy5pk7s6iysg34yavkilc6h6m7oglob6im7f3/czlvej5tnhoe6zfu2nhf2jg6w635qadahiedd2foevgoeouzkfny.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
