#include "kernels/target/kernel_table.h"

#include <type_traits>

// Compiled once for each shared object: the symbols of its kernels begin with
// QCONFORM_KERNEL_PREFIX. QCONFORM_BYTES_EVERYWHERE gives the kernels for bytes to every
// path, so that a test can run them without vpdpbusd. Paths of other architectures have
// no kernels here.
#ifndef QCONFORM_KERNEL_PREFIX
#error "define QCONFORM_KERNEL_PREFIX"
#endif

#define QCONFORM_PASTE(prefix, name, path) prefix##_##name##_##path
#define QCONFORM_EXPAND(prefix, name, path) QCONFORM_PASTE(prefix, name, path)
#define QCONFORM_SYMBOL(name, path) QCONFORM_EXPAND(QCONFORM_KERNEL_PREFIX, name, path)

namespace qconform::kernels {

#define QCONFORM_DECLARE(name, path)                                                  \
  extern "C" std::remove_pointer_t<decltype(KernelTable::name)> QCONFORM_SYMBOL(name, \
                                                                                path)
#ifdef __aarch64__
#define QCONFORM_EVERY_PATH(of, name) \
  of(name, neon);                     \
  of(name, dotprod);
#define QCONFORM_BYTE_PATHS QCONFORM_EVERY_PATH
#define QCONFORM_SHORT_SUM_PATHS(of, name)
#else
#define QCONFORM_SHORT_SUM_PATHS(of, name) \
  of(name, sse41);                         \
  of(name, avx2);                          \
  of(name, avx512);
#define QCONFORM_EVERY_PATH(of, name) \
  of(name, sse41);                    \
  of(name, avx2);                     \
  of(name, avx512);                   \
  of(name, avx512vnni);
#ifdef QCONFORM_BYTES_EVERYWHERE
#define QCONFORM_BYTE_PATHS QCONFORM_EVERY_PATH
#else
#define QCONFORM_BYTE_PATHS(of, name) of(name, avx512vnni);
#endif
#endif

#define QCONFORM_KERNEL_EVERY_PATH(name, generator, parameters) \
  QCONFORM_EVERY_PATH(QCONFORM_DECLARE, name)
#define QCONFORM_KERNEL_BYTES(name, generator, parameters) \
  QCONFORM_BYTE_PATHS(QCONFORM_DECLARE, name)
#define QCONFORM_KERNEL_SHORT_SUMS(name, generator, parameters) \
  QCONFORM_SHORT_SUM_PATHS(QCONFORM_DECLARE, name)
#include "kernels/target/all_kernels.inc"
#undef QCONFORM_KERNEL_EVERY_PATH
#undef QCONFORM_KERNEL_BYTES
#undef QCONFORM_KERNEL_SHORT_SUMS

namespace {

struct Tables {
  KernelTable of[kPathCount];

  Tables() {
    [[maybe_unused]] KernelTable &sse41 = of[0], &avx2 = of[1], &avx512 = of[2],
                                 &avx512vnni = of[3], &neon = of[4], &dotprod = of[5];
#define QCONFORM_FILL(name, path) path.name = &QCONFORM_SYMBOL(name, path)
#define QCONFORM_KERNEL_EVERY_PATH(name, generator, parameters) \
  QCONFORM_EVERY_PATH(QCONFORM_FILL, name)
#define QCONFORM_KERNEL_BYTES(name, generator, parameters) \
  QCONFORM_BYTE_PATHS(QCONFORM_FILL, name)
#define QCONFORM_KERNEL_SHORT_SUMS(name, generator, parameters) \
  QCONFORM_SHORT_SUM_PATHS(QCONFORM_FILL, name)
#include "kernels/target/all_kernels.inc"
  }
};

}  // namespace

const KernelTable& KernelsOf(Path path) {
  static const Tables tables;
  return tables.of[static_cast<int>(path)];
}

}  // namespace qconform::kernels
