#include "cli/verbs.h"

namespace qconform {

void AddVerbs(CLI::App& app, int& exit_code) {
  (void)app;
  (void)exit_code;
}

}  // namespace qconform
