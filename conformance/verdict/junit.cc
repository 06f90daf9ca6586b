#include "conformance/verdict/junit.h"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "reference/ir/ordered_map.h"

namespace qconform {
namespace {

enum class State { kPassed, kFailure, kError, kSkipped };

State StateOf(const CaseRecord& record) {
  if (IsPassed(record)) return State::kPassed;
  if (IsSkipped(record)) return State::kSkipped;
  const bool ended =
      record.verdict == Verdict::kCrash || record.verdict == Verdict::kHang;
  return ended ? State::kError : State::kFailure;
}

// XML knows no other control characters, and a backend may print any byte.
std::string XmlText(const std::string& text) {
  const nlohmann::json json = text;
  std::string clean =
      nlohmann::json::parse(
          json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
          .get<std::string>();
  for (char& c : clean)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') c = '?';
  return clean;
}

std::string MessageOf(const CaseRecord& record) {
  std::string message(VerdictName(record.verdict));
  if (!record.signal.empty()) message += "(" + record.signal + ")";
  for (const std::string* part : {&record.cause, &record.reason})
    if (!part->empty()) message += ", " + *part;
  return message;
}

void AddProperties(pugi::xml_node testcase, const CaseRecord& record,
                   const std::string& repro) {
  pugi::xml_node properties = testcase.append_child("properties");
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    pugi::xml_node property = properties.append_child("property");
    property.append_attribute("name") = name;
    property.append_attribute("value") = XmlText(value).c_str();
  };
  add("verdict", std::string(VerdictName(record.verdict)));
  add("scheme",
      record.scheme_compared.empty() ? record.scheme_declared : record.scheme_compared);
  add("bound", record.bound);
  add("fill", record.fill);
  add("path", record.path);
  add("row", record.row);
  add("listed", record.listed);
  add("repro", repro + " '" + record.id + "'");
}

void AddCase(pugi::xml_node suite, const CaseRecord& record, const std::string& repro) {
  pugi::xml_node testcase = suite.append_child("testcase");
  const bool below = record.id.starts_with(record.group + "/");
  testcase.append_attribute("classname") = XmlText(record.group).c_str();
  testcase.append_attribute("name") =
      XmlText(below ? record.id.substr(record.group.size() + 1) : record.id).c_str();
  testcase.append_attribute("time") = fmt::format("{:.6f}", record.seconds).c_str();
  AddProperties(testcase, record, repro);
  const State state = StateOf(record);
  if (state != State::kPassed) {
    const char* element = state == State::kFailure ? "failure"
                          : state == State::kError ? "error"
                                                   : "skipped";
    pugi::xml_node result = testcase.append_child(element);
    result.append_attribute("message") = XmlText(MessageOf(record)).c_str();
    if (state != State::kSkipped) {
      result.append_attribute("type") = std::string(VerdictName(record.verdict)).c_str();
      const std::string lines = fmt::format("{}", fmt::join(record.details, "\n"));
      result.text().set(XmlText(lines).c_str());
    }
  }
  if (!record.printed.empty())
    testcase.append_child("system-out").text().set(XmlText(record.printed).c_str());
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void Add(const CaseRecord& record) {
    const State state = StateOf(record);
    ++tests;
    failures += state == State::kFailure;
    errors += state == State::kError;
    skipped += state == State::kSkipped;
    seconds += record.seconds;
  }

  void Write(pugi::xml_node node) const {
    node.append_attribute("tests") = tests;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
    node.append_attribute("skipped") = skipped;
    node.append_attribute("time") = fmt::format("{:.6f}", seconds).c_str();
  }
};

}  // namespace

std::string JUnitOf(const RunHeader& header, const std::vector<CaseRecord>& records,
                    const std::string& repro) {
  OrderedMap<std::vector<const CaseRecord*>> groups;
  Counts all;
  for (const CaseRecord& record : records) {
    if (!groups.Contains(record.group)) groups.Set(record.group, {});
    groups.Find(record.group)->push_back(&record);
    all.Add(record);
  }
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  root.append_attribute("name") = XmlText(header.suite).c_str();
  all.Write(root);
  for (const auto& [group, members] : groups) {
    Counts counts;
    for (const CaseRecord* record : members) counts.Add(*record);
    pugi::xml_node suite = root.append_child("testsuite");
    suite.append_attribute("name") = XmlText(group).c_str();
    suite.append_attribute("timestamp") = header.started.c_str();
    counts.Write(suite);
    for (const CaseRecord* record : members) AddCase(suite, *record, repro);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace qconform
