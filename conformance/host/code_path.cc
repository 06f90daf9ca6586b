#include "conformance/host/code_path.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <array>
#include <fstream>

namespace qconform {
namespace {

constexpr std::array<CodePath, 11> kPaths = {{{"scalar", "x86_64", ""},
                                              {"sse41", "x86_64", "sse4_1"},
                                              {"avx2", "x86_64", "avx2"},
                                              {"avxvnni", "x86_64", "avx_vnni"},
                                              {"avx512", "x86_64", "avx512f"},
                                              {"avx512vnni", "x86_64", "avx512_vnni"},
                                              {"avx512amx", "x86_64", "amx_int8"},
                                              {"scalar", "aarch64", ""},
                                              {"neon", "aarch64", "asimd"},
                                              {"dotprod", "aarch64", "asimddp"},
                                              {"i8mm", "aarch64", "i8mm"}}};

// As many as fit into a trace, even if each is made alone.
constexpr int64_t kProductsTraced = 512;
// Inputs and outputs beyond which no kernel is left to its tail's scalars.
constexpr int64_t kWhole = 16;

struct Machine {
  std::string architecture;
  std::string features;  // with a space on either side
};

const Machine& ThisMachine() {
  static const auto* const machine = [] {
    auto* read = new Machine;
    utsname name = {};
    uname(&name);
    read->architecture = name.machine;
#if defined(__aarch64__)
    // An emulator of one process shows its host's /proc/cpuinfo, but hwcaps of its own.
    read->features = " ";
    if ((getauxval(AT_HWCAP) & HWCAP_ASIMD) != 0) read->features += "asimd ";
    if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) read->features += "asimddp ";
    if ((getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0) read->features += "i8mm ";
    return read;
#endif
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string line;
    while (std::getline(cpuinfo, line)) {
      if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
      read->features = line.substr(line.find(':') + 1) + " ";
      break;
    }
    return read;
  }();
  return *machine;
}

// Of the architecture if it has one of that name, else of any other.
const CodePath* FindPath(std::string_view name) {
  const CodePath* found = nullptr;
  for (const CodePath& path : kPaths) {
    if (path.name != name) continue;
    if (found == nullptr || path.architecture == ThisMachine().architecture)
      found = &path;
  }
  return found;
}

int64_t Products(const OperatorCall& call) {
  int64_t count = NumElements(call.outputs[0].shape);
  const Shape& w = call.inputs[1]->shape;
  if (call.kind == QC_MATMUL) return count * call.inputs[0]->shape.back();
  return w.empty() || w[0] == 0 ? count : count * (NumElements(w) / w[0]);
}

bool HasProducts(const OperatorCall& call) {
  const bool kind = call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE ||
                    call.kind == QC_LINEAR || call.kind == QC_MATMUL;
  return kind && call.inputs.size() > 1 && call.inputs[1] && call.inputs[0] &&
         !call.inputs[0]->shape.empty() && !call.outputs.empty();
}

}  // namespace

std::span<const CodePath> CodePaths() { return kPaths; }

std::string PathObjection(std::string_view path, std::string_view forced) {
  const CodePath* claimed = FindPath(path);
  if (claimed == nullptr) return "";
  const Machine& machine = ThisMachine();
  const bool here = claimed->architecture == machine.architecture;
  if (!here ||
      (!claimed->feature.empty() &&
       machine.features.find(fmt::format(" {} ", claimed->feature)) == std::string::npos))
    return fmt::format("claims the path {}, which this machine cannot run", path);
  const CodePath* asked = forced.empty() ? nullptr : FindPath(forced);
  if (asked != nullptr && asked->architecture == machine.architecture && claimed > asked)
    return fmt::format("claims the path {} where QCONFORM_ISA asks for {}", path, forced);
  return "";
}

bool MustVectorize(const OperatorCall& call) {
  if (!HasProducts(call) || call.attributes.groups > 1) return false;
  const Shape& w = call.inputs[1]->shape;
  if (call.kind == QC_MATMUL || w.empty()) return false;
  return w[0] >= kWhole && NumElements(w) / w[0] >= kWhole && Products(call) > 0;
}

bool IsWorthATrace(std::string_view path, const OperatorCall& call) {
  return CanTraceInstructions() && path != "scalar" && FindPath(path) != nullptr &&
         HasProducts(call) && Products(call) > 0 && Products(call) <= kProductsTraced;
}

std::string TraceObjection(std::string_view path, const OperatorCall& call,
                           const InstructionTrace& trace) {
  const bool wide = path.starts_with("avx512");
  if (path == "sse41" && trace.vex + trace.evex > 0)
    return fmt::format("claims the path {} and ran {} instructions of AVX", path,
                       trace.vex + trace.evex);
  if (path.starts_with("avx") && !wide && trace.evex > 0)
    return fmt::format("claims the path {} and ran {} instructions of AVX-512", path,
                       trace.evex);
  const int64_t own = wide ? trace.evex : trace.vex + trace.evex;
  if (path.starts_with("avx") && MustVectorize(call) && trace.complete && own == 0)
    return fmt::format("claims the path {} and ran none of its instructions, of {}", path,
                       trace.instructions);
  return "";
}

}  // namespace qconform
