#include "reference/exported/archive.h"

#include <gtest/gtest.h>

#include "reference/exported/edited_archive.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

std::string TiedBytes() { return ReadFileBytes(Pt2TestFile("tied.pt2")); }

// What opening the archive and reading all of its members says.
std::string ErrorOfBytes(const std::string& bytes) {
  return ErrorOf([&] {
    Archive archive = Archive::Parse(BytesInMemory(bytes), "f.pt2");
    for (const std::string& member : archive.Members()) archive.Read(member);
  });
}

TEST(Archive, MapsStoredMembers) {
  const MappedBytes memory = BytesInMemory(TiedBytes());
  Archive archive = Archive::Parse(memory, "f.pt2");
  EXPECT_EQ(archive.Read("byteorder"), "little");
  const MappedBytes stored = archive.Map("data/weights/weight_0");
  EXPECT_GE(stored.storage.get(), memory.storage.get());
  EXPECT_LE(stored.storage.get() + stored.size, memory.storage.get() + memory.size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(stored.storage.get()), stored.size),
            archive.Read("data/weights/weight_0"));
}

TEST(Archive, UnpacksOtherMembers) {
  const std::string content(4096, 'x');
  const std::string bytes = WithMember(TiedBytes(), "packed", content, ZIP_CM_DEFLATE);
  Archive archive = Archive::Parse(BytesInMemory(bytes), "f.pt2");
  EXPECT_EQ(archive.Read("packed"), content);
  const MappedBytes packed = archive.Map("packed");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(packed.storage.get()), packed.size),
            content);
}

TEST(Archive, MappedMemoryOutlivesTheArchive) {
  MappedBytes weight;
  {
    Archive archive = Archive::Open(Pt2TestFile("tied.pt2"));
    weight = archive.Map("data/weights/weight_0");
  }
  weight.storage[0] = std::byte{1};  // private: the file keeps its own
  EXPECT_EQ(weight.storage[0], std::byte{1});
  EXPECT_EQ(ErrorOfBytes(TiedBytes()), "no error");
}

TEST(Archive, RefusesNamesThatLeaveTheFolder) {
  const std::string bytes = TiedBytes();
  const std::string name = "tied/data/weights/weight_0";
  EXPECT_NE(
      ErrorOfBytes(Replaced(bytes, name, "tied/data/../../../eight_0")).find("climbs"),
      std::string::npos);
  EXPECT_NE(
      ErrorOfBytes(Replaced(bytes, name, "/ied/data/weights/weight_0")).find("absolute"),
      std::string::npos);
  EXPECT_NE(ErrorOfBytes(Replaced(bytes, name, "tied\\data\\weights\\weight_0"))
                .find("backslash"),
            std::string::npos);
  EXPECT_NE(ErrorOfBytes(Replaced(bytes, name, "else/data/weights/weight_0"))
                .find("it is outside 'else'"),
            std::string::npos);
  EXPECT_NE(ErrorOfBytes(Replaced(bytes, name, "tied/data/weights/weight_1"))
                .find("already exists"),
            std::string::npos);
}

TEST(Archive, RefusesCutFiles) {
  const std::string bytes = TiedBytes();
  for (size_t size = 0; size < bytes.size(); size += 61) {
    const std::string error = ErrorOfBytes(bytes.substr(0, size));
    EXPECT_TRUE(error.starts_with("f.pt2: ")) << size << ": " << error;
  }
}

TEST(Archive, RefusesBytesThatContradictTheirChecksum) {
  const std::string bytes = Replaced(TiedBytes(), "schema_version", "schema_Version");
  EXPECT_NE(ErrorOfBytes(bytes).find("member 'models/model.json'"), std::string::npos)
      << ErrorOfBytes(bytes);
}

TEST(Archive, BoundsWhatIsUnpacked) {
  // 16 MB of zeros pack into 16 KB; the directory is made to say that they are 4 GB.
  const std::string zeros(16 << 20, '\0');
  std::string bytes = WithMember(TiedBytes(), "bomb", zeros, ZIP_CM_DEFLATE);
  EXPECT_EQ(ErrorOfBytes(bytes), "no error");
  const std::string size("\0\0\0\x01", 4);
  ASSERT_NE(bytes.find(size), std::string::npos);
  bytes = Replaced(bytes, size, std::string("\0\0\0\xF0", 4));
  EXPECT_NE(ErrorOfBytes(bytes).find("what so many can hold"), std::string::npos)
      << ErrorOfBytes(bytes);
}

TEST(Archive, RefusesWhatIsNoArchive) {
  EXPECT_TRUE(ErrorOfBytes("").starts_with("f.pt2: "));
  EXPECT_TRUE(ErrorOfBytes(std::string(1000, 'a')).starts_with("f.pt2: "));
  EXPECT_NE(ErrorOf([] { Archive::Open("/nowhere.pt2"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(ErrorOf([] { Archive::Open("/tmp"); }).find("no regular file"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
