#include "reference/formats/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "reference/formats/json_value.h"
#include "reference/formats/tensor_size.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr size_t kLengthBytes = 8;
// The reference implementation refuses larger headers.
constexpr uint64_t kMaxHeader = 100'000'000;

struct NamedDType {
  std::string_view name;
  DType dtype;
};
constexpr std::array<NamedDType, 13> kDTypes = {{
    {"F64", DType::kFloat64},
    {"F32", DType::kFloat32},
    {"F16", DType::kFloat16},
    {"BF16", DType::kBFloat16},
    {"I64", DType::kInt64},
    {"I32", DType::kInt32},
    {"I16", DType::kInt16},
    {"I8", DType::kInt8},
    {"U16", DType::kUInt16},
    {"U8", DType::kUInt8},
    {"BOOL", DType::kBool},
    {"F8_E5M2", DType::kFloat8E5M2},
    {"F8_E4M3", DType::kFloat8E4M3FN},
}};

struct Entry {
  std::string name;
  DType dtype = DType::kFloat32;
  Shape shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  OrderedMap<Tensor> Parse() {
    const std::string_view header = Header();
    // The header is one line as a rule, so its line says nothing: positions are bytes.
    const JsonFile file = JsonFile::Parse(header, name_ + ":header");
    std::vector<Entry> entries = ReadEntries(file);
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    CheckLayout(entries);
    OrderedMap<Tensor> tensors;
    for (const Entry& entry : entries) tensors.Set(entry.name, Load(entry));
    return tensors;
  }

 private:
  [[noreturn]] void Refuse(uint64_t offset, const std::string& what,
                           const std::string& expected) const {
    throw InputError(name_ + ":byte " + std::to_string(offset), what, expected);
  }
  [[noreturn]] void Refuse(const Entry& entry, const std::string& what,
                           const std::string& expected) const {
    Refuse(data_ + entry.begin, "tensor '" + entry.name + "' " + what, expected);
  }

  std::string_view Header() {
    if (bytes_.size() < kLengthBytes) {
      Refuse(0, "the file has " + std::to_string(bytes_.size()) + " bytes",
             "8 bytes of header length");
    }
    uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), kLengthBytes);
    const uint64_t rest = bytes_.size() - kLengthBytes;
    if (length > rest || length > kMaxHeader) {
      Refuse(0, "the header length is " + std::to_string(length),
             "at most the " + std::to_string(std::min(rest, kMaxHeader)) +
                 " bytes that follow");
    }
    data_ = kLengthBytes + length;
    const std::string_view header = bytes_.substr(kLengthBytes, length);
    if (!header.starts_with('{')) {
      Refuse(kLengthBytes, "the header is no JSON object", "'{'");
    }
    return header;
  }

  std::vector<Entry> ReadEntries(const JsonFile& file) const {
    std::vector<Entry> entries;
    for (const auto& item : file.root().get_ref<const ordered_json::object_t&>()) {
      if (item.first == "__metadata__") {
        CheckMetadata(item.second, file);
      } else {
        entries.push_back(ReadEntry(item.first, item.second, file));
      }
    }
    return entries;
  }

  static void CheckMetadata(const ordered_json& value, const JsonFile& file) {
    RequireObject(value, "__metadata__", file);
    for (const ordered_json& text : value) {
      RequireString(text, "a value of __metadata__", file);
    }
  }

  Entry ReadEntry(const std::string& name, const ordered_json& value,
                  const JsonFile& file) const {
    const std::string what = "tensor '" + name + "'";
    const JsonOrigin origin(file.name() + ": " + what);
    RequireObject(value, what, origin);
    RequireOnlyKeys(value, what, {"dtype", "shape", "data_offsets"}, origin);
    Entry entry;
    entry.name = name;
    const std::string& dtype =
        RequireString(RequireMember(value, "dtype", origin), "'dtype'", origin);
    const auto found = std::find_if(kDTypes.begin(), kDTypes.end(),
                                    [&](const auto& d) { return d.name == dtype; });
    if (found == kDTypes.end()) {
      throw InputError(origin.Of(value), "the dtype is '" + dtype + "'",
                       "F64, F32, F16, BF16, I64, I32, I16, I8, U16, U8, BOOL, F8_E5M2 "
                       "or F8_E4M3");
    }
    entry.dtype = found->dtype;
    const ordered_json& shape = RequireMember(value, "shape", origin);
    for (const ordered_json& size : RequireArray(shape, "'shape'", origin)) {
      entry.shape.push_back(RequireInteger(size, "a size", origin));
    }
    const ordered_json& offsets = RequireArray(
        RequireMember(value, "data_offsets", origin), "'data_offsets'", origin);
    if (offsets.size() != 2) {
      throw InputError(origin.Of(value),
                       "there are " + std::to_string(offsets.size()) + " data_offsets",
                       "2: begin and end");
    }
    const int64_t begin = RequireInteger(offsets[0], "begin", origin);
    const int64_t end = RequireInteger(offsets[1], "end", origin);
    if (begin < 0 || end < begin) {
      throw InputError(
          origin.Of(value),
          "data_offsets are " + std::to_string(begin) + " and " + std::to_string(end),
          "0 <= begin <= end");
    }
    entry.begin = static_cast<uint64_t>(begin);
    entry.end = static_cast<uint64_t>(end);
    return entry;
  }

  void CheckLayout(const std::vector<Entry>& entries) const {
    const uint64_t available = bytes_.size() - data_;
    uint64_t position = 0;
    for (const Entry& entry : entries) {
      const std::optional<uint64_t> size = CheckedByteSize(entry.shape, entry.dtype);
      if (!size) {
        Refuse(entry, "has the absurd shape " + ShapeText(entry.shape),
               "sizes that memory can hold");
      }
      if (*size != entry.end - entry.begin) {
        Refuse(entry, "spans " + std::to_string(entry.end - entry.begin) + " bytes",
               std::to_string(*size) + " for " + std::string(DTypeName(entry.dtype)) +
                   " " + ShapeText(entry.shape));
      }
      if (entry.begin < position) {
        Refuse(entry, "overlaps the tensor before it",
               "a begin of " + std::to_string(position));
      }
      if (entry.begin > position) {
        Refuse(entry, "leaves a gap before it",
               "a begin of " + std::to_string(position) + ", not " +
                   std::to_string(entry.begin));
      }
      if (entry.end > available) {
        Refuse(entry, "ends at " + std::to_string(entry.end) + " and the file is cut off",
               "at most " + std::to_string(available) + " bytes of data");
      }
      position = entry.end;
    }
    if (position != available) {
      Refuse(data_ + position,
             std::to_string(available - position) + " bytes belong to no tensor",
             "the end of the file");
    }
  }

  Tensor Load(const Entry& entry) const {
    Tensor tensor(entry.dtype, entry.shape);
    if (tensor.byte_size() > 0) {
      std::memcpy(tensor.bytes(), bytes_.data() + data_ + entry.begin,
                  tensor.byte_size());
    }
    if (entry.dtype == DType::kBool) {
      for (int64_t i = 0; i < tensor.numel(); ++i) {
        if (tensor.data<uint8_t>()[i] > 1) {
          Refuse(entry, "has a bool of " + std::to_string(tensor.data<uint8_t>()[i]),
                 "0 or 1");
        }
      }
    }
    return tensor;
  }

  std::string_view bytes_;
  const std::string& name_;
  uint64_t data_ = 0;  // where the tensors begin in the file
};

std::string_view SafetensorsDType(DType dtype, const std::string& name) {
  if (name == "__metadata__") {
    throw InputError("tensor '__metadata__'", "the format keeps this name for itself",
                     "another name");
  }
  for (const NamedDType& known : kDTypes) {
    if (known.dtype == dtype) return known.name;
  }
  throw InputError("tensor '" + name + "'",
                   "safetensors has no dtype " + std::string(DTypeName(dtype)),
                   "its codes as a plain dtype");
}

}  // namespace

OrderedMap<Tensor> ParseSafetensors(std::string_view bytes, const std::string& name) {
  return Parser(bytes, name).Parse();
}

OrderedMap<Tensor> ReadSafetensors(const std::filesystem::path& path) {
  return ParseSafetensors(ReadFileBytes(path), path.string());
}

std::string SafetensorsBytes(const OrderedMap<Tensor>& tensors) {
  std::vector<const OrderedMap<Tensor>::Entry*> entries;
  for (const auto& entry : tensors) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    const size_t size_a = ItemSize(a->second.dtype());
    const size_t size_b = ItemSize(b->second.dtype());
    return size_a != size_b ? size_a > size_b : a->first < b->first;
  });
  ordered_json header = ordered_json::object();
  uint64_t position = 0;
  for (const auto* entry : entries) {
    const Tensor& tensor = entry->second;
    ordered_json item;
    item["dtype"] = SafetensorsDType(tensor.dtype(), entry->first);
    item["shape"] = tensor.shape();
    item["data_offsets"] = {position, position + tensor.byte_size()};
    position += tensor.byte_size();
    AppendMember(header, entry->first, std::move(item));
  }
  std::string text =
      header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  const uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + position);
  bytes += text;
  for (const auto* entry : entries) {
    const Tensor& tensor = entry->second;
    bytes.append(reinterpret_cast<const char*>(tensor.bytes()), tensor.byte_size());
  }
  return bytes;
}

void WriteSafetensors(const std::filesystem::path& path,
                      const OrderedMap<Tensor>& tensors) {
  WriteFileAtomically(path, SafetensorsBytes(tensors));
}

}  // namespace qconform
