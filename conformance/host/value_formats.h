// In which memory format each value of a program lies, so that none is turned between
// two operators.
#ifndef QCONFORM_CONFORMANCE_HOST_VALUE_FORMATS_H_
#define QCONFORM_CONFORMANCE_HOST_VALUE_FORMATS_H_

#include <cstdint>
#include <vector>

#include "conformance/host/memory_format.h"
#include "reference/lower/program.h"

namespace qconform {

// `accepted`: a step each, the bits of qc_answer.memory_formats; steps that the reference
// runs take QC_ANY_STRIDE. Images (what convolution, pooling and their like read and
// write) lie with their channels last if every step that touches them takes that, and so
// does what is added to them or concatenated with them; all else is contiguous, inputs,
// outputs and constants of the program too, and codes of an input that only convolutions
// read. Throws InputError that names the step which
// takes none of the formats that it would get.
std::vector<MemoryFormat> ChooseValueFormats(const Program& program,
                                             const std::vector<uint32_t>& accepted);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_VALUE_FORMATS_H_
