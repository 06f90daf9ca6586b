#include "bench/compare/benchmark_samples.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

std::string Refusal(const std::string& text) {
  try {
    ParseSamples(text, "file.json", TimeField::kReal);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

std::string WithRow(const std::string& row) {
  return "{\"context\": {\"num_cpus\": 2, \"cpu_model\": \"x\", \"caches\": []},\n"
         "\"benchmarks\": [" +
         row + "]}";
}

TEST(BenchmarkSamples, UnitsAreOne) {
  const SampleFile file = ParseSamples(
      WithRow(R"({"name": "a", "real_time": 2, "cpu_time": 1, "time_unit": "us"},
                 {"name": "a", "real_time": 3, "cpu_time": 1},
                 {"name": "a", "real_time": 4, "cpu_time": 1, "time_unit": "ms"},
                 {"name": "a", "real_time": 5, "cpu_time": 1, "time_unit": "s"})"),
      "file.json", TimeField::kReal);
  EXPECT_EQ(file.benchmarks.at("a").nanoseconds, (std::vector<double>{2e3, 3, 4e6, 5e9}));
  EXPECT_EQ(file.context.at("num_cpus"), "2");
  EXPECT_EQ(file.context.at("cpu_model"), "x");
  EXPECT_FALSE(file.context.contains("caches"));
}

TEST(BenchmarkSamples, RepetitionsAreGroupedByRunName) {
  const SampleFile file = ParseSamples(
      WithRow(R"({"name": "a/1", "run_name": "a", "real_time": 2, "cpu_time": 7},
                 {"name": "b", "real_time": 5, "cpu_time": 8},
                 {"name": "a/2", "run_name": "a", "real_time": 3, "cpu_time": 9})"),
      "file.json", TimeField::kCpu);
  EXPECT_EQ(file.benchmarks.at("a").nanoseconds, (std::vector<double>{7, 9}));
  EXPECT_EQ(file.benchmarks.at("b").nanoseconds, (std::vector<double>{8}));
}

// Before 1.5 a row did not say that it is an aggregate; a benchmark may have such a name.
TEST(BenchmarkSamples, AggregatesOfOldFilesGoByName) {
  const SampleFile file = ParseSamples(
      WithRow(R"({"name": "a", "real_time": 2}, {"name": "a_mean", "real_time": 3},
                 {"name": "geometric_mean", "real_time": 4})"),
      "file.json", TimeField::kReal);
  EXPECT_EQ(file.benchmarks.size(), 2u);
  EXPECT_TRUE(file.benchmarks.contains("geometric_mean"));
}

// Google Benchmark writes such counters, though JSON has none.
TEST(BenchmarkSamples, CountersThatAreNoNumber) {
  const SampleFile file = ParseSamples(
      WithRow(R"({"name": "a \"NaN\"", "real_time": 2, "x": NaN, "y": -Infinity,
                  "z": Infinity, "w": -NaN})"),
      "file.json", TimeField::kReal);
  EXPECT_EQ(file.benchmarks.begin()->first, "a \"NaN\"");
}

TEST(BenchmarkSamples, ErrorsCountNoTime) {
  const SampleFile file = ParseSamples(
      WithRow(R"({"name": "a", "error_occurred": true, "error_message": "wrong output",
                  "real_time": 0},
                 {"name": "b", "skipped": true, "skip_message": "no device"})"),
      "file.json", TimeField::kReal);
  EXPECT_EQ(file.benchmarks.at("a").error, "wrong output");
  EXPECT_TRUE(file.benchmarks.at("a").nanoseconds.empty());
  EXPECT_EQ(file.benchmarks.at("b").error, "skipped: no device");
}

TEST(BenchmarkSamples, MalformedFilesAreRefused) {
  EXPECT_EQ(Refusal("{\n\n\"benchmarks\": [}"),
            "file.json:3: no JSON, expected a JSON file of Google Benchmark");
  EXPECT_EQ(Refusal("[]"),
            "file.json: no benchmarks in it, expected a JSON file of Google Benchmark, "
            "with a list 'benchmarks'");
  for (const char* text : {"", "3", "{}", "{\"benchmarks\": 3}", "{\"benchmarks\": []}"})
    EXPECT_NE(Refusal(text), "read") << text;
  EXPECT_EQ(Refusal(WithRow("3")),
            "file.json: benchmarks[0]: no name, expected an object with a 'name'");
  EXPECT_EQ(Refusal(WithRow(R"({"name": "a", "real_time": 1}, {"name": "a"})")),
            "file.json: benchmarks[1]: real_time is missing, expected a number above 0");
  for (const char* time : {"0", "-1", "NaN", "Infinity", "\"1\"", "1e400"})
    EXPECT_NE(
        Refusal(WithRow(std::string(R"({"name": "a", "real_time": )") + time + "}")),
        "read")
        << time;
  EXPECT_EQ(Refusal(WithRow(R"({"name": "a", "real_time": 1, "time_unit": "min"})")),
            "file.json: benchmarks[0]: time_unit is \"min\", expected ns, us, ms or s");
  EXPECT_EQ(Refusal(WithRow(R"({"name": "a_mean", "run_type": "aggregate"})")),
            "file.json: aggregates only, expected a row for each repetition: "
            "--benchmark_report_aggregates_only=false");
}

// Whatever is cut off, it is refused or read, and nothing else happens.
TEST(BenchmarkSamples, TruncatedFiles) {
  const std::string whole = WithRow(
      R"({"name": "a", "run_name": "a", "real_time": 2, "time_unit": "us", "x": NaN})");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(Refusal(whole.substr(0, length)), "read") << length;
  EXPECT_EQ(Refusal(whole), "read");
}

}  // namespace
}  // namespace qconform::bench
