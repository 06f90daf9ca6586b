// The zip file of torch.export.save: members below one root folder.
#ifndef QCONFORM_REFERENCE_EXPORTED_ARCHIVE_H_
#define QCONFORM_REFERENCE_EXPORTED_ARCHIVE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "reference/exported/mapped_file.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

class Archive {
 public:
  // What members that are unpacked or copied may take together; mapped ones are free.
  static constexpr uint64_t kMaxCopiedBytes = uint64_t{1} << 32;

  // Throw InputError "name: ..." on anything but a consistent zip file whose members
  // have plain relative names, each once, below one root folder.
  static Archive Open(const std::filesystem::path& path);
  static Archive Parse(MappedBytes bytes, std::string name);

  const std::string& name() const { return name_; }
  // Names without the root folder, in the order of the directory.
  std::vector<std::string> Members() const;
  bool Has(const std::string& member) const { return members_.Contains(member); }
  // Throws InputError if there is no such member.
  uint64_t SizeOf(const std::string& member) const;

  // The member's bytes, checked against its checksum. Throws InputError also if it holds
  // other bytes than the directory says, or too many.
  std::string Read(const std::string& member);
  // The member's memory in the mapped file where it is stored there at a multiple of 16
  // bytes; its checksum is not read then, as torch does not. Unpacked or copied
  // otherwise.
  MappedBytes Map(const std::string& member);

  // "file: member 'data/weights/weight_0'": for messages about its contents.
  std::string Where(const std::string& member) const;

 private:
  struct Handle;
  struct Member {
    uint64_t index = 0;
    uint64_t size = 0;
    uint64_t packed_size = 0;
    bool stored = false;
  };

  Archive() = default;
  void List();
  void CheckName(const std::string& full_name) const;
  const Member& Require(const std::string& member) const;
  uint64_t OffsetOf(const std::string& name, const Member& member);
  // Calls take(bytes, count) for each piece. Throws as Read does.
  template <typename Take>
  void Unpack(const std::string& name, const Member& member, const Take& take);

  std::string name_;
  MappedBytes bytes_;
  std::shared_ptr<Handle> handle_;
  OrderedMap<Member> members_;
  uint64_t copied_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_ARCHIVE_H_
