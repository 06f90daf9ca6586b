#include "reference/ops/linear.h"

#include <optional>

#include "reference/ops/binary.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/column_product.h"
#include "reference/ops/elements.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

void CheckFloat(const Tensor& tensor, const Call& call) {
  if (ArithmeticTypeOf(tensor.dtype()) != ArithmeticType::kFloat) {
    call.Fail("operand is " + ValueText(tensor), "float32, float16 or bfloat16");
  }
}

std::vector<int64_t> Steps(int64_t count, int64_t step) {
  std::vector<int64_t> offsets(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) offsets[static_cast<size_t>(i)] = i * step;
  return offsets;
}

}  // namespace

Tensor Linear(const Tensor& input, const Tensor& weight, const Tensor* bias,
              const Call& call) {
  for (const Tensor* tensor : {&input, &weight, bias}) {
    if (tensor != nullptr) CheckFloat(*tensor, call);
  }
  const bool vector = weight.rank() == 1;
  if (input.rank() == 0 || (weight.rank() != 2 && !vector) ||
      input.shape().back() != weight.shape().back() ||
      (bias != nullptr && bias->numel() != (vector ? 1 : weight.dim(0)))) {
    call.Fail("input " + ShapeText(input.shape()) + ", weight " +
                  ShapeText(weight.shape()) + ", bias " +
                  (bias == nullptr ? "None" : ShapeText(bias->shape())),
              "input [..., in], weight [out, in], bias [out]");
  }
  Shape shape = input.shape();
  ColumnProduct product;
  product.depth = shape.back();
  product.rows = vector ? 1 : weight.dim(0);
  shape.pop_back();
  const int64_t columns = NumElements(shape);
  if (!vector) shape.push_back(product.rows);
  const ElementReader<float> weight_reader(weight);
  const ElementReader<float> input_reader(input);
  std::optional<ElementReader<float>> bias_reader;
  product.weight = weight_reader.data();
  product.source = input_reader.data();
  if (bias != nullptr) product.bias = bias_reader.emplace(*bias).data();
  product.source_column = Steps(columns, product.depth);
  product.source_depth = Steps(product.depth, 1);
  product.out_column = Steps(columns, product.rows);
  product.out_row = 1;
  return MakeTensor<float>(input.dtype(), shape, [&](float* out) {
    product.out = out;
    Multiply(product);
  });
}

Tensor MatrixProduct(const Tensor& a, const Tensor& b, const Call& call) {
  CheckFloat(a, call);
  CheckFloat(b, call);
  if (a.rank() == 0 || b.rank() == 0) call.Fail("an operand without axes");
  // Vectors count as one row (left) or one column (right); that axis goes again.
  Shape left = a.shape();
  Shape right = b.shape();
  if (left.size() == 1) left.insert(left.begin(), 1);
  if (right.size() == 1) right.push_back(1);
  const int64_t rows = left[left.size() - 2];
  const int64_t depth = left.back();
  const int64_t columns = right.back();
  if (right[right.size() - 2] != depth) {
    call.Fail("shapes " + ShapeText(a.shape()) + " and " + ShapeText(b.shape()),
              "equal inner sizes");
  }
  const Shape left_batch(left.begin(), left.end() - 2);
  const Shape right_batch(right.begin(), right.end() - 2);
  const Shape batch = BroadcastShapes(left_batch, right_batch, call.where());
  Shape shape = batch;
  if (a.rank() > 1) shape.push_back(rows);
  if (b.rank() > 1) shape.push_back(columns);

  const ElementReader<float> a_reader(a);
  const ElementReader<float> b_reader(b);
  Shape batch_row = batch;
  batch_row.push_back(1);
  std::vector<int64_t> a_strides = BroadcastStrides(left_batch, batch);
  std::vector<int64_t> b_strides = BroadcastStrides(right_batch, batch);
  ColumnProduct product;
  product.rows = rows;
  product.depth = depth;
  product.source_column = Steps(columns, 1);
  product.source_depth = Steps(depth, columns);
  product.out_column = Steps(columns, 1);
  product.out_row = columns;
  return MakeTensor<float>(a.dtype(), shape, [&](float* out) {
    const int64_t batches = NumElements(batch);
    for (int64_t i = 0; i < batches; ++i) {
      int64_t rest = i;
      int64_t a_batch = 0;
      int64_t b_batch = 0;
      for (size_t axis = batch.size(); axis-- > 0;) {
        a_batch += rest % batch[axis] * a_strides[axis];
        b_batch += rest % batch[axis] * b_strides[axis];
        rest /= batch[axis];
      }
      product.weight = a_reader.data() + a_batch * rows * depth;
      product.source = b_reader.data() + b_batch * depth * columns;
      product.out = out + i * rows * columns;
      Multiply(product);
    }
  });
}

namespace {

Value LinearFunction(const Call& call) {
  return Linear(call.TensorAt(0, "input"), call.TensorAt(1, "weight"),
                call.OptionalTensor(2, "bias"), call);
}

Value MatmulFunction(const Call& call) {
  return MatrixProduct(call.TensorAt(0, "input"), call.TensorAt(1, "other"), call);
}

// beta * input + alpha * (mat1 @ mat2)
Value AddMatmul(const Call& call) {
  const double beta = call.Real(3, "beta", 1.0);
  const double alpha = call.Real(4, "alpha", 1.0);
  const Tensor product =
      MatrixProduct(call.TensorAt(1, "mat1"), call.TensorAt(2, "mat2"), call);
  return Binary(call, call.TensorAt(0, "input"), product, [&](auto x, auto y) {
    using T = decltype(x);
    if (beta == 1.0 && alpha == 1.0) return static_cast<T>(y + x);
    return static_cast<T>(static_cast<T>(beta) * x + static_cast<T>(alpha) * y);
  });
}

}  // namespace

void AddLinear(Registry& registry) {
  AddNnFunction(registry, "linear", LinearFunction);
  for (const char* type :
       {"torch.nn.Linear", "torch.nn.modules.linear.NonDynamicallyQuantizableLinear"}) {
    AddModuleAsFunction(registry, type, LinearFunction, {"weight", "bias"});
  }
  AddTensorFunction(registry, "matmul", MatmulFunction);
  AddTensorFunction(registry, "mm", MatmulFunction);
  AddTensorFunction(registry, "bmm", MatmulFunction);
  registry.AddFunction("operator.matmul", MatmulFunction);
  AddTensorFunction(registry, "addmm", AddMatmul);
}

}  // namespace qconform
