#include "reference/formats/sha256.h"
#include "reference/golden/golden.h"

namespace qconform {

void AddFileDigest(GoldenSource& source, const std::string& role,
                   const std::filesystem::path& file) {
  source.digests.Set(role, Sha256HexOfFile(file));
}

void AddTextDigest(GoldenSource& source, const std::string& role,
                   const std::string& text) {
  source.digests.Set(role, Sha256Hex(text));
}

void AddTensorDigest(GoldenSource& source, const std::string& role,
                     const std::vector<Tensor>& tensors) {
  std::string bytes;
  for (const Tensor& tensor : tensors) {
    bytes += std::string(DTypeName(tensor.dtype())) + ShapeText(tensor.shape()) + "\n";
    bytes.append(reinterpret_cast<const char*>(tensor.bytes()), tensor.byte_size());
  }
  source.digests.Set(role, Sha256Hex(bytes));
}

}  // namespace qconform
