#include "kernels/conv/packed_input.h"

#include <algorithm>
#include <type_traits>

#include "kernels/layout/real_codes.h"

namespace qconform::kernels {
namespace {

// A kernel may read this many elements past the last one: the rest of an instruction's
// group, which meets weights of zero, and of what conv/schedule_arm.h stages.
constexpr int64_t kReadAhead = 16;

std::vector<PackedRun> RunsOf(const std::vector<int64_t>& source) {
  std::vector<PackedRun> runs;
  for (size_t p = 0; p < source.size(); ++p) {
    const auto at = static_cast<int64_t>(p);
    PackedRun* const last = runs.empty() ? nullptr : &runs.back();
    const bool joins = last != nullptr && (last->input < 0) == (source[p] < 0);
    if (joins && last->input < 0) {
      ++last->count;
    } else if (joins && (last->count == 1 ||
                         source[p] == last->input + last->count * last->step)) {
      last->step = last->count == 1 ? source[p] - last->input : last->step;
      ++last->count;
    } else {
      runs.push_back({at, 1, source[p], 0});
    }
  }
  return runs;
}

// The channels of `count` pixels, side by side.
template <typename T, typename Map>
void PackDense(const PackedInput& packed, const uint8_t* source,
               const ImageStride& stride, int64_t pixel_stride, const Map& map,
               int64_t count, T* destination) {
  const int64_t channels = packed.channels;
  if (stride.channel == 1 && pixel_stride == channels) {
    CopyCodes(source, 1, count * channels, map, destination, 1);
  } else if (stride.channel == 1) {
    for (int64_t p = 0; p < count; ++p) {
      CopyCodes(source + p * pixel_stride, 1, channels, map, destination + p * channels,
                1);
    }
  } else {
    for (int64_t c = 0; c < channels; ++c) {
      CopyCodes(source + c * stride.channel, pixel_stride, count, map, destination + c,
                channels);
    }
  }
}

// Packed positions of x from the row of input at `row`, each beside its neighbour one tap
// to the right.
void PackPairs(const PackedInput& packed, const uint8_t* row, const ImageStride& stride,
               CodeMap map, int16_t* destination) {
  const int64_t extent = packed.extent, channels = packed.channels;
  const auto codes_at = [&](int64_t p) {
    const int64_t input = p < extent ? packed.source[2][static_cast<size_t>(p)] : -1;
    return input < 0 ? nullptr : row + input * stride.width;
  };
  // Pixels side by side in both places are one long run, as far as their neighbours are.
  const bool joined = stride.channel == 1 && stride.width == channels &&
                      packed.repeat == 1 && packed.pixel_elements == 2 * channels;
  const uint8_t* const zeros = packed.zero_codes.data();
  for (const PackedRun& run : packed.runs) {
    int64_t p = run.first;
    const int64_t end = run.first + run.count;
    if (joined && run.input >= 0 && run.step == 1 && run.count > packed.pair_distance) {
      const int64_t count = run.count - packed.pair_distance;
      const uint8_t* const left = row + run.input * channels;
      CopyCodePairs(left, 1, left + packed.pair_distance * channels, 1, count * channels,
                    map, destination + p * packed.pixel_elements, 2);
      p += count;
    }
    for (; p < end; ++p) {
      const uint8_t* const left = codes_at(p);
      const uint8_t* const right = codes_at(p + packed.pair_distance);
      int16_t* const to = destination + p * packed.pixel_elements;
      for (int64_t i = 0; i < packed.repeat; ++i) {
        CopyCodePairs(
            left == nullptr ? zeros : left, left == nullptr ? 1 : stride.channel,
            right == nullptr ? zeros : right, right == nullptr ? 1 : stride.channel,
            channels, map, to + 2 * i, 2 * packed.repeat);
      }
      std::fill(to + 2 * channels * packed.repeat, to + packed.pixel_elements,
                int16_t{0});
    }
  }
}

}  // namespace

PackedInput LayOutInput(const ConvGeometry& g, int lanes, int32_t zero_point) {
  PackedInput packed;
  packed.batch = g.batch;
  packed.channels = g.Inputs();
  packed.source = {g.axes[0].source, g.axes[1].source, g.axes[2].source};
  packed.runs = RunsOf(g.axes[2].source);
  packed.extent = g.axes[2].Extent();
  packed.pixel_elements = packed.channels;
  if (g.Depthwise() && lanes > 0) {
    packed.repeat = g.group_outputs;
    packed.pair_distance = g.axes[2].tap_distance;
    packed.zero_codes.assign(static_cast<size_t>(packed.channels),
                             static_cast<uint8_t>(zero_point));
    packed.pixel_elements = 2 * ((g.Outputs() + lanes - 1) / lanes * lanes);
  }
  packed.elements = packed.Rows() * packed.RowElements() + kReadAhead;
  return packed;
}

std::vector<ConvPhase> LayOutPhases(const ConvGeometry& g, const PackedInput& packed) {
  const Axis &z = g.axes[0], &y = g.axes[1], &x = g.axes[2];
  const int64_t row_elements = packed.RowElements();
  const auto lay_out = [&](ConvPhase& phase) {
    const std::vector<Tap>& taps = phase.of[2]->taps;
    const auto taps_x = static_cast<int64_t>(taps.size());
    int64_t step = 1;
    if (packed.pair_distance > 0) {
      phase.run = step = 2;
    } else {
      phase.row_is_run = g.groups == 1 && (taps_x == 1 || x.tap_distance == 1);
      if (phase.row_is_run) step = std::max<int64_t>(taps_x, 1);
      phase.run = phase.row_is_run ? step * packed.channels : g.group_inputs;
    }
    for (const Tap& tap_z : phase.of[0]->taps)
      for (const Tap& tap_y : phase.of[1]->taps)
        for (int64_t tap = 0; tap < taps_x; tap += step)
          phase.tap_offset.push_back(static_cast<int32_t>(
              (tap_z.place * y.Extent() + tap_y.place) * row_elements +
              taps[static_cast<size_t>(tap)].place * packed.pixel_elements));
    const auto pixels = static_cast<size_t>(phase.Rows(g.batch) * phase.of[2]->count);
    phase.pixel_offset.reserve(pixels);
    for (int64_t n = 0; n < g.batch; ++n)
      for (int64_t at_z = 0; at_z < phase.of[0]->count; ++at_z)
        for (int64_t at_y = 0; at_y < phase.of[1]->count; ++at_y) {
          const int64_t row = (n * z.Extent() + at_z * z.output_stride) * y.Extent() +
                              at_y * y.output_stride;
          for (int64_t at_x = 0; at_x < phase.of[2]->count; ++at_x)
            phase.pixel_offset.push_back(static_cast<int32_t>(
                row * row_elements + at_x * x.output_stride * packed.pixel_elements));
        }
  };
  std::vector<ConvPhase> phases;
  for (const AxisPhase& of_z : z.phases)
    for (const AxisPhase& of_y : y.phases)
      for (const AxisPhase& of_x : x.phases) {
        ConvPhase& phase = phases.emplace_back();
        phase.of = {&of_z, &of_y, &of_x};
        lay_out(phase);
      }
  return phases;
}

template <typename T, typename Map>
void PackRow(const PackedInput& packed, const uint8_t* data, const ImageStride& stride,
             const Map& map, int64_t row, T* destination) {
  const T zero = ZeroCode(map, destination);
  T* const begin = destination + row * packed.RowElements();
  T* const end = begin + packed.RowElements();
  const auto height = static_cast<int64_t>(packed.source[1].size());
  const auto depth = static_cast<int64_t>(packed.source[0].size());
  const int64_t y = packed.source[1][static_cast<size_t>(row % height)];
  const int64_t z = packed.source[0][static_cast<size_t>(row / height % depth)];
  if (y < 0 || z < 0) {
    std::fill(begin, end, zero);
    return;
  }
  const uint8_t* const source =
      data + row / height / depth * stride.batch + z * stride.depth + y * stride.height;
  if (packed.pair_distance == 0) {
    for (const PackedRun& run : packed.runs) {
      T* const to = begin + run.first * packed.pixel_elements;
      if (run.input < 0) {
        std::fill(to, to + run.count * packed.pixel_elements, zero);
      } else {
        PackDense(packed, source + run.input * stride.width, stride,
                  run.step * stride.width, map, run.count, to);
      }
    }
    return;
  }
  if constexpr (std::is_same_v<T, int16_t>) PackPairs(packed, source, stride, map, begin);
}

template void PackRow<int16_t, CodeMap>(const PackedInput&, const uint8_t*,
                                        const ImageStride&, const CodeMap&, int64_t,
                                        int16_t*);
template void PackRow<uint8_t, CodeMap>(const PackedInput&, const uint8_t*,
                                        const ImageStride&, const CodeMap&, int64_t,
                                        uint8_t*);
template void PackRow<int8_t, CodeMap>(const PackedInput&, const uint8_t*,
                                       const ImageStride&, const CodeMap&, int64_t,
                                       int8_t*);
template void PackRow<float, RealCodeMap>(const PackedInput&, const uint8_t*,
                                          const ImageStride&, const RealCodeMap&, int64_t,
                                          float*);

}  // namespace qconform::kernels
