#include "reference/exported/archive.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/exported/archive_source.h"
#include "reference/exported/quoted_text.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr size_t kPiece = size_t{1} << 16;
// What a mapped member's place must be a multiple of: the largest element of any dtype.
constexpr uint64_t kAlignment = 16;
// Deflate gives at most 1032 bytes for one.
constexpr uint64_t kMostUnpackedOfOne = 1032;

class OpenMember {
 public:
  OpenMember(zip_t* archive, uint64_t index, zip_flags_t flags)
      : file_(zip_fopen_index(archive, index, flags)) {}
  ~OpenMember() {
    if (file_ != nullptr) zip_fclose(file_);
  }
  OpenMember(const OpenMember&) = delete;
  OpenMember& operator=(const OpenMember&) = delete;
  zip_file_t* file() const { return file_; }

 private:
  zip_file_t* file_;
};

}  // namespace

struct Archive::Handle {
  explicit Handle(const MappedBytes& bytes) : source(bytes.storage.get(), bytes.size) {}
  ~Handle() {
    if (zip != nullptr) zip_discard(zip);
  }
  ArchiveSource source;
  zip_t* zip = nullptr;
};

Archive Archive::Open(const std::filesystem::path& path) {
  return Parse(MapFile(path), path.string());
}

Archive Archive::Parse(MappedBytes bytes, std::string name) {
  Archive archive;
  archive.name_ = std::move(name);
  archive.bytes_ = std::move(bytes);
  archive.handle_ = std::make_shared<Handle>(archive.bytes_);
  std::string reason;
  archive.handle_->zip = archive.handle_->source.Open(reason);
  if (archive.handle_->zip == nullptr) {
    throw InputError(archive.name_, reason, "a whole .pt2 archive of torch.export.save");
  }
  archive.List();
  return archive;
}

std::string Archive::Where(const std::string& member) const {
  return name_ + ": member " + Quoted(member);
}

void Archive::CheckName(const std::string& full_name) const {
  const auto refuse = [&](const char* what) {
    throw InputError(Where(full_name), what, "a plain name below one root folder");
  };
  if (full_name.empty() || full_name.front() == '/') refuse("its name is absolute");
  if (full_name.find('\\') != std::string::npos) refuse("its name has a backslash");
  size_t start = 0;
  while (start <= full_name.size()) {
    const size_t end = std::min(full_name.find('/', start), full_name.size());
    const std::string part = full_name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") refuse("its name climbs");
    start = end + 1;
  }
}

void Archive::List() {
  const zip_int64_t count = zip_get_num_entries(handle_->zip, 0);
  std::string root;
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    const auto index = static_cast<zip_uint64_t>(i);
    constexpr zip_uint64_t kNeeded =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(handle_->zip, index, ZIP_FL_ENC_RAW, &status) != 0 ||
        (status.valid & kNeeded) != kNeeded) {
      throw InputError(name_, "entry " + std::to_string(i) + " has no sizes",
                       "a whole directory");
    }
    const std::string full_name = status.name;
    CheckName(full_name);
    const size_t slash = full_name.find('/');
    if (slash == std::string::npos) {
      throw InputError(Where(full_name), "it is in no folder",
                       "all members below one root folder");
    }
    if (root.empty()) root = full_name.substr(0, slash);
    if (full_name.substr(0, slash) != root) {
      throw InputError(Where(full_name), "it is outside " + Quoted(root),
                       "all members below one root folder");
    }
    Member member{index, status.size, status.comp_size,
                  status.comp_method == ZIP_CM_STORE};
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 &&
        status.encryption_method != ZIP_EM_NONE) {
      throw InputError(Where(full_name), "it is encrypted", "a plain member");
    }
    if (!member.stored && status.comp_method != ZIP_CM_DEFLATE) {
      throw InputError(Where(full_name),
                       "its compression method is " + std::to_string(status.comp_method),
                       "0 (stored) or 8 (deflated)");
    }
    const bool plausible = member.stored
                               ? member.size == member.packed_size
                               : member.size / kMostUnpackedOfOne <= member.packed_size;
    if (!plausible || member.packed_size > bytes_.size) {
      throw InputError(Where(full_name),
                       "it is said to have " + std::to_string(member.size) +
                           " bytes in " + std::to_string(member.packed_size),
                       "what so many can hold");
    }
    const std::string short_name = full_name.substr(slash + 1);
    if (members_.Contains(short_name)) {
      throw InputError(Where(full_name), "its name stands twice", "each name once");
    }
    members_.Set(short_name, member);
  }
  if (members_.empty()) {
    throw InputError(name_, "the archive is empty", "a .pt2 archive");
  }
}

std::vector<std::string> Archive::Members() const {
  std::vector<std::string> names;
  names.reserve(members_.size());
  for (const auto& [name, member] : members_) names.push_back(name);
  return names;
}

const Archive::Member& Archive::Require(const std::string& member) const {
  const Member* found = members_.Find(member);
  if (found == nullptr) {
    throw InputError(name_, "there is no member " + Quoted(member), "one of that name");
  }
  return *found;
}

uint64_t Archive::SizeOf(const std::string& member) const { return Require(member).size; }

uint64_t Archive::OffsetOf(const std::string& name, const Member& member) {
  const OpenMember open(handle_->zip, member.index, ZIP_FL_COMPRESSED);
  std::byte first = {};
  if (open.file() == nullptr || zip_fread(open.file(), &first, 1) != 1) {
    throw InputError(Where(name), "it cannot be read", "a whole member");
  }
  const uint64_t offset = handle_->source.last_read();
  if (offset > bytes_.size || member.size > bytes_.size - offset) {
    throw InputError(Where(name), "it ends beyond the file", "a whole member");
  }
  return offset;
}

template <typename Take>
void Archive::Unpack(const std::string& name, const Member& member, const Take& take) {
  if (member.size > kMaxCopiedBytes - copied_) {
    throw InputError(Where(name), "it has " + std::to_string(member.size) + " bytes",
                     "at most " + std::to_string(kMaxCopiedBytes) +
                         " bytes of unpacked members in all");
  }
  copied_ += member.size;
  const OpenMember open(handle_->zip, member.index, 0);
  uint64_t total = 0;
  std::byte piece[kPiece];
  while (open.file() != nullptr) {
    const zip_int64_t count = zip_fread(open.file(), piece, kPiece);
    if (count < 0) break;
    total += static_cast<uint64_t>(count);
    if (total > member.size) break;
    if (count == 0 && total == member.size) return;
    if (count == 0) break;
    take(piece, static_cast<size_t>(count));
  }
  const std::string reason = open.file() == nullptr ? zip_strerror(handle_->zip)
                                                    : zip_file_strerror(open.file());
  throw InputError(Where(name), "it cannot be read: " + reason,
                   std::to_string(member.size) + " bytes with the right checksum");
}

std::string Archive::Read(const std::string& name) {
  std::string bytes;
  Unpack(name, Require(name), [&bytes](const std::byte* piece, size_t count) {
    bytes.append(reinterpret_cast<const char*>(piece), count);
  });
  return bytes;
}

MappedBytes Archive::Map(const std::string& name) {
  const Member& member = Require(name);
  if (member.size == 0) return {};
  if (member.stored) {
    const uint64_t offset = OffsetOf(name, member);
    if (offset % kAlignment == 0) {
      std::byte* start = bytes_.storage.get() + offset;
      return {std::shared_ptr<std::byte[]>(bytes_.storage, start),
              static_cast<size_t>(member.size)};
    }
  }
  // Grows with what is really there, not with what the directory says.
  const std::string bytes = Read(name);
  MappedBytes copy{std::make_shared_for_overwrite<std::byte[]>(bytes.size()),
                   bytes.size()};
  std::memcpy(copy.storage.get(), bytes.data(), bytes.size());
  return copy;
}

}  // namespace qconform
