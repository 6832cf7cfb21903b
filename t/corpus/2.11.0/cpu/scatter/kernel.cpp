// Triton kernels are embedded as comments in /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/cusysx3iqadknd2svgwcytxksytdhmx2gxzefxzwmygnsxyjjavu.wrapper.cpp

#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  cpp_fused_scatter_scatter_add_0(const float* in_ptr0,
                       const int64_t* in_ptr1,
                       const float* in_ptr2,
                       float* out_ptr0,
                       float* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3,
                       float* out_ptr4)
{
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(48L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(48L)))
                {
                    auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
                    tmp0.store(out_ptr0 + static_cast<int64_t>(x0));
                    tmp0.store(out_ptr1 + static_cast<int64_t>(x0));
                    tmp0.store(out_ptr2 + static_cast<int64_t>(x0));
                    tmp0.store(out_ptr3 + static_cast<int64_t>(x0));
                    tmp0.store(out_ptr4 + static_cast<int64_t>(x0));
                }
            }
        }
    }
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(6L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(3L); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(3L)))
                    {
                        auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 3L*x0), static_cast<int64_t>(3L));
                        auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 3L*x0), static_cast<int64_t>(3L));
                        auto tmp1 =
                        [&]
                        {
                            __at_align__ std::array<int64_t, 16> tmpbuf;
                            tmp0.store(tmpbuf.data(), static_cast<int64_t>(3L));
                            return tmpbuf;
                        }
                        ()
                        ;
                        auto tmp2 =
                        [&]
                        {
                            __at_align__ std::array<int64_t, 16> tmpbuf;
                            #pragma GCC unroll 16
                            for (long x1_inner = 0; x1_inner < static_cast<int64_t>(3L); x1_inner++)
                            {
                                tmpbuf[x1_inner] = static_cast<int64_t>(tmp1[x1_inner]);
                            }
                            return at::vec::VectorizedN<int64_t,2>::loadu(tmpbuf.data(), static_cast<int64_t>(3L));
                        }
                        ()
                        ;
                        AOTI_TORCH_CHECK((at::vec::VecMask<int64_t,2>::set(at::vec::VecMask<int64_t,2>::from(1), (at::vec::VecMask<int64_t,2>((at::vec::VectorizedN<int64_t,2>(0) <= tmp2) & (tmp2 < at::vec::VectorizedN<int64_t,2>(8L)))), static_cast<int64_t>(3L))).all_masked(), "index out of bounds: 0 <= tmp2 < 8L");
                        auto tmp5 = static_cast<float>(2.5);
                        auto tmp6 = at::vec::Vectorized<float>(tmp5);
                        auto tmp7 = static_cast<float>(1.5);
                        auto tmp8 = at::vec::Vectorized<float>(tmp7);
                        [&]
                        {
                            __at_align__ std::array<float, 16> tmpbuf;
                            tmp4.store(tmpbuf.data(), static_cast<int64_t>(3L));
                            #pragma GCC unroll 16
                            for (long x1_inner = 0; x1_inner < static_cast<int64_t>(3L); x1_inner++)
                            {
                                out_ptr0[static_cast<int64_t>(tmp1[x1_inner] + 8L*x0)] = tmpbuf[x1_inner];
                            }
                        }
                        ()
                        ;
                        [&]
                        {
                            __at_align__ std::array<float, 16> tmpbuf;
                            tmp4.store(tmpbuf.data(), static_cast<int64_t>(3L));
                            #pragma GCC unroll 16
                            for (long x1_inner = 0; x1_inner < static_cast<int64_t>(3L); x1_inner++)
                            {
                                out_ptr2[static_cast<int64_t>(tmp1[x1_inner] + 8L*x0)] += tmpbuf[x1_inner];
                            }
                        }
                        ()
                        ;
                        [&]
                        {
                            __at_align__ std::array<float, 16> tmpbuf;
                            tmp6.store(tmpbuf.data(), static_cast<int64_t>(3L));
                            #pragma GCC unroll 16
                            for (long x1_inner = 0; x1_inner < static_cast<int64_t>(3L); x1_inner++)
                            {
                                out_ptr1[static_cast<int64_t>(tmp1[x1_inner] + 8L*x0)] = tmpbuf[x1_inner];
                            }
                        }
                        ()
                        ;
                        [&]
                        {
                            __at_align__ std::array<float, 16> tmpbuf;
                            tmp8.store(tmpbuf.data(), static_cast<int64_t>(3L));
                            #pragma GCC unroll 16
                            for (long x1_inner = 0; x1_inner < static_cast<int64_t>(3L); x1_inner++)
                            {
                                out_ptr4[static_cast<int64_t>(tmp1[x1_inner] + 8L*x0)] += tmpbuf[x1_inner];
                            }
                        }
                        ()
                        ;
                    }
                }
            }
        }
    }
}

// Compile cmd
// g++ /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/c7u65kdncf5mzgd5ffl4wffyvxs362jik4ftw567gdyrqy5aajsj.kernel.cpp -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -include /tmp/torchinductor/torchinductor_root/precompiled_headers/cii24z5svmfo4tabz6ndeyefqwb3653qhg6kh4cubk45jvshtzx4.h -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -c -o /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/c7u65kdncf5mzgd5ffl4wffyvxs362jik4ftw567gdyrqy5aajsj.kernel.o
// Link cmd
// g++ /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/cusysx3iqadknd2svgwcytxksytdhmx2gxzefxzwmygnsxyjjavu.wrapper.o /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/c7u65kdncf5mzgd5ffl4wffyvxs362jik4ftw567gdyrqy5aajsj.kernel.o /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/cusysx3iqadknd2svgwcytxksytdhmx2gxzefxzwmygnsxyjjavu/cgxre62qccm2hvjt32u3oobekucw5zks6ukxlzod6km7a4telymf.weights.o -D TORCH_INDUCTOR_CPP_WRAPPER -D STANDALONE_TORCH_HEADER -D  C10_USING_CUSTOM_GENERATED_MACROS -D CPU_CAPABILITY_AVX512  -O3 -DNDEBUG -fno-trapping-math -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros -fno-math-errno -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off -fexcess-precision=fast -fno-tree-loop-vectorize -march=native -shared -fPIC -Wall -std=c++17 -Wno-unused-variable -Wno-unknown-pragmas -pedantic -fopenmp  -I/tmp/torchinductor/.pyenv/versions/3.11.7/include/python3.11 -I/usr/lib/python3/dist-packages/torch/include -I/usr/lib/python3/dist-packages/torch/include/torch/csrc/api/include   -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mavx512vnni -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8 -mavx512bf16  -o /tmp/torchinductor/c3dge7ci6gevbwaabhvpa2lkuvddsboe3sstyvljjyibabeb7nti/cusysx3iqadknd2svgwcytxksytdhmx2gxzefxzwmygnsxyjjavu.wrapper.so  -ltorch -ltorch_cpu -lgomp  -L/tmp/torchinductor/.pyenv/versions/3.11.7/lib -L/usr/lib/python3/dist-packages/torch/lib 
