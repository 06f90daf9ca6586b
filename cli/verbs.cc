#include "cli/verbs.h"

#include "cli/bench.h"
#include "cli/diff.h"
#include "cli/doctor.h"
#include "cli/explain.h"
#include "cli/export.h"
#include "cli/export_onnx.h"
#include "cli/golden.h"
#include "cli/infer.h"
#include "cli/known.h"
#include "cli/lint.h"
#include "cli/list.h"
#include "cli/match.h"
#include "cli/merge.h"
#include "cli/parity.h"
#include "cli/probe.h"
#include "cli/quantize.h"
#include "cli/report.h"
#include "cli/repro.h"
#include "cli/run.h"
#include "cli/shrink.h"

namespace qconform {

void AddVerbs(CLI::App& app, int& exit_code) {
  AddQuantizeVerb(app, exit_code);
  AddExplainVerb(app, exit_code);
  AddMatchVerb(app, exit_code);
  AddLintVerb(app, exit_code);
  AddDiffVerb(app, exit_code);
  AddGoldenVerb(app, exit_code);
  AddExportVerb(app, exit_code);
  AddExportOnnxVerb(app, exit_code);
  AddDoctorVerb(app, exit_code);
  AddListVerb(app, exit_code);
  AddRunVerb(app, exit_code);
  AddReproVerb(app, exit_code);
  AddShrinkVerb(app, exit_code);
  AddProbeVerb(app, exit_code);
  AddInferVerb(app, exit_code);
  AddKnownVerb(app, exit_code);
  AddMergeVerb(app, exit_code);
  AddBenchVerb(app, exit_code);
  AddReportVerb(app, exit_code);
  AddParityVerb(app, exit_code);
}

}  // namespace qconform
