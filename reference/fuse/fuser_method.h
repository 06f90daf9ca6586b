// Functions that make one module out of several, registered by name.
#ifndef QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_
#define QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/ir/name_table.h"

namespace qconform {

// What a matched node stands for when a fuser is called: a module, the name of a
// function or method, nothing (an input of the pattern), or a tuple of these.
struct FuserArgument {
  std::shared_ptr<Module> module;
  std::string function;
  std::vector<FuserArgument> items;
  bool is_tuple = false;
};

struct FuserCall {
  bool is_qat = false;
  Mode mode = Mode::kTorch;
  std::vector<FuserArgument> arguments;
};

// Must not change the modules that it is given. Throws PipelineError to refuse.
using FuserFunction = std::function<std::shared_ptr<Module>(const FuserCall&)>;

// torch's own; an Extension adds a user's.
NameTable<FuserFunction>& FuserTable();

// torch's own names, registered names, and "_sequential_wrapper2(CLASS)" for any
// class. Throws InputError for an unknown name.
FuserFunction FindFuserMethod(const std::string& name);

// The module at a position of a call. Throws PipelineError("TypeError") if there is
// none.
std::shared_ptr<Module> ModuleArgument(const FuserCall& call, size_t index);

// A container of torch.ao.nn.intrinsic with children "0", "1", ... Throws
// PipelineError("AssertionError") when the classes are not the container's.
std::shared_ptr<Module> MakeFusedModule(const std::string& type,
                                        const std::vector<FuserArgument>& parts);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSER_METHOD_H_
