// How convert turns observed custom modules into quantized ones.
#ifndef QCONFORM_REFERENCE_CONVERT_CUSTOM_CONVERSION_H_
#define QCONFORM_REFERENCE_CONVERT_CUSTOM_CONVERSION_H_

#include <functional>
#include <memory>

#include "reference/ir/module.h"
#include "reference/ir/name_table.h"
#include "reference/observe/observer.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Makes the quantized module of an observed custom one, as from_observed does. `output`
// is the observer of its output, nullptr if it is not statically quantized.
using CustomConversion =
    std::function<std::shared_ptr<Module>(const Module& observed, const QConfig& qconfig,
                                          const std::shared_ptr<Observer>& output)>;

// By observed class: what extensions added. ConvertOptions::custom_conversions comes
// before it.
NameTable<CustomConversion>& UserConversions();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_CUSTOM_CONVERSION_H_
