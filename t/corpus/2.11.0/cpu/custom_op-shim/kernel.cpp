// Triton kernels are embedded as comments in /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cgwktr5f7krwntafwn3kjau3af5lwxuroqpimsramfucuhje56vq.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_clip_rows_mul_0(const float* in_ptr0,
                       float* out_ptr0)
{
    #pragma omp parallel num_threads(2)
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8192L); x0+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(8192L)))
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
}

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_add_sin_1(float* in_out_ptr0)
{
    #pragma omp parallel num_threads(2)
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8192L); x0+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(8192L)))
                    {
                        auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                        auto tmp1 = tmp0.sin();
                        auto tmp2 = static_cast<float>(1.0);
                        auto tmp3 = at::vec::Vectorized<float>(tmp2);
                        auto tmp4 = tmp1 + tmp3;
                        tmp4.store(in_out_ptr0 + static_cast<int64_t>(x0));
                    }
                }
            }
        }
    }
}

// Compile cmd
// /usr/bin/g++ /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cm4afv4twluvlui7uoganmo7tcaq7m5tce6lmc2f34dzglod6mhw.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor_user/precompiled_headers/crrb4tk67ooseg2ilzh2oqomoosd7y6lpw6jp2bcm6qnw4kvzlrb.h -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl  -c -o /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cm4afv4twluvlui7uoganmo7tcaq7m5tce6lmc2f34dzglod6mhw.kernel.o
// Link cmd
// /usr/bin/g++ /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cgwktr5f7krwntafwn3kjau3af5lwxuroqpimsramfucuhje56vq.wrapper.o /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cm4afv4twluvlui7uoganmo7tcaq7m5tce6lmc2f34dzglod6mhw.kernel.o /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cgwktr5f7krwntafwn3kjau3af5lwxuroqpimsramfucuhje56vq/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/usr/include/python3.12 -I/home/user/venv/lib/python3.12/site-packages/torch/include -I/home/user/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl  -o /tmp/torchinductor_user/basecustom_op_shimcpu/chrld4ngnupxpdhaszhp5l5anb2v4hb6u2vrsgw27qlqeyshde7q/cgwktr5f7krwntafwn3kjau3af5lwxuroqpimsramfucuhje56vq.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/usr/lib/x86_64-linux-gnu -L/home/user/venv/lib/python3.12/site-packages/torch/lib 
