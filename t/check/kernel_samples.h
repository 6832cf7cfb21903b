/* kernel_samples.h - kernels of the shapes that Inductor writes, with what a wrapper passes to
 * them as functions of the sizes s0 and s1.
 *
 * Parameters are "NAME:TYPE:INTEGER ..."; f and l: pointers to so many float and int64_t; i, k: an
 * i32 and an i64 of that value; c: a constant. The grid follows from xnumel and XBLOCK, y likewise.
 */
#ifndef T_KERNEL_SAMPLES_H
#define T_KERNEL_SAMPLES_H

#include <stdbool.h>

typedef struct kernel_sample {
  const char *name;
  bool python;
  int symbols;
  const char *params, *body;
} kernel_sample;

#define XINDEX(where)                                                                              \
  "    xoffset = tl.program_id(0) * XBLOCK\n    xindex = xoffset + tl.arange(0, XBLOCK)" where     \
  "\n    xmask = xindex < xnumel\n"
#define X XINDEX("[:]")
#define YX                                                                                         \
  "    yoffset = tl.program_id(1) * YBLOCK\n    yindex = yoffset + tl.arange(0, YBLOCK)[None, "    \
  ":]\n"                                                                                           \
  "    ymask = yindex < ynumel\n" XINDEX("[:, None]")
#define LOADX(n, from, index) "    tmp" n " = tl.load(" from " + (" index "), xmask)\n"
#define STOREX(index, value) "    tl.store(out_ptr0 + (" index "), " value ", xmask)\n"
#define NUMEL(n) " xnumel:i:" n " XBLOCK:c:4"
#define XR                                                                                         \
  XINDEX("[:, None]")                                                                              \
  "    r0_base = tl.arange(0, R0_BLOCK)[None, :]\n    rbase = r0_base\n"
#define FOR_R                                                                                      \
  "    for r0_offset in range(0, r0_numel, R0_BLOCK):\n"                                           \
  "        r0_index = r0_offset + r0_base\n        r0_mask = r0_index < r0_numel\n"                \
  "        roffset = r0_offset\n        rindex = r0_index\n        r0_1 = r0_index\n"
#define SUM_R                                                                                      \
  "        tmp1 = tl.broadcast_to(tmp0, [XBLOCK, R0_BLOCK])\n        tmp3 = _tmp2 + tmp1\n"        \
  "        _tmp2 = tl.where(r0_mask & xmask, tmp3, _tmp2)\n    tmp2 = tl.sum(_tmp2, 1)[:, None]\n"
#define ZERO_R "    _tmp2 = tl.full([XBLOCK, R0_BLOCK], 0, tl.float32)\n"
#define RNUMEL(x, r) " xnumel:i:" x " r0_numel:i:" r " XBLOCK:c:2 R0_BLOCK:c:4"

static const kernel_sample triton_samples[] = {
    {"add", true, 1, "in_ptr0:f:8*s0 in_ptr1:f:8*s0 out_ptr0:f:8*s0" NUMEL("8*s0"),
     X "    x0 = xindex\n" LOADX("0", "in_ptr0", "x0")
         LOADX("1", "in_ptr1", "x0") "    tmp2 = tmp0 + tmp1\n" STOREX("x0", "tmp2")},
    {"broadcast", true, 1, "in_ptr0:f:3*s0 in_ptr1:f:s0 out_ptr0:f:3*s0 ks0:k:s0" NUMEL("3*s0"),
     X "    x2 = xindex\n    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n" LOADX(
         "0", "in_ptr0", "x0 + ks0*x1") LOADX("1", "in_ptr1", "x0") STOREX("x2", "tmp0 + tmp1")},
    {"three dimensions", true, 1, "in_ptr0:f:18*s0 in_ptr1:f:3 out_ptr0:f:18*s0" NUMEL("18*s0"),
     X "    x3 = xindex\n    x0 = (xindex % 6)\n    x1 = ((xindex // 6) % 3)\n    x2 = xindex // "
       "18\n" LOADX("0", "in_ptr0", "x0 + 6*x1 + 18*x2") LOADX("1", "in_ptr1", "x1")
           STOREX("x3", "tmp0 * tmp1")},
    {"permute", true, 1, "in_ptr0:f:6*s0 out_ptr0:f:6*s0 ks0:k:s0 ks1:k:3*s0" NUMEL("6*s0"),
     X "    x0 = (xindex % 3)\n    x1 = ((xindex // 3) % ks0)\n    x2 = xindex // ks1\n    x3 = "
       "xindex\n" LOADX("0", "in_ptr0", "x1 + ks0*x0 + 3*ks0*x2") STOREX("x3", "tmp0")},
    {"two symbols", true, 2,
     "in_ptr0:f:2*s0*s1 in_ptr1:f:s0 out_ptr0:f:2*s0*s1 ks0:k:s1 ks1:k:s0 ks2:k:s0*s1" NUMEL(
         "2*s0*s1"),
     X "    x0 = (xindex % ks0)\n    x1 = ((xindex // ks0) % ks1)\n    x2 = xindex // ks2\n    x3 "
       "= xindex\n" LOADX("0", "in_ptr0", "x0 + ks0*x1 + ks0*ks1*x2") LOADX("1", "in_ptr1", "x1")
           STOREX("x3", "tmp0 + tmp1")},
    {"transpose 2d", true, 1,
     "in_ptr0:f:5*s0 out_ptr0:f:5*s0 ks0:k:s0 ynumel:i:s0 xnumel:i:5 YBLOCK:c:4 XBLOCK:c:4",
     YX "    x1 = xindex\n    y0 = yindex\n    tmp0 = tl.load(in_ptr0 + (y0 + ks0*x1), xmask & "
        "ymask)\n    tl.store(out_ptr0 + (x1 + 5*y0), tmp0, xmask & ymask)\n"},
    {"channels last", true, 1,
     "in_ptr0:f:12*s0 out_ptr0:f:12*s0 ynumel:i:3*s0 xnumel:i:4 YBLOCK:c:4 XBLOCK:c:4",
     YX "    x2 = xindex\n    y3 = yindex\n    y0 = (yindex % 3)\n    y1 = yindex // 3\n    tmp0 = "
        "tl.load(in_ptr0 + (x2 + 4*y3), xmask & ymask)\n    tl.store(out_ptr0 + (y0 + 3*x2 + "
        "12*y1), tmp0, xmask & ymask)\n"},
    {"cat", true, 1,
     "in_ptr0:f:2*s0 in_ptr1:f:6 out_ptr0:f:6+2*s0 ks0:k:3+s0 ks1:k:s0" NUMEL("6+2*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n    tmp0 = x0\n"
       "    tmp1 = tl.full([1], 0, tl.int64)\n    tmp2 = tmp0 >= tmp1\n    tmp3 = ks1\n"
       "    tmp4 = tmp0 < tmp3\n    tmp5 = tl.load(in_ptr0 + (ks1*x1 + (x0)), tmp4 & xmask, "
       "other=0.0)\n    tmp6 = tmp0 >= tmp3\n    tmp7 = 3 + ks1\n    tmp8 = tmp0 < tmp7\n"
       "    tmp9 = tl.load(in_ptr1 + (3*x1 + (x0 + ((-1)*ks1))), tmp6 & xmask, other=0.0)\n"
       "    tmp10 = tl.where(tmp4, tmp5, tmp9)\n" STOREX("x2", "tmp10")},
    {"cat of three", true, 1,
     "in_ptr0:f:2*s0 in_ptr1:f:3*s0 in_ptr2:f:s0 out_ptr0:f:6*s0" NUMEL("6*s0"),
     X "    x0 = (xindex % 6)\n    x1 = xindex // 6\n    x2 = xindex\n    tmp0 = x0\n    tmp3 = "
       "tl.full([1], 2, tl.int64)\n    tmp4 = tmp0 < tmp3\n    tmp5 = tl.load(in_ptr0 + (2*x1 + "
       "(x0)), tmp4 & xmask, other=0.0)\n    tmp6 = tmp0 >= tmp3\n    tmp7 = tl.full([1], 5, "
       "tl.int64)\n    tmp8 = tmp0 < tmp7\n    tmp9 = tmp6 & tmp8\n    tmp10 = tl.load(in_ptr1 + "
       "(3*x1 + ((-2) + x0)), tmp9 & xmask, other=0.0)\n    tmp11 = tmp0 >= tmp7\n    tmp14 = "
       "tl.load(in_ptr2 + (x1), tmp11 & xmask, other=0.0)\n    tmp15 = tl.where(tmp9, tmp10, "
       "tmp14)\n" STOREX("x2", "tl.where(tmp4, tmp5, tmp15)")},
    {"constant pad", true, 1, "in_ptr0:f:12*s0 out_ptr0:f:30*s0" NUMEL("30*s0"),
     X
     "    x1 = ((xindex // 6) % 5)\n    x0 = (xindex % 6)\n    x2 = xindex // 30\n    x4 = xindex\n"
     "    tmp0 = (-1) + x1\n    tmp1 = tl.full([1], 0, tl.int64)\n    tmp2 = tmp0 >= tmp1\n"
     "    tmp3 = tl.full([1], 3, tl.int64)\n    tmp4 = tmp0 < tmp3\n    tmp5 = (-1) + x0\n"
     "    tmp6 = tmp5 >= tmp1\n    tmp7 = tl.full([1], 4, tl.int64)\n    tmp8 = tmp5 < tmp7\n"
     "    tmp9 = tmp2 & tmp4\n    tmp10 = tmp9 & tmp6\n    tmp11 = tmp10 & tmp8\n    tmp12 = "
     "tl.load(in_ptr0 + ((-5) + x0 + 4*x1 + 12*x2), tmp11 & xmask, other=0.0)\n" STOREX("x4",
                                                                                        "tmp12")},
    {"pad of a symbol", true, 1,
     "in_ptr0:f:2*s0 out_ptr0:f:8+2*s0 ks0:k:4+s0 ks1:k:s0" NUMEL("8+2*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n    tmp0 = (-2) + x0\n"
       "    tmp1 = tl.full([1], 0, tl.int64)\n    tmp2 = tmp0 >= tmp1\n    tmp3 = ks1\n    tmp4 = "
       "tmp0 < tmp3\n    tmp5 = tmp2 & tmp4\n    tmp6 = tl.load(in_ptr0 + ((-2) + x0 + ks1*x1), "
       "tmp5 & xmask, other=0.0)\n" STOREX("x2", "tmp6")},
    {"reflection pad", true, 1, "in_ptr0:f:4*s0 out_ptr0:f:8*s0" NUMEL("8*s0"),
     X "    x0 = (xindex % 8)\n    x1 = xindex // 8\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "3 + ((-1)*tl_math.abs((-3) + tl_math.abs((-2) + x0))) + 4*x1")
         STOREX("x2", "tmp0")},
    {"flip", true, 1, "in_ptr0:f:3*s0 out_ptr0:f:3*s0 ks0:k:s0" NUMEL("3*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "(-1) + ks0 + ((-1)*x0) + ks0*x1") STOREX("x2", "tmp0")},
    {"upsample", true, 1, "in_ptr0:f:2*s0 out_ptr0:f:8*s0 ks0:k:2*s0 ks1:k:s0" NUMEL("8*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "ks1*(x1 // 2) + (x0 // 2)") STOREX("x2", "tmp0")},
    {"slice", true, 1, "in_ptr0:f:9*s0 out_ptr0:f:4*s0" NUMEL("4*s0"),
     X "    x0 = (xindex % 4)\n    x1 = xindex // 4\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "1 + 2*x0 + 9*x1") STOREX("x2", "tmp0")},
    {"slice scatter", true, 1, "in_ptr0:f:3*s0 in_ptr1:f:5*s0 out_ptr0:f:5*s0" NUMEL("5*s0"),
     X "    x0 = (xindex % 5)\n    x1 = xindex // 5\n    x2 = xindex\n" LOADX(
         "9", "in_ptr1",
         "x2") "    tmp0 = x0\n    tmp1 = tl.full([1], 1, tl.int64)\n    tmp2 = tmp0 >= tmp1\n    "
               "tmp3 = "
               "tl.full([1], 4, tl.int64)\n    tmp4 = tmp0 < tmp3\n    tmp5 = tmp2 & tmp4\n    "
               "tmp6 = "
               "tl.load(in_ptr0 + ((-1) + x0 + 3*x1), tmp5 & xmask, other=0.0)\n" STOREX(
                   "x2", "tl.where(tmp5, tmp6, tmp9)")},
    {"embedding", true, 1, "in_ptr0:l:s0 in_ptr1:f:10 out_ptr0:f:2*s0" NUMEL("2*s0"),
     X "    x1 = xindex // 2\n    x0 = (xindex % 2)\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "x1") "    tmp1 = tl.full([XBLOCK], 5, tl.int32)\n    tmp2 = tmp0 + "
                               "tmp1\n    tmp3 = tmp0 < 0\n"
                               "    tmp4 = tl.where(tmp3, tmp2, tmp0)\n    tl.device_assert(((0 <= "
                               "tmp4) & (tmp4 < 5)) "
                               "| ~(xmask), \"index out of bounds: 0 <= tmp4 < 5\")\n" LOADX(
                                   "6", "in_ptr1", "x0 + 2*tmp4") STOREX("x2", "tmp6")},
    {"gather of a symbol", true, 1, "in_ptr0:l:3 in_ptr1:f:s0 out_ptr0:f:3 ks0:k:s0" NUMEL("3"),
     X "    x0 = xindex\n" LOADX(
         "0", "in_ptr0", "x0") "    tmp1 = ks0\n    tmp2 = tmp0 + tmp1\n    tmp3 = tmp0 < 0\n    "
                               "tmp4 = tl.where(tmp3, "
                               "tmp2, tmp0)\n    tl.device_assert(((0 <= tmp4) & (tmp4 < ks0)) | "
                               "~(xmask), \"index out "
                               "of bounds\")\n" LOADX("6", "in_ptr1", "tmp4") STOREX("x0", "tmp6")},
    {"scatter", true, 1, "in_ptr0:l:s0 in_ptr1:f:s0 out_ptr0:f:6" NUMEL("s0"),
     X "    x0 = xindex\n" LOADX("0", "in_ptr0", "x0")
         LOADX("5", "in_ptr1",
               "x0") "    tl.device_assert(((0 <= tmp0) & (tmp0 < 6)) | ~(xmask), \"index out of "
                     "bounds\")\n"
                     "    tl.atomic_add(out_ptr0 + (tl.broadcast_to(tmp0, [XBLOCK])), tmp5, xmask, "
                     "sem='relaxed')\n"},
    {"two indices", true, 1,
     "in_ptr0:l:4 in_ptr1:l:4 in_ptr2:f:5*s0 out_ptr0:f:4 ks0:k:s0" NUMEL("4"),
     X "    x0 = xindex\n" LOADX("0", "in_ptr0", "x0")
         LOADX("5", "in_ptr1",
               "x0") "    tl.device_assert(((0 <= tmp0) & (tmp0 < ks0)) | ~(xmask), \"index out of "
                     "bounds\")\n"
                     "    tl.device_assert(((0 <= tmp5) & (tmp5 < 5)) | ~(xmask), \"index out of "
                     "bounds\")\n" LOADX("9", "in_ptr2", "tmp5 + 5*tmp0") STOREX("x0", "tmp9")},
    {"persistent reduction", true, 1,
     "in_ptr0:f:5*s0 out_ptr0:f:s0 xnumel:i:s0 XBLOCK:c:2 R0_BLOCK:c:8",
     "    r0_numel = 5\n" XR
     "    r0_index = r0_base\n    r0_mask = r0_index < r0_numel\n    r0_1 = "
     "r0_index\n    x0 = xindex\n    tmp0 = tl.load(in_ptr0 + (r0_1 + 5*x0), r0_mask & xmask, "
     "other=0.0)\n    tmp1 = tl.where(r0_mask & xmask, tmp0, 0)\n    tmp2 = tl.sum(tmp1, 1)[:, "
     "None]\n" STOREX("x0", "tmp2")},
    {"reduction", true, 1, "in_ptr0:f:3*s0 out_ptr0:f:3 ks0:k:s0" RNUMEL("3", "s0"),
     XR "    x0 = xindex\n" ZERO_R FOR_R
        "        tmp0 = tl.load(in_ptr0 + (r0_1 + ks0*x0), r0_mask & xmask, "
        "eviction_policy='evict_first', other=0.0)\n" SUM_R STOREX("x0", "tmp2")},
    {"norm", true, 1, "in_ptr0:f:6*s0 in_ptr1:f:6 out_ptr0:f:6*s0" RNUMEL("s0", "6"),
     XR "    x0 = xindex\n" ZERO_R FOR_R
        "        tmp0 = tl.load(in_ptr0 + (r0_1 + 6*x0), r0_mask & xmask, other=0.0)\n" SUM_R FOR_R
        "        tmp4 = tl.load(in_ptr0 + (r0_1 + 6*x0), r0_mask & xmask, other=0.0)\n        tmp5 "
        "= tl.load(in_ptr1 + (r0_1), r0_mask, other=0.0)\n        tl.store(out_ptr0 + (r0_1 + "
        "6*x0), tmp4 - tmp2 * tmp5, r0_mask & xmask)\n"},
    {"split reduction", true, 1, "in_ptr0:f:s0 out_ptr0:f:2 ks0:k:s0" RNUMEL("2", "(1+s0)/2"),
     XR "    x0 = xindex\n" ZERO_R FOR_R
        "        tmp8 = r0_1 + x0*((1 + ks0) // 2)\n        tmp9 = ks0\n        tmp10 = tmp8 < "
        "tmp9\n        tmp0 = tl.load(in_ptr0 + (((r0_1 + x0*((1 + ks0) // 2)) % ks0)), r0_mask & "
        "tmp10 & xmask, other=0.0)\n" SUM_R STOREX("x0", "tmp2")},
    {"split by a mask", true, 1, "in_ptr0:f:2*s0 out_ptr0:f:3 ks0:k:s0" RNUMEL("3", "(2+2*s0)/3"),
     XR "    x0 = xindex\n" ZERO_R FOR_R
        "        tmp8 = r0_1 + x0*((2 + 2*ks0) // 3)\n        tmp9 = 2*ks0\n        tmp10 = tmp8 < "
        "tmp9\n        tmp0 = tl.load(in_ptr0 + (r0_1 + x0*((2 + 2*ks0) // 3)), r0_mask & tmp10 & "
        "xmask, other=0.0)\n" SUM_R STOREX("x0", "tmp2")},
    {"split of numbers", true, 1, "in_ptr0:f:20*s0 out_ptr0:f:3*s0" RNUMEL("3*s0", "7"),
     XR "    x0 = (xindex % 3)\n    x1 = xindex // 3\n    x3 = xindex\n" ZERO_R FOR_R
        "        tmp8 = r0_1 + 7*x0\n        tmp9 = tl.full([1, 1], 20, tl.int32)\n        tmp10 = "
        "tmp8 < tmp9\n        tmp0 = tl.load(in_ptr0 + (20*x1 + (((r0_1 + 7*x0) % 20))), r0_mask & "
        "tmp10 & xmask, other=0.0)\n" SUM_R STOREX("x3", "tmp2")},
    {"dimensions of a reduction", true, 1,
     "in_ptr0:f:12*s0 out_ptr0:f:3 ks0:k:s0" RNUMEL("3", "4*s0"),
     XR
     "    x0 = xindex\n" ZERO_R FOR_R
     "        r0_2 = (r0_index % 4)\n        r0_3 = r0_index // 4\n        tmp0 = tl.load("
     "in_ptr0 + (r0_2 + 4*x0 + 12*r0_3), r0_mask & xmask, other=0.0)\n" SUM_R STOREX("x0", "tmp2")},
    {"two symbols reduced", true, 2, "in_ptr0:f:s0*s1 out_ptr0:f:s0 ks0:k:s1" RNUMEL("s0", "s1"),
     XR
     "    x0 = xindex\n" ZERO_R FOR_R
     "        tmp0 = tl.load(in_ptr0 + (r0_1 + ks0*x0), r0_mask & xmask, other=0.0)\n" SUM_R STOREX(
         "x0", "tmp2")},
    {"whole blocks", true, 1, "in_ptr0:f:4*s0 out_ptr0:f:4*s0" NUMEL("4*s0"),
     X "    x0 = xindex\n    tmp0 = tl.load(in_ptr0 + (x0), None)\n    tl.store(out_ptr0 + (x0), "
       "tmp0, None)\n"},
    {"triangle", true, 1, "in_ptr0:f:9 in_ptr1:f:s0*s0 out_ptr0:f:s0*s0 ks0:k:s0" NUMEL("s0*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n    tmp0 = x0 + "
       "((-1)*x1)\n    tmp1 = tl.full([1], 0, tl.int64)\n    tmp2 = tmp0 <= tmp1\n    tmp3 = "
       "tl.load(in_ptr1 + (x2), tmp2 & xmask, other=0.0)\n    tmp4 = tl.load(in_ptr0 + (x1 + "
       "((-1)*x0)), tmp2 & xmask, other=0.0)\n" STOREX("x2", "tmp3 + tmp4")},
    {"pooling", true, 1, "in_ptr0:f:4*s0*s0 out_ptr0:f:s0*s0 ks0:k:s0" NUMEL("s0*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "2*x0 + 4*ks0*x1") LOADX("1", "in_ptr0", "1 + 2*x0 + 4*ks0*x1")
         LOADX("3", "in_ptr0", "2*ks0 + 2*x0 + 4*ks0*x1")
             LOADX("5", "in_ptr0", "1 + 2*ks0 + 2*x0 + 4*ks0*x1")
                 STOREX("x2", "triton_helpers.maximum(tmp0, tmp5)")},
    {"window", true, 1, "in_ptr0:f:4*s0 out_ptr0:f:4*s0 ks0:k:s0" NUMEL("4*s0"),
     X
     "    x1 = xindex // 4\n    x0 = (xindex % 4)\n    x2 = xindex\n    tmp0 = (-1) + x1\n    tmp1 "
     "= tl.full([1], 0, tl.int64)\n    tmp2 = tmp0 >= tmp1\n    tmp3 = ks0\n    tmp4 = tmp0 < "
     "tmp3\n    tmp5 = tmp2 & tmp4\n    tmp6 = 1 + x0\n    tmp7 = tmp6 < 4\n    tmp8 = tmp5 & "
     "tmp7\n    tmp9 = tl.load(in_ptr0 + ((-3) + x2), tmp8 & xmask, "
     "other=float(\"-inf\"))\n" STOREX("x2", "tmp9")},
    {"roll", true, 1, "in_ptr0:f:3*s0 out_ptr0:f:3*s0 ks0:k:s0" NUMEL("3*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "ks0*x1 + (((-1) + ks0 + x0) % ks0)") STOREX("x2", "tmp0")},
    {"negative index", true, 1, "in_ptr0:f:5 out_ptr0:f:5*s0" NUMEL("5*s0"),
     X "    x0 = (xindex % 5)\n    x2 = xindex\n    tmp0 = (-2) + x0\n    tmp1 = tmp0 + 5\n    "
       "tmp2 = "
       "tmp0 < 0\n    tmp3 = tl.where(tmp2, tmp1, tmp0)\n" LOADX("4", "in_ptr0", "tmp3")
           STOREX("x2", "tmp4")},
    {"clamp", true, 1, "in_ptr0:f:s0 out_ptr0:f:s0 ks0:k:s0" NUMEL("s0"),
     X "    x0 = xindex\n    tmp0 = x0 + 1\n    tmp1 = triton_helpers.minimum(tmp0, ks0 - 1)\n    "
       "tmp2 = x0 - 1\n    tmp3 = triton_helpers.maximum(tmp2, 0)\n" LOADX("4", "in_ptr0", "tmp1")
           LOADX("5", "in_ptr0", "tmp3") STOREX("x0", "tmp4 + tmp5")},
    {"half", true, 1, "in_ptr0:f:s0 out_ptr0:f:s0/2 ks0:k:s0" NUMEL("s0/2"),
     X "    x0 = xindex\n    tmp1 = x0 < triton_helpers.div_floor_integer(ks0, 2)\n    tmp0 = "
       "tl.load(in_ptr0 + (1 + 2*x0), tmp1 & xmask)\n" STOREX("x0", "tmp0")},
    {"padded rows", true, 1,
     "in_ptr0:f:3*(4*((3+s0)/4)) out_ptr0:f:3*s0 ks0:k:s0 ks1:k:4*((3+s0)/4)" NUMEL("3*s0"),
     X "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n    x2 = xindex\n" LOADX(
         "0", "in_ptr0", "x0 + ks1*x1") STOREX("x2", "tmp0")},
    {"in place", true, 1, "in_out_ptr0:f:6*s0 in_ptr0:f:6 out_ptr0:f:6*s0" NUMEL("6*s0"),
     X "    x2 = xindex\n    x0 = (xindex % 6)\n    x1 = xindex // 6\n" LOADX(
         "0", "in_out_ptr0", "x2") LOADX("1", "in_ptr0", "x0")
         STOREX("x0 + 6*x1",
                "tmp0") "    tl.store(in_out_ptr0 + (x0 + 6*x1), tmp0 + tmp1, xmask)\n"},
    {"reduction in place", true, 1, "in_out_ptr0:f:6*s0 out_ptr0:f:s0" RNUMEL("s0", "6"),
     XR "    x0 = xindex\n" ZERO_R FOR_R
        "        tmp0 = tl.load(in_out_ptr0 + (r0_1 + 6*x0), r0_mask & xmask)\n" SUM_R FOR_R
        "        tmp4 = tl.load(in_out_ptr0 + (r0_1 + 6*x0), r0_mask & xmask)\n"
        "        tl.store(in_out_ptr0 + (r0_1 + 6*x0), tmp4 * tmp2, r0_mask & xmask)\n" STOREX(
            "x0", "tmp2")},
    {"user's", true, 1, "x_ptr:f:3*s0 out_ptr0:f:3*s0 n_elements:i:3*s0 xnumel:i:3*s0 XBLOCK:c:4",
     "    pid = tl.program_id(axis=0)\n    block_start = pid * XBLOCK\n    offsets = block_start + "
     "tl.arange(0, XBLOCK)\n    mask = offsets < n_elements\n    x = tl.load(x_ptr + offsets, "
     "mask=mask)\n    tl.store(out_ptr0 + offsets, x, mask=mask)\n"},
    {"user's tiles", true, 1,
     "x_ptr:f:6*s0 out_ptr0:f:6*s0 m:i:s0 xnumel:i:s0 ynumel:i:6 XBLOCK:c:4 YBLOCK:c:4",
     "    a = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]\n"
     "    b = tl.program_id(1) * YBLOCK + tl.arange(0, YBLOCK)[None, :]\n"
     "    x = tl.load(x_ptr + (a * 6 + b), mask=(a < m) & (b < 6))\n"
     "    tl.store(out_ptr0 + (b * m + a), x, mask=(a < m) & (b < 6))\n"},
    {"user's square", true, 1, "x_ptr:f:s0*s0 out_ptr0:f:16*s0 m:i:s0 xnumel:i:s0 XBLOCK:c:4",
     "    pid = tl.program_id(0)\n    a = pid * XBLOCK + tl.arange(0, XBLOCK)[:, None]\n"
     "    b = pid * XBLOCK + tl.arange(0, XBLOCK)[None, :]\n    c = tl.arange(0, XBLOCK)\n"
     "    x = tl.load(x_ptr + (a * m + b), mask=(a < m) & (b < m))\n"
     "    tl.store(out_ptr0 + (4 * a + c), x, mask=(a < m) & (c < 4))\n"
     "    tl.store(out_ptr0 + (4 * pid + c), x, mask=c < 4)\n"},
    {"user's lanes", true, 1, "x_ptr:f:s0 out_ptr0:f:4*s0 m:i:s0 xnumel:i:s0 XBLOCK:c:4",
     "    c = tl.arange(0, XBLOCK)\n    a = tl.program_id(0) * XBLOCK + c\n"
     "    x = tl.load(x_ptr + a, mask=a < m)\n"
     "    tl.store(out_ptr0 + (3 * a + c), x, mask=a < m)\n"},
    {"tall grid", true, 1,
     "in_ptr0:f:5*s0 out_ptr0:f:5*s0 ynumel:i:s0 xnumel:i:5 YBLOCK:c:2 XBLOCK:c:4",
     "    yoffset = (tl.program_id(1) + tl.program_id(2) * tl.num_programs(1)) * YBLOCK\n"
     "    yindex = yoffset + tl.arange(0, YBLOCK)[None, :]\n    ymask = yindex < ynumel\n" XINDEX(
         "[:, None]") "    x1 = xindex\n    y0 = yindex\n    tmp0 = tl.load(in_ptr0 + (x1 + 5*y0), "
                      "xmask & ymask)\n"
                      "    tl.store(out_ptr0 + (x1 + 5*y0), tmp0, xmask & ymask)\n"},
    {"user's rows", true, 1,
     "x_ptr:f:3*s0 out_ptr0:f:3*s0 stride:k:s0 n_cols:i:s0 xnumel:i:3 XBLOCK:c:1 BLOCK:c:16",
     "    row = tl.program_id(0)\n    cols = tl.arange(0, BLOCK)\n    mask = cols < n_cols\n    x "
     "= "
     "tl.load(x_ptr + row * stride + cols, mask=mask, other=0.0)\n    tl.store(out_ptr0 + row * "
     "stride + cols, x, mask=mask)\n"},
};

#endif
