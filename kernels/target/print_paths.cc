// Prints each code path of this architecture and whether this processor runs it, and the
// paths of others not at all: what ./dev arm and ./dev isa count.
#include <cstdio>

#include "kernels/target/path.h"

int main() {
  using namespace qconform::kernels;
#if defined(__aarch64__)
  constexpr bool kArm = true;
#else
  constexpr bool kArm = false;
#endif
  for (int i = 0; i < kPathCount; ++i) {
    const auto path = static_cast<Path>(i);
    if (IsArm(path) != kArm) continue;
    std::printf("%s %s\n", PathName(path),
                CanRun(path, DetectedCpuFeatures()) ? "runs" : "cannot");
  }
}
