// One thing that is timed: its work, what it must have computed, and what bounds it.
#ifndef QCONFORM_BENCH_PIPELINE_PIPELINE_CASE_H_
#define QCONFORM_BENCH_PIPELINE_PIPELINE_CASE_H_

#include <functional>
#include <string>
#include <vector>

namespace qconform::bench {

struct PipelineCase {
  // As torch_times.py calls it, too.
  std::string name;
  std::function<void()> run;
  // After a run: what is wrong with the result, empty if nothing.
  std::function<std::string()> wrong;
  // What must at least be moved through memory: bytes that are only read, and bytes that
  // are read or written on the way from one tensor to another.
  double read_bytes = 0;
  double copied_bytes = 0;
  // The share of the time that memory alone would take; 0: no aim.
  double aim_share = 0;
  // Runs, of which the shortest and the median count.
  int runs = 15;
  // How many times faster than torch; 0: no aim.
  double aim_speedup = 0;
};

// Every observer and fake-quantizer on 16 million elements.
std::vector<PipelineCase> ObserverCases();

// torchvision's resnet50 under the x86 config: the structural passes on thin weights,
// and everything on full ones.
std::vector<PipelineCase> ResNet50Cases();

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_PIPELINE_CASE_H_
