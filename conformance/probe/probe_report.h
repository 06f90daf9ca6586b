// What probe found out, for people and for programs.
#ifndef QCONFORM_CONFORMANCE_PROBE_PROBE_REPORT_H_
#define QCONFORM_CONFORMANCE_PROBE_PROBE_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace qconform {

struct ProbeLine {
  std::string name;  // "accumulator", "ties", ...
  std::string text;
  std::string evidence = {};
  bool known = true;  // false: no known rule fits
};

struct ProbeReport {
  std::string subject;  // "requantize", "add", ...
  std::string form;     // "linear u8*s8->u8 per tensor, bias f32"
  std::vector<ProbeLine> lines;
  // One: it has a name. More: they cannot be told apart. None: no known scheme.
  std::vector<std::string> schemes;
  std::string why_not_apart;
  // Where none fits: the one that fits the most answers, and where it first does not.
  std::string closest;
  std::string first_disagreement;
  int64_t agreeing = 0;  // of `answers`, those that the closest gives
  int64_t answers = 0;   // codes that were compared with schemes
  size_t known_schemes = 0;
  // What query names, and whether that is what was found.
  std::vector<std::string> declared;
  bool declares_what_it_does = true;
  int calls = 0;
  std::string failure;  // the first crash, hang or error; "" if there was none

  // Everything has a name, and is what the backend declares.
  bool is_conclusive() const {
    bool known = !schemes.empty() && declares_what_it_does && failure.empty();
    for (const ProbeLine& line : lines) known = known && line.known;
    return known;
  }
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_PROBE_REPORT_H_
