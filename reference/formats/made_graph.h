// Graph files that are kept without their tensors.
#ifndef QCONFORM_REFERENCE_FORMATS_MADE_GRAPH_H_
#define QCONFORM_REFERENCE_FORMATS_MADE_GRAPH_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

// All tensors of one file together may take so many bytes.
inline constexpr uint64_t kMaxMadeBytes = uint64_t{1} << 34;

using TensorMaker =
    std::function<Tensor(const std::string& name, DType dtype, const Shape& shape)>;

// A *.graph.json without the member "tensors": `make` gives the tensors that the file
// names. Throws InputError as ReadGraphFile does.
GraphModule ReadGraphFile(const std::filesystem::path& path, const TensorMaker& make);

// Whether a *.graph.json has tensors elsewhere and their file is not there: the one that
// it names, or the usual one beside it. Throws InputError if it is no graph file.
bool LacksTensors(const std::filesystem::path& path);

// The graph for its structure, without its tensor file: zeros stand for the tensors of
// that. Throws InputError as ReadGraphFile does.
GraphModule ReadGraphShapes(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_MADE_GRAPH_H_
