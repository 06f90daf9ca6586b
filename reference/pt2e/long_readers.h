// Nodes that read a very long list, taken out of the way while each of its values is
// replaced: rewriting the list for every one of them would take quadratic time.
#ifndef QCONFORM_REFERENCE_PT2E_LONG_READERS_H_
#define QCONFORM_REFERENCE_PT2E_LONG_READERS_H_

#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

// Whether an argument is a list of more than 64 items.
bool IsLongList(const Argument& argument);

// While it lives, the readers read nothing; each value that they read has one stand-in as
// user, whose input may be replaced.
class LongReaders {
 public:
  explicit LongReaders(Graph& graph);
  LongReaders(const LongReaders&) = delete;
  LongReaders& operator=(const LongReaders&) = delete;

  // Gives the readers what stands in their values' places by then, and ends.
  void Restore();

 private:
  Graph& graph_;
  std::vector<std::pair<Node*, std::vector<Argument>>> readers_;
  std::unordered_map<const Node*, Node*> stand_ins_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_LONG_READERS_H_
