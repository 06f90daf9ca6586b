// What of the process a backend must leave as it was for whoever shares it.
#ifndef QCONFORM_CONFORMANCE_HOST_PROCESS_STATE_H_
#define QCONFORM_CONFORMANCE_HOST_PROCESS_STATE_H_

#include <locale.h>
#include <signal.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace qconform {

// The working folder, the environment, the locale, the mode of new files, the signals
// that the thread blocks, and what the standard signals do. For one thread at a time.
class ProcessState {
 public:
  ProcessState();  // as it is now

  // What has changed since, in words; "" for nothing. Puts all of it back.
  std::string Restore();
  // The same of what the signals do, which takes longer to ask.
  std::string RestoreSignals();
  // From now on it is to stay as it is now. Signals are to stay as they were first.
  void Renew();

 private:
  std::string RestoreEnvironment();
  bool RestoreLocale();

  std::string folder_;
  std::vector<std::string> environment_;
  std::string locale_;
  locale_t thread_locale_ = nullptr;
  mode_t file_mode_ = 0;
  sigset_t blocked_;
  std::array<struct sigaction, 32> actions_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PROCESS_STATE_H_
