#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "conformance/verdict/session.h"

namespace qconform {
namespace {

// The instruction sets that decide which kernels run.
constexpr const char* kFeatures[] = {"sse4_1",      "avx2",     "avx512f",
                                     "avx512_vnni", "avx_vnni", "amx_int8",
                                     "asimd",       "asimddp",  "i8mm"};

std::string ValueBehindColon(const std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos || colon + 2 > line.size()) return "";
  return line.substr(colon + 2);
}

}  // namespace

std::map<std::string, std::string> MachineFacts() {
  std::map<std::string, std::string> facts;
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpuinfo, line)) {
    if (line.starts_with("model name") && !facts.contains("cpu"))
      facts["cpu"] = ValueBehindColon(line);
    if ((line.starts_with("flags") || line.starts_with("Features")) &&
        !facts.contains("features")) {
      const std::string flags = " " + ValueBehindColon(line) + " ";
      std::string found;
      for (const char* feature : kFeatures)
        if (flags.find(" " + std::string(feature) + " ") != std::string::npos)
          found += (found.empty() ? "" : " ") + std::string(feature);
      facts["features"] = found;
    }
  }
  facts["cores"] = std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
  utsname system = {};
  if (uname(&system) == 0) {
    facts["kernel"] = std::string(system.sysname) + " " + system.release;
    facts["architecture"] = system.machine;
  }
  if (const char* isa = std::getenv("QCONFORM_ISA")) facts["QCONFORM_ISA"] = isa;
  return facts;
}

}  // namespace qconform
