// Triton kernels are embedded as comments in /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_mul_rows_sin_0(const float* in_ptr0,
                       float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(960L); x0+=static_cast<int64_t>(8L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(960L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp1 = tmp0.sin();
                    auto tmp2 = static_cast<float>(2.0);
                    auto tmp3 = at::vec::Vectorized<float>(tmp2);
                    auto tmp4 = tmp1 * tmp3;
                    tmp4.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_mul_pair_relu_sin_1(const float* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(960L); x0+=static_cast<int64_t>(8L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(960L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp1 = at::vec::clamp_min(tmp0, decltype(tmp0)(0));
                    auto tmp2 = static_cast<float>(1.0);
                    auto tmp3 = at::vec::Vectorized<float>(tmp2);
                    auto tmp4 = tmp1 + tmp3;
                    auto tmp6 = tmp5.sin();
                    auto tmp7 = static_cast<float>(2.0);
                    auto tmp8 = at::vec::Vectorized<float>(tmp7);
                    auto tmp9 = tmp6 * tmp8;
                    auto tmp10 = tmp4 * tmp9;
                    tmp10.store(out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_exp_load_sub_2(float* in_out_ptr0,
                       const float* in_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(960L); x0+=static_cast<int64_t>(8L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(960L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp2 = tmp0 - tmp1;
                    auto tmp3 = tmp2.exp();
                    tmp3.store(in_out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_mul_relu_3(float* in_out_ptr0,
                       const float* in_ptr0)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(960L); x0+=static_cast<int64_t>(8L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(960L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(8));
                    auto tmp2 = at::vec::clamp_min(tmp1, decltype(tmp1)(0));
                    auto tmp3 = static_cast<float>(1.0);
                    auto tmp4 = at::vec::Vectorized<float>(tmp3);
                    auto tmp5 = tmp2 + tmp4;
                    auto tmp6 = tmp0 * tmp5;
                    tmp6.store(in_out_ptr0 + static_cast<int64_t>(x0));
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor_user/precompiled_headers/cuowi2l54hxgrwbemphyaorsrkzqolrfenbqseewqba4e32wkfbi.h -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -c -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o
// Link cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/usr/lib/x86_64-linux-gnu -L/home/user/venv/lib/python3.12/site-packages/torch/lib 

// Compile cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor_user/precompiled_headers/cuowi2l54hxgrwbemphyaorsrkzqolrfenbqseewqba4e32wkfbi.h -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -c -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o
// Link cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/usr/lib/x86_64-linux-gnu -L/home/user/venv/lib/python3.12/site-packages/torch/lib 

// Compile cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor_user/precompiled_headers/cuowi2l54hxgrwbemphyaorsrkzqolrfenbqseewqba4e32wkfbi.h -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -c -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o
// Link cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/usr/lib/x86_64-linux-gnu -L/home/user/venv/lib/python3.12/site-packages/torch/lib 

// Compile cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor_user/precompiled_headers/cuowi2l54hxgrwbemphyaorsrkzqolrfenbqseewqba4e32wkfbi.h -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -c -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o
// Link cmd
// g++ /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cmh5kcylbtnxy7lef3ckwep7ajt3nhxzipfhmeknk3oceoups2vv.kernel.o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX2  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx2 -mfma -mf16c  -o /tmp/torchinductor_user/cxp2z2myypddb653anki7oucqb66ukedt5544bt32v25lm6qi676/cvspj2la6yl5lqqbf2j4zwcwoab6ycdgwsnv4ltluh23qb3jfydv.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/usr/lib/x86_64-linux-gnu -L/home/user/venv/lib/python3.12/site-packages/torch/lib 
