#include "reports/html_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/markup.h"
#include "reports/report_error.h"

namespace qconform {
namespace {

using Json = nlohmann::ordered_json;

CaseRecord MakeCase(const std::string& id, Verdict verdict) {
  CaseRecord record;
  record.id = id;
  record.suite = "first_light";
  record.group = "first_light/conv2d";
  record.row = "torch.nn.Conv2d";
  record.path = "avx2";
  record.verdict = verdict;
  record.elements = 12'544;
  return record;
}

std::string JournalText(const std::vector<CaseRecord>& cases, bool has_footer = true,
                        int64_t announced = -1) {
  RunHeader header;
  header.tool = "qconform 0.1.0";
  header.suite = "first_light";
  header.suite_digest = "aaaabbbbccccdddd";
  header.backend = {"halide", "0.1.0", "0123456789abcdef", "libhalide.so"};
  header.cases = announced < 0 ? static_cast<int64_t>(cases.size()) : announced;
  header.machine = {{"cpu", "Test CPU 9000"}};
  std::string text = Json(header).dump() + "\n";
  for (const CaseRecord& record : cases) text += Json(record).dump() + "\n";
  if (has_footer) {
    RunFooter footer;
    footer.complete = true;
    footer.selected = header.cases;
    footer.rows = {{"torch.nn.Conv2d", 1}, {"torch.nn.LSTM", 0}};
    text += Json(footer).dump() + "\n";
  }
  return text;
}

std::string Page(const std::vector<std::string>& journals) {
  ReportInput input;
  input.tool = "qconform 0.1.0";
  for (const std::string& text : journals) {
    input.runs.push_back(ParseRunJournal(text, "run.jsonl"));
  }
  return HtmlReport(input);
}

bool Has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

TEST(HtmlReportTest, SaysLoudlyThatNothingRan) {
  EXPECT_TRUE(Has(Page({}), "<h1 >NOTHING WAS JUDGED</h1>") ||
              Has(Page({}), "<h1>NOTHING WAS JUDGED</h1>"));
  EXPECT_TRUE(Has(Page({JournalText({})}), "NOTHING WAS JUDGED"));
  EXPECT_TRUE(Has(Page({JournalText({})}), "This run executed nothing."));
  CaseRecord refused = MakeCase("a", Verdict::kRefused);
  refused.row.clear();
  refused.reason = "no such kernel";
  const std::string page = Page({JournalText({refused})});
  EXPECT_TRUE(Has(page, "NOTHING WAS JUDGED"));
  EXPECT_TRUE(Has(page, "1 × REFUSED: no such kernel"));
  // One good run does not hide an empty one.
  EXPECT_TRUE(Has(Page({JournalText({MakeCase("a", Verdict::kPass)}), JournalText({})}),
                  "1 run executed nothing"));
}

TEST(HtmlReportTest, TellsWhoWasJudgedAndHow) {
  const std::string page = Page({JournalText(
      {MakeCase("a", Verdict::kPass), MakeCase("b", Verdict::kPassScheme)})});
  for (const char* text :
       {"All cases that ran passed", "halide", "0123456789ab", "aaaabbbbcccc",
        "Test CPU 9000", "1 PASS<", "1 PASS_SCHEME", "25,088 elements", "avx2",
        "1 of 2 rows of its config have no case", "torch.nn.LSTM"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
  EXPECT_FALSE(Has(page, "id=\"failures\""));
}

TEST(HtmlReportTest, TellsLevelsAndWhatOfTheContractNoCaseTouched) {
  RunFooter footer;
  footer.complete = true;
  footer.selected = 1;
  footer.levels = {{"conv2d", 3}, {"add", 4}};
  footer.contract = {{"conv2d | quint8 | per_channel", 1}, {"linear | quint8", 0}};
  const std::string page = Page(
      {JournalText({MakeCase("a", Verdict::kPass)}, false) + Json(footer).dump() + "\n"});
  for (const char* text :
       {"exact to the reference", "proved: exact, and the whole domain was tried",
        "1 of 2 cells of the contract exercised; 1 never", ">linear | quint8<"})
    EXPECT_TRUE(Has(page, text)) << text;
  EXPECT_FALSE(Has(page, ">conv2d | quint8 | per_channel<"));
}

TEST(HtmlReportTest, TellsWhichSuitesKillWhichSaboteur) {
  ReportInput input;
  input.kill_table = {
      "qconform 0.1.0", {{"linear", "aaaabbbbccccdddd"}}, {{"pair_wraps", {"linear"}}}};
  EXPECT_TRUE(Has(HtmlReport(input), "1 of 1 backend with one planted fault each"));
  EXPECT_TRUE(Has(HtmlReport(input), "aaaabbbbcccc"));
  input.kill_table->killers["idle"] = {};
  const std::string page = HtmlReport(input);
  EXPECT_TRUE(Has(page, "1 of 2 backends with one planted fault each"));
  EXPECT_TRUE(Has(page, "idle"));
  EXPECT_TRUE(Has(page, "none"));
}

TEST(HtmlReportTest, TellsFailuresByCause) {
  std::vector<CaseRecord> cases;
  for (int i = 0; i < 10; ++i) {
    CaseRecord record = MakeCase("conv/" + std::to_string(i), Verdict::kFail);
    record.cause = "rounding";
    record.wrong_elements = 37;
    record.details = {"element [0, 3]: got 118, expected 117"};
    cases.push_back(record);
  }
  CaseRecord crash = MakeCase("crash/1", Verdict::kCrash);
  crash.signal = "SIGSEGV";
  crash.printed = "oops";
  cases.push_back(crash);
  const std::string page = Page({JournalText(cases)});
  for (const char* text : {"11 cases failed", "FAIL · rounding · halide · 10 cases",
                           "7 more with this cause", "37 of 12,544 elements wrong",
                           "element [0, 3]: got 118, expected 117",
                           "CRASH SIGSEGV · halide · 1 case", "it printed: oops"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
  EXPECT_TRUE(Has(page, ">conv/9<"));
}

TEST(HtmlReportTest, TellsThatARunWasCutOff) {
  const std::string page = Page(
      {JournalText({MakeCase("a", Verdict::kPass)}, false, 5) + "{\"record\": \"ca"});
  EXPECT_TRUE(Has(page, "No failure so far"));
  EXPECT_TRUE(Has(page, "its journal has no end: 4 cases not run."));
}

TEST(HtmlReportTest, EscapesWhatFilesHold) {
  const std::string evil = "<script>alert('x')</script>\"&";
  CaseRecord record = MakeCase(evil, Verdict::kFail);
  record.group = record.cause = record.reason = record.printed = record.path = evil;
  record.details = {evil};
  record.signal = record.phase = record.scheme_declared = evil;
  ReportInput input;
  input.runs.push_back(ParseRunJournal(JournalText({record}), evil));
  input.runs[0].header.backend = {evil, evil, evil, evil};
  input.runs[0].header.suite = input.runs[0].header.suite_digest = evil;
  input.runs[0].header.machine[evil] = evil;
  input.runs[0].footer->rows.push_back({evil, 0});
  QuantizationSummary model;
  model.model = model.config = model.golden = model.golden_digest = evil;
  model.left_in_float = {{evil, evil, evil, evil}};
  model.unused_settings = model.mode_differences = model.data_differences = {evil};
  model.metrics = {{"float", evil, 1, evil}, {evil, evil, 1, evil}};
  input.models.push_back(model);
  BenchmarkFile benchmark;
  benchmark.file = benchmark.backend = benchmark.suite = benchmark.date = evil;
  benchmark.machine = {{evil, evil}};
  benchmark.peaks = {{evil, 1}};
  benchmark.layers.resize(2);
  benchmark.layers[0].layer = benchmark.layers[0].path = evil;
  benchmark.layers[1].error = evil;
  input.benchmarks.push_back(benchmark);
  input.sources = {{evil, evil}};
  input.tool = evil;
  const std::string page = HtmlReport(input);
  EXPECT_FALSE(Has(page, "<script"));
  EXPECT_FALSE(Has(page, "'x'"));
  EXPECT_TRUE(Has(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"));
}

TEST(HtmlReportTest, NeedsNothingElse) {
  const std::string page = Page({JournalText({MakeCase("a", Verdict::kPass)})});
  for (const char* text :
       {"<script", "http:", "https:", "src=", "@import", "url(", "<link", "javascript"}) {
    EXPECT_FALSE(Has(page, text)) << text;
  }
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
}

TEST(HtmlReportTest, StaysBelowItsLimit) {
  ReportInput input;
  std::vector<CaseRecord> cases;
  const std::string long_text(600, '<');
  for (int i = 0; i < 300; ++i) {
    CaseRecord record = MakeCase(fmt::format("{}/{}", i, long_text), Verdict::kFail);
    record.group = record.cause = record.path = record.id;
    record.details = std::vector<std::string>(20, long_text);
    cases.push_back(record);
  }
  const RunJournal run = ParseRunJournal(JournalText(cases), "run.jsonl");
  input.runs = {run, run};
  QuantizationSummary model;
  model.left_in_float.assign(200, {long_text, long_text, long_text, long_text});
  model.unused_settings.assign(200, long_text);
  model.mode_differences = model.data_differences = model.unused_settings;
  input.models.assign(20, model);
  BenchmarkFile benchmark;
  benchmark.layers.resize(4'000);
  input.benchmarks = {benchmark};
  input.sources.assign(200, {long_text, long_text});
  const std::string page = HtmlReport(input);
  EXPECT_LT(page.size(), kMaxPageBytes);
  EXPECT_TRUE(Has(page, "more causes."));
  EXPECT_TRUE(Has(page, "more groups."));
  EXPECT_TRUE(Has(page, "more layers."));
}

TEST(HtmlReportTest, ShowsModels) {
  ReportInput input;
  input.models = ParseQuantizationSummaries(
      R"([{"model": "crepe_tiny", "config": "x86", "mode": "torch", "nodes": 35,
           "matched": 33, "fused": 6, "quantized": 27,
           "left_in_float": [{"node": "pad", "target": "torch.nn.functional.pad",
                              "constraint": "input_dtype", "reason": "its input is float"}],
           "unused_settings": ["module_name 'x'"],
           "mode_differences": ["2 weights: torch records them as affine"],
           "data_differences": ["a on x: 3 were left out"],
           "operators": 25, "conversions": 2,
           "float_islands": 1,
           "metrics": [{"of": "float", "name": "cents", "value": 2.31, "unit": "cents"},
                       {"of": "int8", "name": "cents", "value": 2.44, "unit": "cents"},
                       {"of": "int8 against float", "name": "rows changed", "value": 3,
                        "unit": ""}],
           "golden": "goldens/crepe_tiny.x86", "golden_digest": "7b3d7b3d7b3d7b3d"}])",
      "models.json");
  const std::string page = HtmlReport(input);
  for (const char* text :
       {"crepe_tiny for x86 (mode torch)", "35 nodes: ", "27 quantized",
        "6 fused into another", "1 left in float", "33 matched", "2.31 cents",
        "2.44 cents", "int8 against float: rows changed 3", "its input is float",
        "input_dtype", "25 integer operators", "goldens/crepe_tiny.x86", "7b3d7b3d7b3d",
        "2 weights: torch records them as affine", "a on x: 3 were left out",
        "NOTHING WAS JUDGED"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
  EXPECT_THROW(ParseQuantizationSummaries("{}", "a"), ReportError);
  EXPECT_THROW(ParseQuantizationSummaries("[", "a"), ReportError);
}

TEST(HtmlReportTest, ShowsKernels) {
  ReportInput input;
  input.benchmarks = {ParseBenchmarkFile(
      R"({"context": {"date": "2026-11-29", "qconform_backend": "halide 0.1.0",
           "qconform_suite": "resnet50", "cpu_model": "Test CPU 9000",
           "peak_gmac_per_second.avx2.threads.1": "92.1"},
          "benchmarks": [
           {"name": "resnet50/conv1/threads:1/manual_time", "run_type": "iteration",
            "real_time": 3340.0, "time_unit": "us", "label": "avx2",
            "gmac_per_second": 34.4, "share_of_peak": 0.381, "macs": 1.15e8,
            "peak_gmac_per_second": 92.1, "layer_count": 2, "threads": 1},
           {"name": "resnet50/fc/threads:1", "error_occurred": true,
            "error_message": "12 of 1000 codes differ"}]})",
      "bench.json")};
  ASSERT_EQ(input.benchmarks[0].layers.size(), 2u);
  EXPECT_EQ(input.benchmarks[0].layers[0].layer, "conv1");
  const std::string page = HtmlReport(input);
  for (const char* text :
       {"halide 0.1.0 on resnet50", "conv1", "2 ×", "3.34 ms", "34.4", "38.1 %", "avx2",
        "12 of 1000 codes differ", "avx2, 1 thread: 92.1 GMAC/s", "Test CPU 9000",
        "1 layer without a time"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
  EXPECT_THROW(ParseBenchmarkFile("{}", "a"), ReportError);
  EXPECT_THROW(ParseBenchmarkFile(R"({"context": 1, "benchmarks": [{}]})", "a"),
               ReportError);
}

TEST(HtmlReportTest, TheMedianOfRepetitionsCounts) {
  const std::string entry =
      R"({"name": "s/l/threads:1", "run_name": "s/l/threads:1", "real_time": )";
  const BenchmarkFile benchmark = ParseBenchmarkFile(
      R"({"context": {}, "benchmarks": [)" + entry + R"(1.0, "time_unit": "s"},)" +
          entry + R"(9.0, "time_unit": "s"},)" + entry +
          R"(4.0, "time_unit": "s", "run_type": "aggregate", "aggregate_name": "mean"},)" +
          entry +
          R"(2.0, "time_unit": "s", "run_type": "aggregate", "aggregate_name": "median"}]})",
      "a");
  ASSERT_EQ(benchmark.layers.size(), 1u);
  EXPECT_EQ(benchmark.layers[0].seconds, 2.0);
}

TEST(RunJournalTest, CountsFromTheCases) {
  CaseRecord known = MakeCase("k", Verdict::kKnown);
  const RunJournal run = ParseRunJournal(
      JournalText({MakeCase("a", Verdict::kFail), MakeCase("a", Verdict::kPass), known}),
      "run.jsonl");
  EXPECT_EQ(run.cases.size(), 2u);  // a resumed case counts once
  EXPECT_EQ(run.passed, 1);
  EXPECT_EQ(run.failed, 0);
  EXPECT_EQ(run.skipped, 1);
}

TEST(RunJournalTest, MalformedLines) {
  const auto error = [](const std::string& text) {
    try {
      ParseRunJournal(text, "run.jsonl");
    } catch (const ReportError& refused) {
      return std::string(refused.what());
    }
    return std::string("no error");
  };
  const std::string header = "{\"record\": \"header\"}\n";
  EXPECT_EQ(error(""), "run.jsonl:1: there is no header, expected the journal of a run");
  EXPECT_EQ(error(header + "{\n{}\n"),
            "run.jsonl:2: this is not JSON, expected one record a line");
  EXPECT_EQ(error(header + "{\"record\": \"verse\"}\n"),
            "run.jsonl:2: a record of kind 'verse', expected header, case or footer");
  EXPECT_NE(
      error(header + "{\"record\": \"case\", \"id\": \"a\", \"verdict\": \"OK\"}\n"),
      "no error");
  EXPECT_NE(error(header + "[]\n"), "no error");
  EXPECT_EQ(error(header + "{\"record\": \"ca"), "no error");
}

TEST(MarkupTest, Escapes) {
  EXPECT_EQ(Text("a<b>&\"'\n\x01z").html(), "a&lt;b&gt;&amp;&quot;&#39;  z");
  EXPECT_EQ(Text("\xC3\xA9\xFFx\xE2\x82").html(),
            "\xC3\xA9\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Attribute("title", "a\"b"), "title=\"a&quot;b\"");
}

TEST(MarkupTest, Numbers) {
  EXPECT_EQ(Count(1'234'567), "1,234,567");
  EXPECT_EQ(Count(-1'234), "-1,234");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1, "case"), "1 case");
  EXPECT_EQ(Count(0, "case"), "0 cases");
  EXPECT_EQ(Real(12.345), "12.3");
  EXPECT_EQ(Real(0.012345), "0.0123");
  EXPECT_EQ(Real(1234.5), "1,235");
  EXPECT_EQ(Real(0), "0");
  EXPECT_EQ(Duration(0.00334), "3.34 ms");
  EXPECT_EQ(Share(0.3814), "38.1 %");
}

}  // namespace
}  // namespace qconform
