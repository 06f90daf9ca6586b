// A folder below TMPDIR that goes with its owner.
#ifndef QCONFORM_CONFORMANCE_HOST_SCRATCH_FOLDER_H_
#define QCONFORM_CONFORMANCE_HOST_SCRATCH_FOLDER_H_

#include <filesystem>
#include <string>

namespace qconform {

class ScratchFolder {
 public:
  // Its name begins with qconform_ and `name`. Removes folders of that name whose owner
  // was killed: nobody holds their lock. Throws std::system_error.
  explicit ScratchFolder(const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Removes what is in it; another folder in its place would not be locked.
  void Clear();

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // the folder itself, open
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_SCRATCH_FOLDER_H_
