// The keyword averaging_constant of the moving-average observers.
#ifndef QCONFORM_REFERENCE_OBSERVE_AVERAGING_CONSTANT_H_
#define QCONFORM_REFERENCE_OBSERVE_AVERAGING_CONSTANT_H_

#include <cmath>

#include "reference/observe/observer_arguments.h"

namespace qconform {

inline double TakeAveragingConstant(ObserverArguments& arguments) {
  return arguments.TakeReal("averaging_constant").value_or(0.01);
}

// average + constant * (batch - average), each step rounded to float32.
inline float MovingAverage(float average, float batch, double constant) {
  return average + static_cast<float>(constant) * (batch - average);
}

// The batch itself while the average is infinite.
inline float MovingAverageOrFirst(float average, float batch, double constant) {
  return std::isinf(average) ? batch : MovingAverage(average, batch, constant);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_AVERAGING_CONSTANT_H_
