// The archive that torch.export.save writes.
#ifndef QCONFORM_REFERENCE_EXPORTED_PT2_FILE_H_
#define QCONFORM_REFERENCE_EXPORTED_PT2_FILE_H_

#include <filesystem>
#include <string>

#include "reference/exported/exported_program.h"
#include "reference/exported/mapped_file.h"
#include "reference/formats/made_graph.h"

namespace qconform {

// torch.export.load(path).module(): the same nodes with the same names, arguments and
// metadata, parameters and buffers by attribute path. Tensors stand in the mapped file
// where it holds them dense (mapped_file.h). No pickle is opened; sample inputs are not
// read. `make` gives the tensors of a program that was saved without weights.
// Throws InputError "file: where: what, expected ..." on anything else.
ExportedProgram ReadPt2File(const std::filesystem::path& path,
                            const TensorMaker& make = nullptr);
ExportedProgram ParsePt2(MappedBytes bytes, const std::string& name,
                         const TensorMaker& make = nullptr);

// Whether the program was saved without weights (under FakeTensorMode): reading it needs
// a `make`. Throws InputError if it is no such archive.
bool LacksWeights(const std::filesystem::path& path);

// Whether the name ends with ".pt2".
bool IsPt2File(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_PT2_FILE_H_
