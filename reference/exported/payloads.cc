#include "reference/exported/payloads.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "reference/exported/quoted_text.h"
#include "reference/exported/tensor_shape_json.h"
#include "reference/formats/json_value.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Strides of zero make much of little: so many bytes more than all members have.
constexpr uint64_t kMaxExpandedBytes = uint64_t{1} << 26;

// A tensor as the file lays it out; sizes in elements.
struct Layout {
  DType dtype = DType::kFloat32;
  Shape shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;

  bool IsDense() const {
    int64_t expected = 1;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (shape[axis] != 1 && strides[axis] != expected) return false;
      expected *= shape[axis];
    }
    return true;
  }
};

int64_t PlainSize(const ordered_json& value, std::string_view what,
                  const JsonOrigin& origin) {
  const Dimension dimension = DimensionFromJson(value, origin);
  if (!dimension.expression.empty() || dimension.value < 0) {
    throw InputError(origin.Of(value), std::string(what) + " is " + DescribeJson(value),
                     "a number from 0 on");
  }
  return dimension.value;
}

Layout LayoutFromJson(const ordered_json& meta, const JsonOrigin& origin) {
  Layout layout;
  const TensorMetadata metadata = TensorMetadataFromJson(meta, origin);
  layout.dtype = metadata.dtype;
  for (const Dimension& size : metadata.shape) {
    if (!size.expression.empty()) {
      throw InputError(origin.Of(meta), "a size is " + Quoted(size.expression),
                       "a number");
    }
    layout.shape.push_back(size.value);
  }
  const ordered_json& strides = RequireMember(meta, "strides", origin);
  for (const ordered_json& stride : RequireArray(strides, "'strides'", origin)) {
    layout.strides.push_back(PlainSize(stride, "a stride", origin));
  }
  if (layout.strides.size() != layout.shape.size()) {
    throw InputError(origin.Of(meta),
                     "there are " + std::to_string(layout.strides.size()) + " strides",
                     "one for each of the sizes " + ShapeText(layout.shape));
  }
  layout.offset = PlainSize(RequireMember(meta, "storage_offset", origin),
                            "the storage offset", origin);
  constexpr int64_t kStrided = 7;
  const ordered_json& kind = RequireMember(meta, "layout", origin);
  if (RequireInteger(kind, "'layout'", origin) != kStrided) {
    throw InputError(origin.Of(meta), "the layout is " + DescribeJson(kind),
                     "7, a strided tensor");
  }
  return layout;
}

// Bytes from the start of the storage to the end of the last element; nullopt if no
// machine holds so many.
std::optional<uint64_t> Extent(const Layout& layout) {
  if (NumElements(layout.shape) == 0) return 0;
  Shape reach{layout.offset};
  for (size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const Shape step{std::max<int64_t>(layout.shape[axis] - 1, 0), layout.strides[axis]};
    const std::optional<uint64_t> bytes = CheckedByteSize(step, DType::kUInt8);
    if (!bytes) return std::nullopt;
    reach.push_back(static_cast<int64_t>(*bytes));
  }
  uint64_t last = 0;  // each of at most 64 axes adds less than 2^48
  for (const int64_t step : reach) last += static_cast<uint64_t>(step);
  const Shape elements{static_cast<int64_t>(last) + 1};
  return CheckedByteSize(elements, layout.dtype);
}

// Copies element by element in row-major order; dense rows in one piece.
Tensor Gather(const Layout& layout, const std::byte* storage) {
  Tensor tensor = Tensor::Uninitialized(layout.dtype, layout.shape);
  const size_t item = ItemSize(layout.dtype);
  std::vector<int64_t> index(layout.shape.size(), 0);
  std::byte* target = tensor.bytes();
  int64_t source = layout.offset;
  for (int64_t i = 0; i < tensor.numel(); ++i, target += item) {
    std::memcpy(target, storage + static_cast<size_t>(source) * item, item);
    for (size_t axis = layout.shape.size(); axis-- > 0;) {
      source += layout.strides[axis];
      if (++index[axis] < layout.shape[axis]) break;
      source -= layout.strides[axis] * layout.shape[axis];
      index[axis] = 0;
    }
  }
  return tensor;
}

class Payloads {
 public:
  Payloads(Archive& archive, const std::string& config, const TensorMaker& make)
      : archive_(archive),
        config_(config),
        folder_(config.substr(0, config.rfind('/') + 1)),
        make_(make) {}

  OrderedMap<Tensor> Read() {
    const JsonFile file =
        JsonFile::Parse(archive_.Read(config_), archive_.Where(config_));
    const ordered_json& entries = RequireMember(file.root(), "config", file);
    OrderedMap<Tensor> tensors;
    for (const auto& [name, entry] :
         RequireObject(entries, "'config'", file).get_ref<const Members&>()) {
      tensors.Set(name, ReadOne(name, entry));
    }
    return tensors;
  }

 private:
  using Members = ordered_json::object_t;

  Tensor ReadOne(const std::string& name, const ordered_json& entry) {
    const JsonOrigin origin(archive_.Where(config_) + ": " + Quoted(name));
    RequireObject(entry, "a tensor's entry", origin);
    const bool pickled = RequireBoolean(RequireMember(entry, "use_pickle", origin),
                                        "'use_pickle'", origin);
    if (pickled) {
      throw InputError(origin.Of(entry), "it is pickled, and no pickle is opened",
                       "a plain tensor");
    }
    const std::string& path =
        RequireString(RequireMember(entry, "path_name", origin), "'path_name'", origin);
    const Layout layout =
        LayoutFromJson(RequireMember(entry, "tensor_meta", origin), origin);
    const std::string member = folder_ + path;
    if (!archive_.Has(member)) {
      throw InputError(origin.Of(entry), "there is no member " + Quoted(member),
                       "the tensor's bytes");
    }
    return ReadTensor(name, member, layout, origin.Of(entry));
  }

  Tensor ReadTensor(const std::string& name, const std::string& member,
                    const Layout& layout, const std::string& where) {
    const uint64_t size = archive_.SizeOf(member);
    const std::optional<uint64_t> dense_size =
        CheckedByteSize(layout.shape, layout.dtype);
    if (size == 0 && dense_size && *dense_size > 0) return Make(name, layout, where);
    const std::optional<uint64_t> extent = Extent(layout);
    if (!dense_size || !extent || *extent > size) {
      throw InputError(where,
                       "sizes " + ShapeText(layout.shape) +
                           ", strides and offset leave " + Quoted(member),
                       "at most its " + std::to_string(size) + " bytes");
    }
    if (*dense_size == 0) return Tensor(layout.dtype, layout.shape);
    const MappedBytes& bytes = BytesOf(member);
    const size_t item = ItemSize(layout.dtype);
    if (layout.IsDense()) {
      std::byte* start = bytes.storage.get() + static_cast<size_t>(layout.offset) * item;
      return Tensor::OverStorage(layout.dtype, layout.shape,
                                 std::shared_ptr<std::byte[]>(bytes.storage, start));
    }
    return Gathered(member, layout, bytes, where);
  }

  // One tensor for all who name this part of the member.
  Tensor Gathered(const std::string& member, const Layout& layout,
                  const MappedBytes& bytes, const std::string& where) {
    const std::string key = member + ' ' + std::string(DTypeName(layout.dtype)) +
                            ShapeText(layout.shape) + ShapeText(layout.strides) +
                            std::to_string(layout.offset);
    const auto found = gathered_.find(key);
    if (found != gathered_.end()) return found->second;
    const uint64_t size = *CheckedByteSize(layout.shape, layout.dtype);
    if (size > bytes.size) Count(size - bytes.size, kMaxExpandedBytes, expanded_, where);
    Count(size, kMaxMadeBytes, made_, where);
    return gathered_.emplace(key, Gather(layout, bytes.storage.get())).first->second;
  }

  Tensor Make(const std::string& name, const Layout& layout, const std::string& where) {
    if (!make_) {
      throw InputError(where, "its member has no bytes: the program is without weights",
                       "bytes for the shape " + ShapeText(layout.shape));
    }
    Count(*CheckedByteSize(layout.shape, layout.dtype), kMaxMadeBytes, made_, where);
    return make_(name, layout.dtype, layout.shape);
  }

  static void Count(uint64_t size, uint64_t most, uint64_t& total,
                    const std::string& where) {
    if (size > most - total) {
      throw InputError(
          where, "the tensor has " + std::to_string(size) + " bytes beside its member",
          "at most " + std::to_string(most) + " in all");
    }
    total += size;
  }

  const MappedBytes& BytesOf(const std::string& member) {
    const auto found = members_.find(member);
    if (found != members_.end()) return found->second;
    return members_.emplace(member, archive_.Map(member)).first->second;
  }

  Archive& archive_;
  const std::string& config_;
  const std::string folder_;
  const TensorMaker& make_;
  std::unordered_map<std::string, MappedBytes> members_;
  std::unordered_map<std::string, Tensor> gathered_;
  uint64_t made_ = 0;
  uint64_t expanded_ = 0;
};

}  // namespace

OrderedMap<Tensor> ReadPayloads(Archive& archive, const std::string& config,
                                const TensorMaker& make) {
  return Payloads(archive, config, make).Read();
}

}  // namespace qconform
