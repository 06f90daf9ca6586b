// Exit codes of the qconform binary.
#ifndef QCONFORM_CLI_EXIT_CODE_H_
#define QCONFORM_CLI_EXIT_CODE_H_

namespace qconform {

inline constexpr int kExitAsExpected = 0;
inline constexpr int kExitCaseFailed = 1;
inline constexpr int kExitInterrupted = 2;
inline constexpr int kExitInternal = 3;
inline constexpr int kExitUsage = 4;
inline constexpr int kExitNothingSelected = 5;
inline constexpr int kExitBackendUnusable = 6;

}  // namespace qconform

#endif  // QCONFORM_CLI_EXIT_CODE_H_
