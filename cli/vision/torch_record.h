// datasets/vision/*/torch.txt: what torch made of a model, in sections of lines.
#ifndef QCONFORM_CLI_VISION_TORCH_RECORD_H_
#define QCONFORM_CLI_VISION_TORCH_RECORD_H_

#include <filesystem>
#include <string>
#include <unordered_map>

#include "cli/vision/graph_lines.h"

namespace qconform::vision {

// "== TITLE" starts a section; "== TITLE is OTHER" says that its lines are those of a
// section above; the section "kinds" holds lines "K3 = TEXT", which lines of other
// sections name: "PATH: K3 ...".
class TorchRecord {
 public:
  // Throws InputError.
  explicit TorchRecord(const std::filesystem::path& file);

  const std::string& heading() const { return heading_; }
  // Throws InputError if there is no such section.
  const Lines& Section(const std::string& title) const;

 private:
  std::string name_;
  std::string heading_;
  std::unordered_map<std::string, Lines> sections_;
};

}  // namespace qconform::vision

#endif  // QCONFORM_CLI_VISION_TORCH_RECORD_H_
