// What to do where torch's behaviour and its documentation differ.
#ifndef QCONFORM_REFERENCE_CONFIG_MODE_H_
#define QCONFORM_REFERENCE_CONFIG_MODE_H_

namespace qconform {

enum class Mode {
  kTorch,   // what torch does
  kStrict,  // what torch's documentation declares
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_MODE_H_
