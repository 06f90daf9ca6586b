#include "bench/peers/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace qconform::bench {
namespace {

constexpr const char* kClasses[] = {"conv",        "depthwise", "GEMM",
                                    "elementwise", "normalize", "pooling"};

using Time = double (SubjectResult::*)() const;

// The shortest time of the peers that `admits`; nullopt without one.
std::optional<double> BestPeer(const ComparisonRow& row, Time time,
                               const std::function<bool(const SubjectResult&)>& admits) {
  std::optional<double> best;
  for (size_t i = 1; i < row.subjects.size(); ++i) {
    const SubjectResult& peer = row.subjects[i];
    if (!peer.timed() || !admits(peer)) continue;
    const double seconds = (peer.*time)();
    best = std::min(best.value_or(seconds), seconds);
  }
  return best;
}

class Mean {
 public:
  void Add(std::optional<double> value) {
    if (!value) return;
    logarithms_ += std::log(*value);
    ++count_;
  }
  std::string Text(int width = 0) const {
    if (count_ == 0) return fmt::format("{:>{}}", "-", width);
    return fmt::format("{:>{}.2f}", std::exp(logarithms_ / count_), width);
  }
  int count() const { return count_; }

 private:
  double logarithms_ = 0;
  int count_ = 0;
};

struct Group {
  Mean share;
  std::vector<Mean> peers;
  Mean best, right, best_shortest, right_shortest;
  int slower = 0;  // rows in which the best peer is more than a twentieth faster
};

bool Any(const SubjectResult&) { return true; }
bool Right(const SubjectResult& peer) { return peer.right(); }

void AddRow(const ComparisonRow& row, Group& group) {
  const SubjectResult& own = row.subjects[0];
  if (!own.timed()) return;
  const double median = own.median(), shortest = own.shortest();
  const auto over = [](std::optional<double> peer, double ours) {
    return peer ? std::optional<double>(*peer / ours) : std::nullopt;
  };
  group.share.Add(row.bound_seconds() / shortest);
  group.peers.resize(row.subjects.size() - 1);
  for (size_t i = 1; i < row.subjects.size(); ++i) {
    const SubjectResult& peer = row.subjects[i];
    if (peer.timed()) group.peers[i - 1].Add(peer.median() / median);
  }
  const auto best = over(BestPeer(row, &SubjectResult::median, Any), median);
  group.best.Add(best);
  group.slower += best && *best < 0.95 ? 1 : 0;
  group.right.Add(over(BestPeer(row, &SubjectResult::median, Right), median));
  group.best_shortest.Add(over(BestPeer(row, &SubjectResult::shortest, Any), shortest));
  group.right_shortest.Add(
      over(BestPeer(row, &SubjectResult::shortest, Right), shortest));
}

// Medians over the rows of the spread between the rounds.
double Spread(const Comparison& comparison) {
  std::vector<double> spreads;
  for (const ComparisonRow& row : comparison.rows) {
    const SubjectResult& own = row.subjects[0];
    if (own.timed()) spreads.push_back(own.median() / own.shortest());
  }
  if (spreads.empty()) return 1;
  std::nth_element(spreads.begin(), spreads.begin() + spreads.size() / 2, spreads.end());
  return spreads[spreads.size() / 2];
}

}  // namespace

std::string SubjectNames(const Comparison& comparison) {
  std::string text;
  for (size_t i = 0; i < comparison.names.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", comparison.names[i],
                        comparison.versions[i]);
  }
  return text;
}

// Of peers that chose another path by themselves, as their first row says.
std::string OtherPaths(const Comparison& comparison) {
  std::string text;
  if (comparison.rows.empty()) return text;
  const std::vector<SubjectResult>& subjects = comparison.rows.front().subjects;
  for (size_t i = 1; i < subjects.size(); ++i) {
    const std::string& path = subjects[i].path;
    if (path.empty() || path == comparison.path) continue;
    text += fmt::format("{} runs path {}, as it chooses\n", comparison.names[i], path);
  }
  return text;
}

std::string Legend(const Comparison& comparison) {
  return fmt::format(
      "path {}; {}\nmicroseconds are medians of rounds in turn; share: of what binds the "
      "layer, at the shortest time\n(p: the int8 peak of the path, c: a copy of its "
      "bytes); "
      "x: the peer's time over ours; wrong: codes of\na peer that differ from the "
      "definition, "
      "* some by more than one (16-bit sums);\n"
      "s: u8 codes were handed to the peer as s8 codes, 128 less, outside of its "
      "time\n{}",
      comparison.path, SubjectNames(comparison), OtherPaths(comparison));
}

std::string TableHead(const Comparison& comparison) {
  std::string head = fmt::format("{:<26}{:>2} {:>9} {:>5}  ", "layer", "t",
                                 comparison.names[0], "share");
  for (size_t i = 1; i < comparison.names.size(); ++i) {
    head += fmt::format(" | {:>18} {:>5} {:>8}", comparison.names[i], "x", "wrong");
  }
  return head;
}

std::string TableLine(const ComparisonRow& row) {
  const SubjectResult& own = row.subjects[0];
  std::string line = fmt::format("{:<26}{:>2} ", row.layer.name, row.threads);
  if (own.timed()) {
    line += fmt::format("{:>9.1f} {:>4.0f}%{} ", own.median() * 1e6,
                        100 * row.bound_seconds() / own.shortest(),
                        row.peak_seconds >= row.copy_seconds ? 'p' : 'c');
  } else {
    line += fmt::format("FAILED: {} ", own.refusal);
  }
  for (size_t i = 1; i < row.subjects.size(); ++i) {
    const SubjectResult& peer = row.subjects[i];
    if (!peer.timed()) {
      line += fmt::format(" | {:>33.33}", peer.declined ? "-" : peer.refusal);
      continue;
    }
    line += fmt::format(
        " | {:>17.1f}{} {:>5} {:>7}{}", peer.median() * 1e6, peer.is_signed ? 's' : ' ',
        own.timed() ? fmt::format("{:.2f}", peer.median() / own.median()) : "-",
        peer.wrong, peer.far > 0 ? '*' : ' ');
  }
  return line;
}

std::string GeometricMeans(const Comparison& comparison) {
  std::map<std::tuple<std::string, int>, Group> groups;
  std::map<int, bool> thread_numbers;
  for (const ComparisonRow& row : comparison.rows) {
    AddRow(row, groups[{ClassOf(row.layer), row.threads}]);
    thread_numbers[row.threads] = true;
  }
  std::string text = fmt::format(
      "geometric means on path {}, peers' times over ours at the median (best of each "
      "row; "
      "right: best\nof those within one code; in brackets at the shortest; slow: rows "
      "with "
      "best under 0.95).\nOur median round took {:.2f} of the shortest.\n",
      comparison.path, Spread(comparison));
  text += fmt::format("{:<12}{:>2} {:>5} {:>6}", "class", "t", "rows", "share");
  for (size_t i = 1; i < comparison.names.size(); ++i) {
    text += fmt::format(" {:>18}", comparison.names[i]);
  }
  text += fmt::format(" {:>13} {:>13} {:>5}\n", "best", "right", "slow");
  for (const char* name : kClasses) {
    for (const auto& [threads, present] : thread_numbers) {
      const auto found = groups.find({name, threads});
      if (found == groups.end()) continue;
      const Group& group = found->second;
      text += fmt::format("{:<12}{:>2} {:>5} {:>6}", name, threads, group.share.count(),
                          group.share.Text());
      for (const Mean& peer : group.peers) text += " " + peer.Text(18);
      text += fmt::format(" {} ({}) {} ({}) {:>5}\n", group.best.Text(6),
                          group.best_shortest.Text(4), group.right.Text(6),
                          group.right_shortest.Text(4), group.slower);
    }
  }
  return text;
}

}  // namespace qconform::bench
