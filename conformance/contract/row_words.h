// The words of a config that case ids are made of.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_ROW_WORDS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_ROW_WORDS_H_

#include <string>

#include "reference/config/backend_config.h"

namespace qconform {

// A pattern as the call that it matches, last operation outside, in torch's usual
// abbreviations: "nn.ReLU(nn.Conv2d)", "torch.add(nn.Conv2d,any)". Holds none of
// `: - * ? /`, nor spaces.
std::string PatternWords(const Pattern& reversed_nested);

// "quint8.quint8.qint8.float32", with "dynamic"; what is not there is "any". Input,
// output, weight, bias.
std::string DTypeWords(const DTypeConfig& config);

// The text without characters that ids may not hold.
std::string IdWord(const std::string& text);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_ROW_WORDS_H_
