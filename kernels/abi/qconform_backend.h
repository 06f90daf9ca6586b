/* qconform_backend.h: the C interface between qconform and a quantization backend.
 *
 * MANUAL
 *
 * What a backend is
 *   A shared object that exports one symbol, `qconform_backend`. It returns a
 *   table of functions (struct qc_backend) that stays valid until the object is
 *   unloaded. One C file is enough:
 *
 *       static const qc_backend table = {
 *           sizeof(qc_backend), QC_ABI_MAJOR, QC_ABI_MINOR, "my_npu", "0.3",
 *           NULL, NULL, query, plan, run, destroy, NULL};
 *       const qc_backend *qconform_backend(uint32_t major, uint32_t minor) {
 *         return major == QC_ABI_MAJOR ? &table : NULL;
 *       }
 *
 *       cc -shared -fPIC $(pkg-config --cflags qconform-backend) my_npu.c -o my_npu.so
 *       qconform doctor ./my_npu.so
 *       qconform run --backend ./my_npu.so --suite linear
 *
 *   share/qconform/example_c/my_npu.c of the installed package is one, written from
 *   this manual: linear and conv2d on 8-bit codes.
 *
 * The five calls, in the order in which they are made
 *   query      Can you run this operator? Answers yes, or no with a reason in
 *              words; QC_OK is returned with both. With yes come the memory
 *              formats that it reads and writes and the requantization scheme
 *              that its arithmetic follows. It must be cheap and must not keep
 *              pointers.
 *   plan       Prepare it: pack the constants, choose the code path. Answers
 *              with the workspace that a run needs and the name of the path that
 *              will run ("avx2", "npu"). Nothing that plan is handed outlives it:
 *              copy what you need of descriptor, scales and constants. The
 *              strides of its tensors are those of every run; constants are
 *              contiguous.
 *   run        Compute. May be called many times and, with different workspaces,
 *              by several threads at once; the same input must give the same
 *              bits every time.
 *   destroy    Give back what plan took.
 *   partition  Optional (may be NULL). Given a whole program, name the groups of
 *              operators that you claim. Only then can a run that fell back to
 *              somebody else's code be told apart from a run that did not.
 *
 * Rules
 *   - Versions. The major number must be equal. Within one major number, operator
 *     kinds, enumerators and struct fields are only ever added at the end.
 *   - Sizes. Every struct starts with its size in bytes as its writer compiled
 *     it. Read a field only if it lies inside that size; a missing field is zero.
 *     Structs are handed over by pointer, and sequences as arrays of pointers,
 *     so that a struct may grow.
 *   - Unknown kind, dtype or attribute value: query answers no. A field that you
 *     do not know but that is not zero cannot be seen by you; therefore a new
 *     attribute whose zero does not mean "as before" gets a new operator kind.
 *   - Shapes. Torch's logical order (N, C, spatial...), whatever the memory format;
 *     strides are bytes, above 0, in any order and with gaps anywhere; elements never
 *     overlap. Zero sizes are legal: write nothing, return QC_OK.
 *   - Inputs that are absent are NULL, and those behind the last one that is
 *     there may be missing from input_count. In run the constants are NULL too.
 *   - Memory. Touch only bytes that the tensors describe and the workspace.
 *     No alignment is promised beyond that of the element type. Outputs never
 *     overlap inputs unless the answer to query set may_alias.
 *   - Manners. Print nothing, nor on load; never exit or abort, let no exception out.
 *     Failures are status codes. Leave as they were: the controls and stack of the
 *     floating point unit, structs that describe tensors, working folder, environment,
 *     locale, umask, signals. Keep no memory, mappings, files or threads beyond destroy.
 *   - Answers. The same question gets the same answer: from query, and the path
 *     from plan. Plans live side by side and know nothing of each other. The path is
 *     the one that runs: where QCONFORM_ISA is set in the environment ("avx2"), none
 *     beyond it. partition claims every operator that query accepts, once.
 *   - Threads. Use at most the number given to plan; results must not depend
 *     on it.
 *
 * Quantized tensors
 *   real = (code - zero_point) * scale. `scale` and `zero_point` point at
 *   qparam_count values: 1 for per tensor (quantized_axis -1), or the size of
 *   dimension quantized_axis. scale == NULL: the tensor is not quantized.
 *   zero_point == NULL: all zero. Embeddings with a float zero point (torch's
 *   per_channel_affine_float_qparams) use zero_point_f32 instead:
 *   real = code * scale + (-zero_point_f32 * scale).
 *   quant_min and quant_max bound the codes of a tensor; equal values (0, 0) mean
 *   the whole range of the dtype.
 *
 * Config
 *   What you declare, as JSON with the keys of torch's BackendConfig.to_dict; a row is a
 *   pattern with the dtypes that it takes:
 *       {"name": "my_npu", "configs": [
 *         {"pattern": "torch.nn.Linear",
 *          "root_module": "torch.nn.Linear",
 *          "reference_quantized_module_for_root":
 *            "torch.ao.nn.quantized.reference.Linear",
 *          "dtype_configs": [
 *           {"input_dtype": "torch.quint8", "weight_dtype": "torch.qint8",
 *            "bias_dtype": "torch.float32", "output_dtype": "torch.quint8"}]},
 *         {"pattern": ["torch.nn.Linear", "torch.nn.ReLU"], "dtype_configs": [...]}]}
 *   quint8 is QC_U8, qint8 QC_S8, qint32 QC_S32; a ReLU behind a pattern is
 *   QC_ACTIVATION_RELU. A row of a module with weights names its root and reference
 *   modules: without them no graph can be quantized for it. In place of a dtype may
 *   stand its bounds:
 *       "input_dtype": {"dtype": "torch.quint8", "quant_max_upper_bound": 127,
 *                       "scale_min_lower_bound": 0.000244140625}
 *   query must accept what a row declares, of every shape, and of the same operators
 *   nothing else: `qconform run --contract` tries both sides of every bound. An operator
 *   without a row is skipped when query refuses it. `qconform lint` reads your config,
 *   `qconform export config x86` prints a large one.
 *
 * Schemes
 *   A scheme says how a 32-bit accumulator becomes a code:
 *   multiplier/steps/ties/bias/zero-point.
 *     f32/one/even/bias_f32/zp_after
 *         m = (sx*sw)/so in float32; bias term b/(sx*sw) in float32, of an s32
 *         bias float(b); code = clamp(rint((float(acc) + bias) * m) + zo)
 *     f32/one/even/bias_s32/zp_after
 *         bias first rounded: bi = rint(b/(sx*sw)), saturated to 32 bits, of an s32 bias
 *         b; code = clamp(rint(float(acc + bi) * m) + zo); acc + bi wraps in 32 bits
 *     real/one/even/bias_f32/zp_after
 *         dequantize every input to float32, compute the operator in float32 in
 *         index order, then code = clamp(rint(y * (1/so)) + zo), 1/so in float32
 *     copy
 *         codes are moved or compared, never rescaled (pooling by maximum, reshape)
 *   sx, sw, so are the scales of input, weight (of the output's channel, where it has
 *   an axis) and output, zx, zw, zo the zero points. Each operation is rounded to
 *   float32 by itself: cc -ffp-contract=off, where the compiler would fuse them. float()
 *   and rint round half to even; clamp saturates to [quant_min, quant_max], infinities
 *   too; NaN becomes clamp(0), not zo; a fused ReLU raises the lower bound to zo. acc is
 *   exact: sum of (x - zx) * (w - zw) in 32 bits. Padding contributes (zx - zx) * w = 0.
 *   CONV and LINEAR to f32 give fma(float(acc), sx*sw, b) with a float b, with an integer
 *   one float(acc + b) * (sx*sw); to an s32 without a scale acc + b; acc + b wraps too.
 *   descriptor.scheme names the scheme that the caller would like; NULL leaves the
 *   choice to the backend. answer.scheme is the one that will be used; it may be another
 *   one, which is then what you are held to.
 *
 * Inputs and outputs of each kind (a NULL pointer is an absent optional input)
 *   CONV, CONV_TRANSPOSE  x [N,C,d..], w [O,C/groups,k..] (transpose:
 *                         [C,O/groups,k..]), bias? [O] f32 or s32, residual? -> y
 *   LINEAR                x [..,K], w [O,K], bias? [O], residual? -> y [..,O];
 *                         x may be f32 when attributes.dynamic is set
 *   MATMUL                a [..,M,K], b [..,K,N] -> y; both are activations
 *   ADD, SUB, MUL         a, b? -> y, broadcast as torch does; without b the
 *                         operand is attributes.scalar
 *   RELU, RELU6, CLAMP, LEAKY_RELU, PRELU (x, slope), ELU, HARDSWISH,
 *   HARDSIGMOID, SIGMOID, TANH, GELU, SOFTMAX     x -> y
 *   BATCH_NORM, INSTANCE_NORM, GROUP_NORM, LAYER_NORM
 *                         x, gamma? f32, beta? f32, mean? f32, variance? f32 -> y;
 *                         mean and variance are BATCH_NORM's, the others take x's own;
 *                         LAYER_NORM over the dimensions from attributes.axis on, and
 *                         gamma and beta have these dimensions
 *   MAX_POOL, AVG_POOL, ADAPTIVE_AVG_POOL, MEAN   x -> y
 *   CONCAT                x0, x1, ... -> y, each with qparams of its own
 *   UPSAMPLE, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE      x -> y
 *   EMBEDDING             indices s64 or s32, table [R,C] -> y; a table with float zero
 *                         points has one a row, one of four bits keeps scale and
 *                         -zero_point * scale in float16
 *   EMBEDDING_BAG         indices, table, offsets?, per sample weights? f32 -> y; without
 *                         offsets the indices are [bags, indices of a bag]
 *   LSTM, GRU             x f32 of rank 3, h0 f32, c0 f32 (GRU: NULL), then per layer and
 *                         direction w_ih, w_hh, b_ih?, b_hh? -> y, hn, cn (LSTM only);
 *                         with attributes.dynamic every product is a dynamic LINEAR: of a
 *                         layer's whole input sequence at once, of the hidden state at
 *                         every step; without it weights are dequantized
 *   QUANTIZE              x f32 -> codes;  DEQUANTIZE codes -> f32
 *   REQUANTIZE            codes -> codes with other qparams (x may be s32)
 *   DYNAMIC_QUANTIZE      x f32 -> codes (without a scale), scale f32 [1], zero_point
 *                         s32 [1]
 *   RESHAPE, TRANSPOSE, SLICE, PAD                x -> y (data movement)
 */
#ifndef QCONFORM_BACKEND_H
#define QCONFORM_BACKEND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QC_ABI_MAJOR 1
#define QC_ABI_MINOR 0
#define QC_MAX_RANK 8

typedef enum qc_status {
  QC_OK = 0,
  QC_UNSUPPORTED = 1, /* plan or run of something that query refuses */
  QC_INVALID = 2,     /* the arguments contradict each other */
  QC_OUT_OF_MEMORY = 3,
  QC_INTERNAL = 4 /* the backend's own fault */
} qc_status;

typedef enum qc_dtype {
  QC_F32 = 1,
  QC_U8 = 2,
  QC_S8 = 3,
  QC_S32 = 4,
  QC_F16 = 5,
  QC_BF16 = 6,
  QC_S16 = 7,
  QC_U16 = 8,
  QC_S64 = 9,
  QC_BOOL = 10,
  /* Two codes a byte along the last dimension, low half first; the stride of that
   * dimension is from one byte to the next. */
  QC_U4 = 11,
  QC_S4 = 12
} qc_dtype;

typedef enum qc_operator_kind {
  QC_CONV = 1,
  QC_CONV_TRANSPOSE = 2,
  QC_LINEAR = 3,
  QC_MATMUL = 4,
  QC_ADD = 5,
  QC_SUB = 6,
  QC_MUL = 7,
  QC_RELU = 8,
  QC_RELU6 = 9,
  QC_CLAMP = 10,
  QC_LEAKY_RELU = 11,
  QC_PRELU = 12,
  QC_ELU = 13,
  QC_HARDSWISH = 14,
  QC_HARDSIGMOID = 15,
  QC_SIGMOID = 16,
  QC_TANH = 17,
  QC_GELU = 18,
  QC_SOFTMAX = 19,
  QC_BATCH_NORM = 20,
  QC_INSTANCE_NORM = 21,
  QC_GROUP_NORM = 22,
  QC_LAYER_NORM = 23,
  QC_MAX_POOL = 24,
  QC_AVG_POOL = 25,
  QC_ADAPTIVE_AVG_POOL = 26,
  QC_MEAN = 27,
  QC_CONCAT = 28,
  QC_UPSAMPLE = 29,
  QC_PIXEL_SHUFFLE = 30,
  QC_PIXEL_UNSHUFFLE = 31,
  QC_EMBEDDING = 32,
  QC_EMBEDDING_BAG = 33,
  QC_LSTM = 34,
  QC_GRU = 35,
  QC_QUANTIZE = 36,
  QC_DEQUANTIZE = 37,
  QC_REQUANTIZE = 38,
  QC_DYNAMIC_QUANTIZE = 39,
  QC_RESHAPE = 40,
  QC_TRANSPOSE = 41,
  QC_SLICE = 42,
  QC_PAD = 43
} qc_operator_kind;

/* Applied to the result before it is quantized. */
typedef enum qc_activation {
  QC_ACTIVATION_NONE = 0,
  QC_ACTIVATION_RELU = 1,
  QC_ACTIVATION_RELU6 = 2,
  QC_ACTIVATION_CLAMP = 3,      /* to [activation_min, activation_max] */
  QC_ACTIVATION_LEAKY_RELU = 4, /* slope activation_alpha */
  QC_ACTIVATION_TANH = 5,
  QC_ACTIVATION_GELU = 6,
  QC_ACTIVATION_HARDSWISH = 7,
  QC_ACTIVATION_SILU = 8
} qc_activation;

typedef enum qc_padding_mode {
  QC_PADDING_ZEROS = 0, /* real zero, that is the zero point's code */
  QC_PADDING_REFLECT = 1,
  QC_PADDING_REPLICATE = 2,
  QC_PADDING_CIRCULAR = 3
} qc_padding_mode;

typedef enum qc_interpolation {
  QC_INTERPOLATION_NEAREST = 0,
  QC_INTERPOLATION_BILINEAR = 1
} qc_interpolation;

typedef enum qc_reduction {
  QC_REDUCTION_SUM = 0,
  QC_REDUCTION_MEAN = 1,
  QC_REDUCTION_MAX = 2
} qc_reduction;

/* Bits of qc_answer.memory_formats. */
#define QC_CONTIGUOUS 1u    /* torch.contiguous_format: N, C, spatial */
#define QC_CHANNELS_LAST 2u /* torch.channels_last: N, spatial, C in memory */
#define QC_ANY_STRIDE 4u    /* any order, gaps anywhere, nothing overlaps */

typedef struct qc_tensor {
  uint32_t size;
  int32_t dtype;          /* qc_dtype */
  int32_t rank;           /* 0 .. QC_MAX_RANK */
  int32_t quantized_axis; /* -1: per tensor */
  int64_t shape[QC_MAX_RANK];
  int64_t stride[QC_MAX_RANK]; /* bytes */
  const float *scale;
  const int32_t *zero_point;
  const float *zero_point_f32;
  int64_t qparam_count;
  int32_t quant_min;
  int32_t quant_max;
  void *data; /* NULL in query and plan, except for constants in plan */
} qc_tensor;

/* One flat record for every kind; what a kind does not use is zero. Arrays of 3 are in
 * the order of the spatial dimensions (of 2-d: height, width), and zero behind the last;
 * of 0: stride, dilation, groups 1 (of a pool: stride its kernel), kernel the weight's */
typedef struct qc_attributes {
  uint32_t size;
  int32_t spatial_rank; /* 1..3 for convolution and pooling */
  int64_t kernel[3];
  int64_t stride[3];
  int64_t dilation[3];
  int64_t padding_before[3];
  int64_t padding_after[3];
  int64_t output_padding[3];
  int64_t groups;
  int32_t padding_mode; /* qc_padding_mode */
  int32_t ceil_mode;
  int32_t count_include_pad;
  int32_t activation; /* qc_activation, fused */
  int64_t divisor_override;
  float activation_alpha;
  float activation_min;
  float activation_max;
  float alpha;   /* slope of leaky ReLU and ELU; of ADD, SUB: factor of b, 0 for 1 */
  float minimum; /* bounds of CLAMP */
  float maximum;
  float epsilon;        /* of the norms */
  float scalar;         /* second operand of ADD, SUB, MUL without b; fill of PAD */
  int32_t scalar_first; /* scalar op x rather than x op scalar */
  int32_t residual;     /* conv, linear: 1 when y = act(op(x) + residual) */
  int64_t axis;         /* softmax, concat; axis of SLICE; LAYER_NORM: first */
  uint32_t axis_mask;   /* reduced dimensions of MEAN, bit i for dimension i */
  int32_t keep_dimensions;
  int64_t permutation[QC_MAX_RANK]; /* TRANSPOSE */
  int64_t start[QC_MAX_RANK];       /* SLICE; PAD: elements before */
  int64_t stop[QC_MAX_RANK];        /* SLICE; PAD: elements after */
  int64_t step[QC_MAX_RANK];        /* SLICE */
  int32_t interpolation;            /* qc_interpolation */
  int32_t align_corners;
  double scale_factor[3]; /* UPSAMPLE, 0: from the sizes */
  int64_t factor;         /* PIXEL_SHUFFLE, PIXEL_UNSHUFFLE */
  int64_t group_count;    /* GROUP_NORM */
  int32_t reduction;      /* qc_reduction, EMBEDDING_BAG */
  int32_t include_last_offset;
  int64_t padding_index; /* EMBEDDING, EMBEDDING_BAG: row + 1, 0 for none */
  int32_t dynamic;       /* LINEAR, LSTM, GRU: quantize x at run time */
  int32_t reduce_range;  /* of that run-time quantization */
  int64_t hidden_size;   /* LSTM, GRU */
  int64_t layers;
  int32_t bidirectional;
  int32_t batch_first;
  int32_t approximate_tanh; /* GELU */
  int32_t reserved;         /* zero */
} qc_attributes;

typedef struct qc_descriptor {
  uint32_t size;
  int32_t kind; /* qc_operator_kind */
  const qc_attributes *attributes;
  const qc_tensor *const *inputs;
  int32_t input_count;
  int32_t output_count;
  const qc_tensor *const *outputs;
  const char *scheme; /* asked for; NULL: the backend's own */
} qc_descriptor;

/* Written by query. The caller sets size and zeroes the rest. */
typedef struct qc_answer {
  uint32_t size;
  int32_t supported;       /* 1 yes, 0 no */
  uint32_t memory_formats; /* one or more, of activations and outputs; constants are
                              always handed over contiguous */
  int32_t may_alias;       /* output 0 may share memory with input 0 */
  char scheme[64];
  char reason[192]; /* why not, for a person */
} qc_answer;

typedef struct qc_plan qc_plan; /* the backend's own */

/* Written by plan. The caller sets size and zeroes the rest. */
typedef struct qc_plan_info {
  uint32_t size;
  uint32_t workspace_alignment; /* a power of two; 0: 64 */
  uint64_t workspace_bytes;
  char path[32];    /* code path that will run, never "" */
  char reason[192]; /* why plan failed */
} qc_plan_info;

/* A whole program for partition: values are numbered. */
typedef struct qc_program_operator {
  uint32_t size;
  int32_t index;
  const qc_descriptor *descriptor;
  const int32_t *input_values; /* -1: absent */
  const int32_t *output_values;
} qc_program_operator;

typedef struct qc_program {
  uint32_t size;
  int32_t operator_count;
  const qc_program_operator *const *operators;
} qc_program;

/* Called by partition once for each group that it claims. */
typedef void (*qc_claim)(void *sink, const int32_t *operators, int32_t count);

typedef struct qc_backend {
  uint32_t size;
  uint32_t abi_major;
  uint32_t abi_minor;
  const char *name;
  const char *version;
  /* The backend's own config as JSON text with the keys of torch's
   * BackendConfig.to_dict, or NULL. What it declares and then refuses fails;
   * what it does not declare is counted as skipped. */
  const char *config;
  void *context; /* handed back in every call */
  qc_status (*query)(void *context, const qc_descriptor *descriptor, qc_answer *answer);
  /* constants: one pointer per input, NULL where the input is no constant. */
  qc_status (*plan)(void *context, const qc_descriptor *descriptor,
                    const qc_tensor *const *constants, int32_t threads, qc_plan **plan,
                    qc_plan_info *info);
  /* inputs: as in the descriptor, with data; constants may be NULL here. */
  qc_status (*run)(qc_plan *plan, const qc_tensor *const *inputs,
                   qc_tensor *const *outputs, void *workspace);
  void (*destroy)(qc_plan *plan);
  qc_status (*partition)(void *context, const qc_program *program, qc_claim claim,
                         void *sink); /* may be NULL */
} qc_backend;

/* The one exported symbol. Returns NULL if it cannot speak that version. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const qc_backend *
qconform_backend(uint32_t major, uint32_t minor);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* QCONFORM_BACKEND_H */
