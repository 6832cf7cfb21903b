/* convolution.c - see convolution.h. */
#define _GNU_SOURCE
#include "explain/convolution.h"

#include <math.h>
#include <stdio.h>

#include "explain/sum.h"
#include "tensor/layout.h"

/* Number k of the channel's weights, or the element of the input that it is multiplied with; none
 * in the padding. */
static ag_term find_tap(const ag_sum *s, int factor, int64_t k) {
  const ag_tensor *o = &s->c->out->view.t, *x = &s->x->view.t, *y = &s->y->view.t;
  int64_t at[AG_MAX_DIMS], tap[AG_MAX_DIMS] = {0};
  ag_layout_index(o->ndim, o->sizes, s->c->flat, at);
  if (factor) return (ag_term){s->y, at[1] * s->n + k};
  for (int i = y->ndim; i-- > 1; k /= y->sizes[i]) tap[i] = k % y->sizes[i];
  const int64_t groups = x->sizes[1] / y->sizes[1], group = at[1] / (y->sizes[0] / groups);
  int64_t flat = at[0] * x->sizes[1] + group * y->sizes[1] + tap[1];
  for (int i = 2; i < x->ndim; i++) {
    const ag_steps *g = &s->steps[i];
    int64_t place = at[i] * g->stride - g->padding + tap[i] * g->dilation;
    if (place < 0 || place >= x->sizes[i]) return (ag_term){0};
    flat = flat * x->sizes[i] + place;
  }
  return (ag_term){s->x, flat};
}

/* The same of a transposed one: its weights go from input channels to output channels, and an
 * element of the input is spread over the output in steps. */
static ag_term find_spread(const ag_sum *s, int factor, int64_t k) {
  const ag_tensor *o = &s->c->out->view.t, *x = &s->x->view.t, *y = &s->y->view.t;
  int64_t at[AG_MAX_DIMS], tap[AG_MAX_DIMS] = {0};
  ag_layout_index(o->ndim, o->sizes, s->c->flat, at);
  const int64_t groups = o->sizes[1] / y->sizes[1], group = at[1] / y->sizes[1];
  for (int i = y->ndim; i-- > 2; k /= y->sizes[i]) tap[i] = k % y->sizes[i];
  const int64_t channel = group * (x->sizes[1] / groups) + k;
  int64_t in = at[0] * x->sizes[1] + channel, weight = channel * y->sizes[1] + at[1] % y->sizes[1];
  for (int i = 2; i < x->ndim; i++) {
    const ag_steps *g = &s->steps[i];
    const int64_t place = at[i] + g->padding - tap[i] * g->dilation;
    if (place < 0 || place % g->stride || place / g->stride >= x->sizes[i]) return (ag_term){0};
    in = in * x->sizes[i] + place / g->stride;
    weight = weight * y->sizes[i] + tap[i];
  }
  return factor ? (ag_term){s->y, weight} : (ag_term){s->x, in};
}

/* True if a dimension's sizes are those of a transposed convolution with these steps, whose output
 * may be padded by less than a step. */
static bool has_spread_sizes(const ag_sum *s, int i, const ag_steps *g) {
  const int64_t in = s->x->view.t.sizes[i], taps = s->y->view.t.sizes[i];
  const int64_t covered = (in - 1) * g->stride - 2 * g->padding + g->dilation * (taps - 1) + 1;
  const int64_t left = s->c->out->view.t.sizes[i] - covered;
  if ((taps == 1 && g->dilation > 1) || (in == 1 && g->stride > 1)) return false;
  return left >= 0 && (left == 0 || left < g->stride || left < g->dilation);
}

/* True if a dimension's sizes are those of a convolution with these steps. Of steps that make no
 * difference there only one is. */
static bool has_sizes(const ag_sum *s, int i, const ag_steps *g) {
  if (s->find == find_spread) return has_spread_sizes(s, i, g);
  const int64_t out = s->c->out->view.t.sizes[i], taps = s->y->view.t.sizes[i];
  const int64_t room = s->x->view.t.sizes[i] + 2 * g->padding - g->dilation * (taps - 1) - 1;
  if (room < 0 || (taps == 1 && g->dilation > 1)) return false;
  return out == 1 ? g->stride == 1 : room / g->stride + 1 == out;
}

/* True if the sum gives the finite elements of the output's channel, as far as some tell. */
static bool gives_others(const ag_sum *s, const ag_arg *bias, int64_t channel) {
  enum { TRIED = 8 };
  const ag_tensor *o = &s->c->out->view.t;
  ag_call c = *s->c;
  ag_sum other = *s;
  other.c = &c;
  double added = 0, found;
  int64_t area = 1, tried = 0;
  for (int i = 2; i < o->ndim; i++) area *= o->sizes[i];
  if (bias && !ag_call_read(&c, bias, channel, &added)) return false;
  for (int64_t i = 0; i < area && tried < TRIED; i += area / (4 * TRIED) + 1) {
    ag_went w = {0};
    c.flat = s->c->flat / area * area + i;
    if (!ag_call_read(&c, c.out, c.flat, &found) || !isfinite(found)) continue;
    double near = 1e-2 * (fabs(found) + 1e-3);
    if (!ag_sum_add_up(&other, NAN, &w) || fabs(w.after + added - found) > near) return false;
    tried++;
  }
  return tried > 1;
}

/* The steps that are tried, dimension by dimension. */
typedef struct search {
  ag_sum *s;
  const ag_arg *bias;
  int64_t channel;
  ag_sum fits; /* the last one that did */
  int n, tried;
} search;

static void try_steps(search *h, int dim) {
  enum { STRIDES = 4, DILATIONS = 3, PADDINGS = 8, TRIED_MOST = 1000 };
  if (dim == h->s->x->view.t.ndim) {
    if (h->tried++ == TRIED_MOST) h->n = 2; /* others may fit, too */
    if (h->n > 1 || !gives_others(h->s, h->bias, h->channel)) return;
    h->fits = *h->s;
    h->n++;
    return;
  }
  ag_steps *g = &h->s->steps[dim];
  for (g->stride = 1; g->stride <= STRIDES; g->stride++)
    for (g->dilation = 1; g->dilation <= DILATIONS; g->dilation++)
      for (g->padding = 0; g->padding < PADDINGS && h->n < 2; g->padding++)
        if (has_sizes(h->s, dim, g)) try_steps(h, dim + 1);
}

/* The call's stride, padding and dilation are not recorded: of each dimension those of the sizes
 * are taken that give the finite elements beside the explained one, if they are the only ones. */
static bool find_geometry(ag_sum *s, const ag_arg *bias, int64_t channel) {
  search h = {.s = s, .bias = bias, .channel = channel};
  try_steps(&h, 2);
  *s = h.fits;
  return h.n == 1;
}

/* Whether it is transposed is the fourth integer: behind the lengths of stride, padding and
 * dilation. */
static bool is_transposed(const ag_call *c) {
  enum { TRANSPOSED = 3 };
  return c->nintegers > TRANSPOSED && c->integers[TRANSPOSED];
}

/* True if the channels are those of a convolution: of its input, its weights and its output. */
static bool has_channels(const ag_tensor *o, const ag_tensor *x, const ag_tensor *y, bool spread) {
  const ag_tensor *many = spread ? o : x, *other = spread ? x : o;
  return x->sizes[0] == o->sizes[0] && y->sizes[0] == other->sizes[1] && y->numel &&
         many->sizes[1] && many->sizes[1] % y->sizes[1] == 0 &&
         y->sizes[0] % (many->sizes[1] / y->sizes[1]) == 0;
}

void ag_convolution_explain(ag_text *t, ag_call *c) {
  const ag_arg *x = c->tensors[0], *y = c->tensors[1];
  const ag_tensor *o = &c->out->view.t;
  const bool spread = is_transposed(c);
  if (c->ntensors < 2 || c->ntensors > 3 || o->ndim < 3 || x->view.t.ndim != o->ndim ||
      y->view.t.ndim != o->ndim || !has_channels(o, &x->view.t, &y->view.t, spread))
    return;
  int64_t at[AG_MAX_DIMS];
  ag_layout_index(o->ndim, o->sizes, c->flat, at);
  ag_sum s = {
      .c = c, .find = spread ? find_spread : find_tap, .factors = 2, .divisor = 1, .x = x, .y = y};
  s.n = y->view.t.numel / (spread ? o->sizes[1] : y->view.t.sizes[0]);
  if (!find_geometry(&s, c->ntensors == 3 ? c->tensors[2] : NULL, at[1])) {
    ag_term_fail(t, c, "which elements the convolution read for it is not known");
    return;
  }
  ag_text what = {0};
  char weights[32];
  snprintf(weights, sizeof weights, spread ? ":, %lld" : "%lld",
           (long long)(spread ? at[1] % y->view.t.sizes[1] : at[1]));
  ag_text_addf(&what, "is a sum over k of products of %s and the weights %s[%s]", x->param->name,
               y->param->name, weights);
  ag_sum_explain(t, &s, ag_text_string(&what));
  ag_text_free(&what);
}
