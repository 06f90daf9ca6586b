#ifndef QCONFORM_CLI_DOCTOR_H_
#define QCONFORM_CLI_DOCTOR_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform doctor`: is a backend loadable and sane?
void AddDoctorVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_DOCTOR_H_
