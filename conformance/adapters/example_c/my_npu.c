/* my_npu: a backend in one C file, written from the manual in qconform_backend.h alone.
 * Linear and conv2d on 8-bit codes, as plainly as they can be written.
 *
 *   cc -shared -fPIC $(pkg-config --cflags qconform-backend) my_npu.c -o my_npu.so
 *   qconform doctor ./my_npu.so
 *   qconform run --backend ./my_npu.so --suite linear
 *
 * Where the processor fuses a multiplication with an addition, add -ffp-contract=off: the
 * scheme rounds after every operation. */
#include <qconform_backend.h>
#include <stdlib.h>
#include <string.h>

/* What is declared: codes of one signedness in and out, alone and with a ReLU. */
/* clang-format off */
#define CODES(dtype) "{\"input_dtype\": \"" dtype "\", \"weight_dtype\": \"torch.qint8\", " \
                     "\"bias_dtype\": \"torch.float32\", \"output_dtype\": \"" dtype "\"}"
#define ROWS(name) \
  "{\"pattern\": \"torch.nn." name "\", \"root_module\": \"torch.nn." name "\", " \
  "\"reference_quantized_module_for_root\": \"torch.ao.nn.quantized.reference." name "\", " \
  "\"dtype_configs\": [" CODES("torch.quint8") ", " CODES("torch.qint8") "]}, " \
  "{\"pattern\": [\"torch.nn." name "\", \"torch.nn.ReLU\"], " \
  "\"dtype_configs\": [" CODES("torch.quint8") ", " CODES("torch.qint8") "]}"
static const char config[] =
    "{\"name\": \"my_npu\", \"configs\": [" ROWS("Linear") ", " ROWS("Conv2d") "]}";
/* clang-format on */

typedef struct operands {
  qc_attributes attributes;
  qc_tensor x, w, bias, y;
  int has_bias;
} operands;

struct qc_plan {
  operands given; /* what its pointers point at ends with the call of plan */
  int32_t x_zero, y_zero;
  int32_t low, high;  /* of the output's codes */
  int64_t window;     /* products that one output sums up */
  int32_t *weights;   /* [output channels, window], zero points taken off */
  float *bias_terms;  /* b / (sx * sw) of each output channel */
  float *multipliers; /* (sx * sw) / so of each output channel */
};

/* A caller's struct may be shorter or longer than ours; what it lacks is zero. */
static void Take(void *ours, const void *theirs, size_t room) {
  const size_t size = *(const uint32_t *)theirs;
  memset(ours, 0, room);
  memcpy(ours, theirs, size < room ? size : room);
}

static int IsCodesPerTensor(const qc_tensor *t) {
  return (t->dtype == QC_U8 || t->dtype == QC_S8) && t->scale != NULL &&
         t->quantized_axis == -1 && t->qparam_count == 1;
}

static int32_t ZeroPoint(const qc_tensor *t, int64_t i) {
  return t->zero_point == NULL ? 0 : t->zero_point[i];
}

/* Of a stride, a dilation, the groups: what is not said is one. */
static int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

static const char *CheckLinear(const operands *o) {
  const int last = o->x.rank - 1;
  int fits = o->w.rank == 2 && last >= 0 && o->y.rank == o->x.rank;
  for (int i = 0; fits && i < last; ++i) fits = o->x.shape[i] == o->y.shape[i];
  fits = fits && o->x.shape[last] == o->w.shape[1] && o->y.shape[last] == o->w.shape[0];
  return fits ? NULL : "shapes do not fit";
}

static const char *CheckConv(const operands *o) {
  const qc_attributes *a = &o->attributes;
  const int64_t groups = OneIfZero(a->groups);
  if (a->spatial_rank != 2 || o->x.rank != 4 || o->w.rank != 4 || o->y.rank != 4)
    return "only two spatial dimensions";
  if (groups < 1 || o->x.shape[0] != o->y.shape[0] || o->w.shape[0] != o->y.shape[1] ||
      o->w.shape[1] * groups != o->x.shape[1] || o->w.shape[0] % groups != 0)
    return "channels do not fit";
  if (a->padding_mode < QC_PADDING_ZEROS || a->padding_mode > QC_PADDING_CIRCULAR)
    return "no such padding mode";
  for (int i = 0; i < 2; ++i) {
    const int64_t padding = a->padding_before[i] + a->padding_after[i];
    const int64_t reach = OneIfZero(a->dilation[i]) * (o->w.shape[2 + i] - 1) + 1;
    const int64_t room = o->x.shape[2 + i] + padding - reach;
    if (a->padding_before[i] < 0 || a->padding_after[i] < 0 || a->stride[i] < 0 ||
        a->dilation[i] < 0 ||
        o->y.shape[2 + i] != (room < 0 ? 0 : room / OneIfZero(a->stride[i]) + 1))
      return "sizes do not fit";
  }
  return NULL;
}

/* Reads a descriptor. NULL, or why it cannot be run. */
static const char *Read(const qc_descriptor *theirs, operands *o) {
  qc_descriptor d;
  Take(&d, theirs, sizeof d);
  if (d.kind != QC_LINEAR && d.kind != QC_CONV) return "only linear and conv2d";
  if (d.input_count < 2 || d.output_count != 1 || !d.inputs[0] || !d.inputs[1])
    return "an operand is missing";
  memset(o, 0, sizeof *o);
  Take(&o->attributes, d.attributes, sizeof o->attributes);
  Take(&o->x, d.inputs[0], sizeof o->x);
  Take(&o->w, d.inputs[1], sizeof o->w);
  Take(&o->y, d.outputs[0], sizeof o->y);
  o->has_bias = d.input_count > 2 && d.inputs[2];
  if (o->has_bias) Take(&o->bias, d.inputs[2], sizeof o->bias);
  if (o->attributes.dynamic || o->attributes.residual) return "no such form of it";
  if (o->attributes.activation < QC_ACTIVATION_NONE ||
      o->attributes.activation > QC_ACTIVATION_RELU)
    return "only ReLU is fused";
  if (!IsCodesPerTensor(&o->x) || !IsCodesPerTensor(&o->y) || o->x.dtype != o->y.dtype)
    return "input and output must both be u8 or both s8, quantized per tensor";
  if (o->w.dtype != QC_S8 ||
      (!IsCodesPerTensor(&o->w) &&
       (o->w.quantized_axis != 0 || o->w.qparam_count != o->w.shape[0])))
    return "the weight must be s8, quantized per tensor or per output channel";
  if (o->has_bias &&
      (o->bias.dtype != QC_F32 || o->bias.rank != 1 || o->bias.shape[0] != o->w.shape[0]))
    return "the bias must be f32, one of each output channel";
  return d.kind == QC_LINEAR ? CheckLinear(o) : CheckConv(o);
}

static qc_status Query(void *context, const qc_descriptor *d, qc_answer *answer) {
  operands o;
  const char *why_not = Read(d, &o);
  (void)context;
  answer->supported = why_not == NULL;
  answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
  strcpy(answer->scheme, "f32/one/even/bias_f32/zp_after");
  if (why_not != NULL) strcpy(answer->reason, why_not);
  return QC_OK;
}

static void Destroy(qc_plan *plan) {
  free(plan->weights);
  free(plan->bias_terms);
  free(plan->multipliers);
  free(plan);
}

static void PackChannel(qc_plan *plan, int64_t channel, const int8_t *codes,
                        const float *bias) {
  const operands *o = &plan->given;
  const int64_t index = o->w.quantized_axis < 0 ? 0 : channel;
  const float product = o->x.scale[0] * o->w.scale[index];
  plan->multipliers[channel] = product / o->y.scale[0];
  plan->bias_terms[channel] = bias == NULL ? 0 : bias[channel] / product;
  for (int64_t i = 0; i < plan->window; ++i)
    plan->weights[channel * plan->window + i] =
        codes[channel * plan->window + i] - ZeroPoint(&o->w, index);
}

static qc_status Plan(void *context, const qc_descriptor *d,
                      const qc_tensor *const *constants, int32_t threads, qc_plan **out,
                      qc_plan_info *info) {
  operands o;
  const char *why_not = Read(d, &o);
  (void)context, (void)threads;
  if (why_not == NULL && (!constants[1] || (o.has_bias && !constants[2])))
    why_not = "weight and bias must be constants";
  if (why_not != NULL) {
    strcpy(info->reason, why_not);
    return QC_UNSUPPORTED;
  }
  qc_plan *plan = calloc(1, sizeof *plan);
  if (plan == NULL) return QC_OUT_OF_MEMORY;
  plan->given = o;
  plan->x_zero = ZeroPoint(&o.x, 0);
  plan->y_zero = ZeroPoint(&o.y, 0);
  const int whole_range = o.y.quant_min == o.y.quant_max;
  plan->low = whole_range ? (o.y.dtype == QC_S8 ? -128 : 0) : o.y.quant_min;
  plan->high = whole_range ? plan->low + 255 : o.y.quant_max;
  if (o.attributes.activation == QC_ACTIVATION_RELU && plan->low < plan->y_zero)
    plan->low = plan->y_zero;
  const int64_t channels = o.w.shape[0];
  plan->window = 1;
  for (int i = 1; i < o.w.rank; ++i) plan->window *= o.w.shape[i];
  if (o.w.rank == 2) plan->given.w.shape[2] = plan->given.w.shape[3] = 1;
  /* One element more: having none is no error. */
  plan->weights = calloc((size_t)(channels * plan->window) + 1, sizeof(int32_t));
  plan->bias_terms = calloc((size_t)channels + 1, sizeof(float));
  plan->multipliers = calloc((size_t)channels + 1, sizeof(float));
  if (!plan->weights || !plan->bias_terms || !plan->multipliers) {
    Destroy(plan);
    return QC_OUT_OF_MEMORY;
  }
  for (int64_t channel = 0; channel < channels; ++channel)
    PackChannel(plan, channel, constants[1]->data,
                o.has_bias ? constants[2]->data : NULL);
  strcpy(info->path, "plain_c");
  *out = plan;
  return QC_OK;
}

/* Half to even, as the processor rounds a sum that has no room for a fraction: that with
 * 1.5 * 2^23. Precondition: |x| < 2^22. */
static int32_t RoundHalfToEven(float x) {
  volatile float sum = x + 12582912.0f;
  return (int32_t)(sum - 12582912.0f);
}

/* From an accumulator to a code of the output. */
static void Store(const qc_plan *plan, uint8_t *to, int64_t channel, int32_t sum) {
  const float with_bias = (float)sum + plan->bias_terms[channel];
  const float scaled = with_bias * plan->multipliers[channel];
  const float far = 100000; /* beyond all codes and zero points */
  int32_t code = 0;         /* of a NaN */
  if (scaled == scaled)
    code = RoundHalfToEven(scaled < -far  ? -far
                           : scaled > far ? far
                                          : scaled) +
           plan->y_zero;
  *to = (uint8_t)(code < plan->low ? plan->low : code > plan->high ? plan->high : code);
}

/* Where the input is read for a place that may lie in its padding; -1: a zero. */
static int64_t Place(int64_t at, int64_t size, int32_t padding_mode) {
  if (at >= 0 && at < size) return at;
  if (padding_mode == QC_PADDING_REFLECT) return at < 0 ? -at : 2 * (size - 1) - at;
  if (padding_mode == QC_PADDING_REPLICATE) return at < 0 ? 0 : size - 1;
  if (padding_mode == QC_PADDING_CIRCULAR) return at < 0 ? at + size : at - size;
  return -1;
}

/* The sum of products of one output; row and column are the first of its window. */
static int32_t Window(const qc_plan *plan, const qc_tensor *x, const uint8_t *image,
                      int64_t channel, int64_t row, int64_t column) {
  const qc_attributes *a = &plan->given.attributes;
  const qc_tensor *w = &plan->given.w;
  const int64_t group = channel / (w->shape[0] / OneIfZero(a->groups));
  const int32_t *weight = plan->weights + channel * plan->window;
  int64_t sum = 0;
  for (int64_t c = 0; c < w->shape[1]; ++c) {
    const uint8_t *plane = image + (group * w->shape[1] + c) * x->stride[1];
    for (int64_t i = 0; i < w->shape[2]; ++i) {
      const int64_t h =
          Place(row + i * OneIfZero(a->dilation[0]), x->shape[2], a->padding_mode);
      for (int64_t j = 0; j < w->shape[3]; ++j, ++weight) {
        const int64_t v =
            Place(column + j * OneIfZero(a->dilation[1]), x->shape[3], a->padding_mode);
        if (h < 0 || v < 0) continue;
        const uint8_t code = plane[h * x->stride[2] + v * x->stride[3]];
        sum +=
            (int64_t)*weight * ((x->dtype == QC_S8 ? (int8_t)code : code) - plan->x_zero);
      }
    }
  }
  return (int32_t)sum;
}

static void Conv(const qc_plan *plan, const qc_tensor *x, const qc_tensor *y) {
  const qc_attributes *a = &plan->given.attributes;
  for (int64_t n = 0; n < y->shape[0]; ++n) {
    const uint8_t *from = (const uint8_t *)x->data + n * x->stride[0];
    uint8_t *to = (uint8_t *)y->data + n * y->stride[0];
    for (int64_t o = 0; o < y->shape[1]; ++o)
      for (int64_t i = 0; i < y->shape[2]; ++i)
        for (int64_t j = 0; j < y->shape[3]; ++j)
          Store(
              plan, to + o * y->stride[1] + i * y->stride[2] + j * y->stride[3], o,
              Window(plan, x, from, o, i * OneIfZero(a->stride[0]) - a->padding_before[0],
                     j * OneIfZero(a->stride[1]) - a->padding_before[1]));
  }
}

/* A row of features as an image of one place: linear is then a convolution. */
static void BeImage(qc_tensor *t, int64_t offset) {
  const int last = t->rank - 1;
  const int64_t features = t->shape[last], stride = t->stride[last];
  t->data = (uint8_t *)t->data + offset;
  t->shape[0] = t->shape[2] = t->shape[3] = 1;
  t->shape[1] = features;
  t->stride[1] = stride;
}

static void Linear(const qc_plan *plan, const qc_tensor *x, const qc_tensor *y) {
  int64_t rows = 1;
  for (int i = 0; i + 1 < x->rank; ++i) rows *= x->shape[i];
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, from = 0, to = 0;
    for (int i = x->rank - 2; i >= 0; --i) {
      from += rest % x->shape[i] * x->stride[i];
      to += rest % x->shape[i] * y->stride[i];
      rest /= x->shape[i];
    }
    qc_tensor x_row = *x, y_row = *y;
    BeImage(&x_row, from);
    BeImage(&y_row, to);
    Conv(plan, &x_row, &y_row);
  }
}

static qc_status Run(qc_plan *plan, const qc_tensor *const *inputs,
                     qc_tensor *const *outputs, void *workspace) {
  qc_tensor x, y;
  (void)workspace;
  Take(&x, inputs[0], sizeof x);
  Take(&y, outputs[0], sizeof y);
  (plan->given.w.rank == 2 ? Linear : Conv)(plan, &x, &y);
  return QC_OK;
}

/* clang-format off */
static const qc_backend table = {
    sizeof(qc_backend), QC_ABI_MAJOR, QC_ABI_MINOR, "my_npu", "0.1",
    config, NULL, Query, Plan, Run, Destroy, NULL};
/* clang-format on */

const qc_backend *qconform_backend(uint32_t major, uint32_t minor) {
  (void)minor;
  return major == QC_ABI_MAJOR ? &table : NULL;
}
