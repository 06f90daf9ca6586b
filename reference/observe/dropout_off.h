// Dropout and stochastic depth, which are random in training.
#ifndef QCONFORM_REFERENCE_OBSERVE_DROPOUT_OFF_H_
#define QCONFORM_REFERENCE_OBSERVE_DROPOUT_OFF_H_

#include "reference/ir/module.h"

namespace qconform {

// Switches them off, so that a graph in training does the same every time: modules go to
// evaluation mode, among them recurrent ones, which in training only drop; functions get
// training=False.
void SwitchDropoutOff(GraphModule& module);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_DROPOUT_OFF_H_
