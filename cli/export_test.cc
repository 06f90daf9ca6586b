// What `qconform export` prints reads back as what it names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

JsonFile Exported(const std::string& kind, const std::string& name) {
  const ShellOutcome outcome =
      RunShell(std::string(QCONFORM_BINARY) + " export " + kind + " " + name);
  EXPECT_EQ(outcome.exit_code, 0) << name << "\n" << outcome.output;
  return JsonFile::Parse(outcome.output, name);
}

TEST(ExportVerb, EveryConfigReadsBack) {
  ASSERT_FALSE(BuiltInBackendNames().empty());
  for (const std::string& name : BuiltInBackendNames()) {
    const JsonFile file = Exported("config", name);
    ConfigFindings ignored;
    const BackendConfig config = BackendConfigFromJson(file.root(), file, &ignored);
    EXPECT_EQ(BackendConfigToJson(config),
              BackendConfigToJson(BuiltInBackendConfig(name)))
        << name;
    EXPECT_TRUE(ignored.empty()) << name;
    const std::string copy = ProcessFolder() / "config.json";
    std::ofstream(copy) << file.root().dump();
    const ShellOutcome same = RunShell(QCONFORM_BINARY " diff " + name + " " + copy);
    EXPECT_EQ(same.exit_code, 0) << same.output;
    EXPECT_EQ(same.output, "");
  }
}

TEST(ExportVerb, EveryMappingReadsBack) {
  ASSERT_FALSE(QConfigMappingNames().empty());
  for (const std::string& name : QConfigMappingNames()) {
    const JsonFile file = Exported("mapping", name);
    ConfigFindings ignored;
    const QConfigMapping mapping = QConfigMappingFromJson(file.root(), file, &ignored);
    EXPECT_EQ(QConfigMappingToJson(mapping),
              QConfigMappingToJson(*NamedQConfigMapping(name)))
        << name;
    EXPECT_TRUE(ignored.empty()) << name;
  }
}

TEST(ExportVerb, AnUnknownNameIsOneLineAndExitCode4) {
  for (const char* arguments :
       {"config nowhere", "mapping x86", "config", "mapping", ""}) {
    const ShellOutcome outcome =
        RunShell(std::string(QCONFORM_BINARY) + " export " + arguments);
    EXPECT_EQ(outcome.exit_code, 4) << arguments;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find("expected"), std::string::npos) << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
