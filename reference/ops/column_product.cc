#include "reference/ops/column_product.h"

#include <algorithm>
#include <cstring>

namespace qconform {
namespace {

// Four lanes of baseline x86-64 and of NEON; a language extension of g++ and clang++,
// so that no intrinsics of one machine stand here.
typedef float Lanes __attribute__((vector_size(16)));

constexpr int64_t kPanel = 8;         // columns of one kernel call: two vectors
constexpr int64_t kKernelRows = 4;    // 4 x 8 sums fill half of the 16 registers
constexpr int64_t kTileColumns = 64;  // columns that a task packs at once
constexpr int64_t kTileRows = 128;    // rows that a task computes

Lanes Load(const float* data) {
  Lanes lanes;
  std::memcpy(&lanes, data, sizeof(lanes));
  return lanes;
}

Lanes Broadcast(float value) { return Lanes{value, value, value, value}; }

// tile[r][c] (+)= sum over k of weight[r * depth + k] * packed[k * kPanel + c].
template <int kRows>
void Kernel(const float* weight, int64_t depth, const float* packed, int64_t count,
            float* tile, bool first) {
  Lanes low[kRows] = {};
  Lanes high[kRows] = {};
  for (int64_t k = 0; k < count; ++k) {
    const Lanes b0 = Load(packed + k * kPanel);
    const Lanes b1 = Load(packed + k * kPanel + 4);
    for (int r = 0; r < kRows; ++r) {
      const Lanes a = Broadcast(weight[r * depth + k]);
      low[r] += a * b0;
      high[r] += a * b1;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    float* row = tile + r * kTileColumns;
    if (!first) {
      low[r] = Load(row) + low[r];
      high[r] = Load(row + 4) + high[r];
    }
    std::memcpy(row, &low[r], sizeof(Lanes));
    std::memcpy(row + 4, &high[r], sizeof(Lanes));
  }
}

using KernelFunction = void (*)(const float*, int64_t, const float*, int64_t, float*,
                                bool);
constexpr KernelFunction kKernels[] = {nullptr, Kernel<1>, Kernel<2>, Kernel<3>,
                                       Kernel<4>};

// packed[k][c] for one panel; columns past the last repeat the last one.
void PackPanel(const float* source, const int64_t* columns, int64_t column_count,
               const int64_t* depth, int64_t depth_count, float* packed) {
  int64_t offset[kPanel];
  bool contiguous = true;
  for (int64_t c = 0; c < kPanel; ++c) {
    offset[c] = columns[std::min(c, column_count - 1)];
    contiguous = contiguous && offset[c] == offset[0] + c;
  }
  for (int64_t k = 0; k < depth_count; ++k) {
    const float* from = source + depth[k];
    float* to = packed + k * kPanel;
    if (contiguous) {
      std::memcpy(to, from + offset[0], kPanel * sizeof(float));
    } else {
      for (int64_t c = 0; c < kPanel; ++c) to[c] = from[offset[c]];
    }
  }
}

struct Task {
  int64_t group;
  int64_t row_begin;
  int64_t row_end;
  int64_t column_begin;
  int64_t column_end;
};

void RunTask(const ColumnProduct& product, const Task& task, float* packed, float* tile) {
  const int64_t columns = task.column_end - task.column_begin;
  const float* source = product.source + task.group * product.source_group;
  const float* weight = product.weight + task.group * product.rows * product.depth;
  for (int64_t begin = 0; begin < product.depth; begin += kDepthBlock) {
    const int64_t count = std::min(kDepthBlock, product.depth - begin);
    for (int64_t panel = 0; panel < columns; panel += kPanel) {
      PackPanel(source, &product.source_column[size_t(task.column_begin + panel)],
                columns - panel, &product.source_depth[size_t(begin)], count, packed);
      for (int64_t r = task.row_begin; r < task.row_end; r += kKernelRows) {
        const int64_t rows = std::min(kKernelRows, task.row_end - r);
        kKernels[rows](weight + r * product.depth + begin, product.depth, packed, count,
                       tile + (r - task.row_begin) * kTileColumns + panel, begin == 0);
      }
    }
  }
  for (int64_t r = task.row_begin; r < task.row_end; ++r) {
    float* out = product.out + task.group * product.out_group + r * product.out_row;
    const float* row = tile + (r - task.row_begin) * kTileColumns;
    const int64_t* to = &product.out_column[size_t(task.column_begin)];
    if (product.bias != nullptr) {
      const float bias = product.bias[task.group * product.rows + r];
      for (int64_t c = 0; c < columns; ++c) out[to[c]] = row[c] + bias;
    } else {
      for (int64_t c = 0; c < columns; ++c) out[to[c]] = row[c];
    }
  }
}

}  // namespace

void Multiply(const ColumnProduct& product) {
  const int64_t columns = static_cast<int64_t>(product.source_column.size());
  if (columns == 0 || product.rows == 0 || product.groups == 0) return;
  const int64_t column_tiles = (columns + kTileColumns - 1) / kTileColumns;
  const int64_t row_tiles = (product.rows + kTileRows - 1) / kTileRows;
  const int64_t tasks = product.groups * column_tiles * row_tiles;
#pragma omp parallel if (tasks > 1)
  {
    std::vector<float> packed(size_t(kPanel * std::min(kDepthBlock, product.depth)));
    // Zero, so that an empty sum is zero.
    std::vector<float> tile(size_t(kTileColumns * std::min(kTileRows, product.rows)));
#pragma omp for schedule(dynamic)
    for (int64_t t = 0; t < tasks; ++t) {
      Task task;
      task.group = t / (column_tiles * row_tiles);
      const int64_t rest = t % (column_tiles * row_tiles);
      task.column_begin = rest / row_tiles * kTileColumns;
      task.column_end = std::min(columns, task.column_begin + kTileColumns);
      task.row_begin = rest % row_tiles * kTileRows;
      task.row_end = std::min(product.rows, task.row_begin + kTileRows);
      RunTask(product, task, packed.data(), tile.data());
    }
  }
}

}  // namespace qconform
