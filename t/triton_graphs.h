/* triton_graphs.h - graphs of kernels as aotigen writes them into wrappers: of Inductor's, torch
 * 2.11, and of one that a user wrote. */
#ifndef T_TRITON_GRAPHS_H
#define T_TRITON_GRAPHS_H

/* torch.log(x - y), two tensors of 36:
 * in_ptr0, in_ptr1, out_ptr0, xnumel, XBLOCK */
static const char log_sub[] =
    "1 t 5 3 0 3 10 5\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmi 3 xnumel\nmn 4 XBLOCK\n"
    "t x 3 1 -1 -1 -1\ng x -1 0 1 0 -1 0 -1\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "l 0 4 5 -1 -1 0 0\nl 1 4 5 -1 -1 0 1\ns 2 4 5 9 -1 0 2\npl 3\nin 1\nin 36\nin 0\nsi 1\n"
    "ob < 4 2 =xmask\nlf 0 =tmp0\nlf 1 =tmp1\nof - 6 7 =tmp2\nof log 8 =tmp3\n";

/* exp(x) - exp(x + 1), and (abs(x) * 1e37).sum(1), of 4 rows of 70:
 * in_ptr0, out_ptr0, out_ptr1, xnumel, r0_numel, XBLOCK */
static const char exp_sum[] =
    "1 t 6 4 0 3 28 6\nmf 0 in_ptr0\nmf 1 out_ptr0\nmf 2 out_ptr1\nmi 3 xnumel\nmi 4 r0_numel\n"
    "mn 5 XBLOCK\nt x 5 1 -1 0 -1\ng x -1 0 1 0 -1 0 -1\nt r0 5 4 -1 1 -1\n"
    "g program_x -1 -1 -1 0 -1 -1 -1\nl 0 11 12 -1 13 0 0\ns 1 11 12 20 -1 0 1\n"
    "s 2 6 7 27 -1 0 2\npl 3\nin 1\nin 4\nin 70\nin 128\nin 0\nsi 1\nob < 6 2 =xmask\nsi 2\n"
    "ob < 8 3 =r0_mask\noi * 3 6\noi + 8 10\nob & 9 7\nfx 0.0\nlf 0 =tmp0\nof exp 14 =tmp1\n"
    "fx 1.0\nof cast 16 =tmp2\nof + 14 17 =tmp3\nof exp 18 =tmp4\nof - 15 19 =tmp5\n"
    "of abs 14 =tmp6\nfx 1e+37\nof cast 22 =tmp7\nof * 21 23 =tmp8\nof where 12 24 5 =tmp11\n"
    "in 1\nof sum 25 26 =tmp12\n";

/* x * x in float16, of 63:
 * in_ptr0, out_ptr0, xnumel, XBLOCK */
static const char half_square[] =
    "1 t 4 3 0 2 9 4\nme 0 in_ptr0\nme 1 out_ptr0\nmi 2 xnumel\nmn 3 XBLOCK\nt x 3 1 -1 -1 -1\n"
    "g x -1 0 1 0 -1 0 -1\ng program_x -1 -1 -1 0 -1 -1 -1\nl 0 4 5 -1 -1 0 0\n"
    "s 1 4 5 8 -1 0 1\npl 2\nin 1\nin 63\nin 0\nsi 1\nob < 4 2 =xmask\nle 0\nof cast 6 =tmp0\n"
    "of * 7 7 =tmp1\n";

/* An embedding: 6 rows of 4, of a table of 6 rows:
 * in_ptr0, in_ptr1, out_ptr0, xnumel, XBLOCK */
static const char embedding[] =
    "1 t 5 3 0 3 23 5\nml 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmi 3 xnumel\nmn 4 XBLOCK\n"
    "t x 3 1 -1 -1 -1\ng x -1 0 1 0 -1 0 -1\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "l 0 7 5 -1 -1 0 0\nl 1 21 5 -1 -1 0 2\ns 2 4 5 22 -1 0 3\npl 3\nin 64\nin 24\nin 0\nsi 1\n"
    "ob < 4 2 =xmask\nin 4\noi // 4 6 =x1\noi % 4 6 =x0\nll 0 =tmp0\nin 6\nii 6\n"
    "ol + 9 11 =tmp2\nob < 9 3 =tmp3\nol where 13 12 9 =tmp4\nob ! 5\nob < 14 10\nob <= 3 14\n"
    "ob & 17 16\nob | 18 15\nol * 6 14\nol + 8 20\nlf 1 =tmp6\n"
    "k 19 -1 1 index out of bounds: 0 <= tmp4 < 6\n";

/* softmax of 3 rows of 20:
 * in_ptr0, out_ptr2, xnumel, r0_numel, XBLOCK */
static const char masked_softmax[] =
    "1 t 5 4 0 2 26 5\nmf 0 in_ptr0\nmf 1 out_ptr2\nmi 2 xnumel\nmi 3 r0_numel\nmn 4 XBLOCK\n"
    "t x 5 1 -1 0 -1\ng x -1 0 1 0 -1 0 -1\nt r0 5 4 -1 1 -1\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "l 0 11 12 -1 13 0 0\ns 1 11 12 25 -1 0 1\npl 2\nin 1\nin 3\nin 20\nin 32\nin 0\nsi 1\n"
    "ob < 6 2 =xmask\nsi 2\nob < 8 3 =r0_mask\noi * 3 6\noi + 8 10\nob & 9 7\nfx 0.0\n"
    "lf 0 =tmp0\no~ \"-inf\"\nfx -inf\no~ where 12 14 16 =tmp5\nin 1\no~ max2 17 18\n"
    "of cast 19 =tmp6\nof - 14 20 =tmp7\nof exp 21 =tmp8\nof where 12 22 5 =tmp11\n"
    "of sum 23 18 =tmp12\nof / 22 24 =tmp15\n";

/* layer norm of 4 rows of 40 that are one:
 * in_ptr0, out_ptr2, xnumel, r0_numel, XBLOCK */
static const char layer_norm[] =
    "1 t 5 4 0 2 35 5\nmf 0 in_ptr0\nmf 1 out_ptr2\nmi 2 xnumel\nmi 3 r0_numel\nmn 4 XBLOCK\n"
    "t x 5 1 -1 0 -1\ng x -1 0 1 0 -1 0 -1\nt r0 5 4 -1 1 -1\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "l 0 8 9 -1 10 0 0\ns 1 34 15 32 -1 0 1\npl 2\nin 1\nin 4\nin 40\nin 64\nin 0\nsi 1\n"
    "ob < 6 2 =xmask\nsi 2\nob < 8 3 =r0_mask\nfx 0.0\nlf 0 =tmp0\nfx 1.0\nof cast 12 =tmp1\n"
    "of * 11 13 =tmp2\nob & 9 7\nof where 15 14 5 =tmp5\nin 1\nof sum 16 17 =tmp9\nii 40\n"
    "of cast 19 =tmp11\nof / 18 20 =tmp12\nof - 14 21 =tmp13\nof * 22 22 =tmp14\n"
    "of where 15 23 5 =tmp17\nof sum 24 17 =tmp18\nfx 40.0\nof cast 26 =tmp20\n"
    "of / 25 27 =tmp21\nof cast 10 =tmp22\nof + 28 29 =tmp23\nof rsqrt 30 =tmp24\n"
    "of * 22 31 =tmp25\noi * 3 6\noi + 8 33\n";

/* argmax, softmax and variance of log(x), of 64 rows of 60 (emitted
 * for 3000), in a loop:
 * in_out_ptr0, in_ptr0, out_ptr0, out_ptr3, xnumel, r0_numel, XBLOCK, R0_BLOCK */
static const char var_softmax[] =
    "1 t 8 8 7 5 78 8\nmf 0 in_out_ptr0\nmf 1 in_ptr0\nml 2 out_ptr0\nmf 3 out_ptr3\n"
    "mi 4 xnumel\nmi 5 r0_numel\nmn 6 XBLOCK\nmn 7 R0_BLOCK\nt x 5 1 -1 0 -1\n"
    "g x -1 0 1 0 -1 0 -1\nt r0 5 2 -1 1 -1\nf r0_offset 5 4 2 0 -1\nb r0 5 4 2 0 3 2 3\n"
    "f r0_offset 5 4 2 0 -1\nb r0 5 4 2 0 5 2 5\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "c tmp3_mean 3 8 39\nc tmp3_m2 3 8 40\nc tmp3_weight 3 8 41\nc _tmp10 3 11 45\n"
    "c _tmp10_index 3 12 46\nc _tmp11_max 3 15 51\nc _tmp11_sum 3 8 52\nl 1 27 28 -1 29 0 0\n"
    "s 2 6 7 63 -1 0 1\nl 1 69 70 -1 29 0 2\ns 3 69 70 74 -1 0 3\ns 0 6 7 77 -1 0 4\npl 4\n"
    "in 1\nin 1\nin 64\nin 60\nin 0\nsi 1\nob < 6 3 =xmask\nof cast 5 =tmp3_mean\no~ \"-inf\"\n"
    "fx -inf\nof cast 10 =_tmp10\nii 2147483647\no~ '-inf'\nfx -inf\nof cast 14 =_tmp11_max\n"
    "si 3\ncf 0\ncf 1\ncf 2\ncf 3\nci 4\ncf 5\ncf 6\nsi 4\nob < 24 4 =r0_mask\noi * 4 6\n"
    "oi + 24 26\nob & 25 7\nfx 0.0\nlf 0 =tmp0\nof log 30 =tmp1\nob == 16 5\n"
    "of welford_reduce 31 17 18 19 32\nof item 33 5 =tmp3_mean_next\nin 1\n"
    "of item 33 35 =tmp3_m2_next\nin 2\nof item 33 37 =tmp3_weight_next\n"
    "of where 28 34 17 =tmp3_mean\nof where 28 36 18 =tmp3_m2\nof where 28 38 19 =tmp3_weight\n"
    "of maximum_with_index 20 21 30 24\nof item 42 5 =_tmp10_next\n"
    "of item 42 35 =_tmp10_index_next\nof where 28 43 20 =_tmp10\n"
    "of where 28 44 21 =_tmp10_index\nib 0\nof online_softmax_combine 22 23 30 47\n"
    "of item 48 5 =_tmp11_max_next\nof item 48 35 =_tmp11_sum_next\n"
    "of where 28 49 22 =_tmp11_max\nof where 28 50 23 =_tmp11_sum\nef 0\nef 1\nef 2\nef 3\n"
    "ef 4\nef 5\nef 6\nof welford 53 54 55 35\nof item 60 35 =tmp5\n"
    "of max_with_index 56 57 35\nof item 62 35 =tmp10_idx\n"
    "of online_softmax_reduce 58 59 35 47\nof item 64 5 =tmp11\nof item 64 35 =tmp12\nsi 6\n"
    "ob < 67 4 =r0_mask\noi + 67 26\nob & 68 7\nlf 2 =tmp13\nof - 71 65 =tmp14\n"
    "of exp 72 =tmp15\nof / 73 66 =tmp16\nfx 59.0\nof cast 75 =tmp17\nof / 61 76 =tmp18\n";

/* cumsum of log(x), of 60 (emitted for 3000), in a loop:
 * in_ptr0, out_ptr0, xnumel, r0_numel, XBLOCK, R0_BLOCK */
static const char cumsum[] =
    "1 t 6 6 1 2 30 6\nmf 0 in_ptr0\nmf 1 out_ptr0\nmn 2 xnumel\nmi 3 r0_numel\nmn 4 XBLOCK\n"
    "mn 5 R0_BLOCK\nt x 5 1 -1 0 -1\ng x -1 0 1 0 -1 0 -1\nt r0 5 2 -1 1 -1\n"
    "f r0_offset 5 4 2 0 -1\nb r0 5 4 2 0 3 2 3\ng program_x -1 -1 -1 0 -1 -1 -1\n"
    "c tmp4 3 10 29\nl 0 13 14 -1 15 0 0\ns 1 13 14 28 -1 0 1\npl 2\nin 1\nin 1\nin 1\nin 60\n"
    "in 0\nib 1\nsi 2\no~ 'nan'\nfx nan\nof cast 9 =tmp4\nsi 3\ncf 0\nsi 4\n"
    "ob < 13 4 =r0_mask\nfx 0.0\nlf 0 =tmp0\nof log 16 =tmp1\no~ _triton_helper_fn_add0\n"
    "of associative_scan 17 3 18\nof item 19 5 =tmp5\non - 2 3\nob == 7 21\nin -1\n"
    "of select_one 20 22 23 6 =tmp6\nof + 12 24 =tmp7\nof + 12 20 =tmp8\nob > 11 5\n"
    "of where 27 26 20 =tmp9\nof where 27 25 24 =tmp4\n";

/* layer norm, and log(x) * 2 with two dimensions swapped, of [4, 60, 700]:
 * in_ptr0, out_ptr2, out_ptr3, xnumel, r0_numel, XBLOCK, R0_BLOCK */
static const char permuted[] =
    "1 t 7 8 3 4 62 7\nmf 0 in_ptr0\nmf 1 out_ptr2\nmf 2 out_ptr3\nmi 3 xnumel\nmi 4 r0_numel\n"
    "mn 5 XBLOCK\nmn 6 R0_BLOCK\nt x 5 1 -1 0 -1\ng x -1 0 1 0 -1 0 -1\nt r0 5 2 -1 1 -1\n"
    "f r0_offset 5 4 2 0 -1\nb r0 5 4 2 0 3 2 3\nf r0_offset 5 4 2 0 -1\nb r0 5 4 2 0 5 2 5\n"
    "g program_x -1 -1 -1 0 -1 -1 -1\nc tmp2_mean 3 8 27\nc tmp2_m2 3 8 28\n"
    "c tmp2_weight 3 8 29\nl 0 16 17 -1 18 0 0\nl 0 41 42 -1 18 0 1\ns 1 41 42 52 -1 0 2\n"
    "s 2 61 42 56 -1 0 3\npl 3\nin 1\nin 1\nin 240\nin 700\nin 0\nsi 1\nob < 6 3 =xmask\n"
    "of cast 5 =tmp2_mean\nsi 3\ncf 0\ncf 1\ncf 2\nsi 4\nob < 13 4 =r0_mask\noi * 4 6\n"
    "oi + 13 15\nob & 14 7\nfx 0.0\nlf 0 =tmp0\nob == 9 5\nof welford_reduce 19 10 11 12 20\n"
    "of item 21 5 =tmp2_mean_next\nin 1\nof item 21 23 =tmp2_m2_next\nin 2\n"
    "of item 21 25 =tmp2_weight_next\nof where 17 22 10 =tmp2_mean\n"
    "of where 17 24 11 =tmp2_m2\nof where 17 26 12 =tmp2_weight\nef 0\nef 1\nef 2\n"
    "of welford 30 31 32 23\nof item 33 5 =tmp3\nof item 33 23 =tmp4\nin 60\noi % 6 36 =x2\n"
    "oi // 6 36 =x3\nsi 6\nob < 39 4 =r0_mask\noi + 39 15\nob & 40 7\nlf 1 =tmp8\n"
    "of - 43 34 =tmp9\nfx 700.0\nof cast 45 =tmp10\nof / 35 46 =tmp11\nfx 1e-05\n"
    "of cast 48 =tmp12\nof + 47 49 =tmp13\nof rsqrt 50 =tmp14\nof * 44 51 =tmp15\n"
    "of log 43 =tmp16\nfx 2.0\nof cast 54 =tmp17\nof * 53 55 =tmp18\nin 42000\noi * 57 38\n"
    "oi * 36 39\noi + 37 59\noi + 60 58\n";

/* log, a product and a sum of 6400 elements of float8_e5m2:
 * in_ptr0, out_ptr0, out_ptr1, out_ptr2, xnumel, r0_numel, XBLOCK, R0_BLOCK */
static const char float8[] =
    "1 t 8 6 1 4 24 8\nm8 0 in_ptr0\nmf 1 out_ptr0\nm8 2 out_ptr1\nmy 3 out_ptr2\nmn 4 xnumel\n"
    "mi 5 r0_numel\nmn 6 XBLOCK\nmn 7 R0_BLOCK\nt x 6 2 -1 0 -1\ng x -1 0 2 0 -1 0 -1\n"
    "t r0 6 3 -1 1 -1\nf r0_offset 6 5 3 0 -1\nb r0 6 5 3 0 3 2 3\n"
    "g program_x -1 -1 -1 0 -1 -1 -1\nc _tmp8 3 7 21\nl 0 9 10 -1 11 0 0\ns 1 9 10 14 -1 0 1\n"
    "s 2 9 10 18 -1 0 2\ns 3 1 -1 23 -1 0 3\npl 4\nii 0\nin 1\nin 1\nin 1\nin 6400\nin 0\n"
    "of cast 6 =_tmp8\ncf 0\nsi 4\nob < 9 5 =r0_mask\nfx 0.0\nl8 0 =tmp0\nof cast 12 =tmp1\n"
    "of log 13 =tmp2\nfx 100.0\nof cast 15 =tmp3\nof * 13 16 =tmp4\no8 cast_float8e5 17 =tmp5\n"
    "of exp 13 =tmp6\nof + 8 19 =tmp9\nof where 10 20 8 =_tmp8\nef 0\nof sum 22 4 =tmp8\n";

/* a user's softmax: a program a row:
 * x_ptr, o_ptr, stride, n, BLOCK */
static const char row_softmax[] =
    "1 t 5 2 0 2 18 5\nmf 0 x_ptr\nmf 1 o_ptr\nmi 2 stride\nmi 3 n\nmn 4 BLOCK\n"
    "t tile 3 2 -1 -1 -1\ng program_x -1 -1 -1 0 -1 -1 -1\nl 0 8 6 -1 11 0 0\n"
    "s 1 8 6 17 -1 0 1\npi 2\npi 3\nin 128\nin 0\nsi 1 =row\nsi 0\nob < 5 1 =m\noi * 4 0\n"
    "oi + 7 5\no~ 'inf'\nfx inf\no~ - 10\nlf 0 =x\nof block_max 12 3\nof - 12 13 =z\n"
    "of exp 14 =e\nof sum 15 3\nof / 15 16\n";

/* a user's softmax of 16 rows a program, and of each program max(x, 0.25).sum(0):
 * x_ptr, o_ptr, c_ptr, rows, n, BM, BN */
static const char block_softmax[] =
    "1 t 7 4 0 3 30 7\nmf 0 x_ptr\nmf 1 o_ptr\nmf 2 c_ptr\nmi 3 rows\nmi 4 n\nmn 5 BM\n"
    "mn 6 BN\nt tile 4 2 -1 0 -1\ng x -1 -1 2 0 -1 0 -1\nt tile 4 3 -1 1 -1\n"
    "g program_x -1 -1 -1 0 -1 -1 -1\nl 0 12 10 -1 15 0 0\ns 1 12 10 22 -1 0 1\n"
    "s 2 28 8 29 -1 0 2\npi 3\npi 4\nin 16\nin 64\nin 0\nsi 3\nsi 1\nsi 2\nob < 7 1\nob < 6 0\n"
    "ob & 9 8 =m\noi * 6 1\noi + 11 7\no~ 'inf'\nfx inf\no~ - 14\nlf 0 =x\nin 1\n"
    "of block_max 16 17\nof - 16 18 =z\nof exp 19 =e\nof sum 20 17\nof / 20 21\nfx 0.25\n"
    "of fmax 16 23\nfx 0.0\nof where 10 24 25 =y\noi * 5 1\noi + 27 7\nof sum 26 4\n";

#endif
