// Functions that make one module out of several, registered by name.
#ifndef QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_
#define QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/ir/module.h"

namespace qconform {

// What a matched node stands for when a fuser is called: a module, the name of a
// function or method, nothing (an input), or a tuple of these.
struct FuserArgument {
  std::shared_ptr<Module> module;
  std::string function;
  std::vector<FuserArgument> items;
  bool is_tuple = false;
};

using FuserFunction = std::function<std::shared_ptr<Module>(
    bool is_qat, const std::vector<FuserArgument>& arguments)>;

// An existing name is replaced.
void RegisterFuserMethod(const std::string& name, FuserFunction fuser);

// torch's own names, registered names, and "_sequential_wrapper2(CLASS)" for any
// class. Throws InputError for an unknown name.
FuserFunction FindFuserMethod(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_
