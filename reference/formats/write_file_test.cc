#include "reference/formats/write_file.h"

#include <gtest/gtest.h>

#include "reference/formats/base64.h"
#include "reference/formats/sha256.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

TEST(WriteFileTest, ReplacesAndLeavesNothingElse) {
  const fs::path folder = fs::path(testing::TempDir()) / "qconform_write_file_test";
  fs::remove_all(folder);
  WriteFileAtomically(folder / "sub" / "a", "one");
  WriteFileAtomically(folder / "sub" / "a", std::string("t\0wo", 4));
  EXPECT_EQ(ReadFileBytes(folder / "sub" / "a"), std::string("t\0wo", 4));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "sub"), {}), 1);
  // A folder in the way: an error, and the temporary file is gone.
  EXPECT_NE(ErrorOf([&] { WriteFileAtomically(folder / "sub", "x"); }), "no error");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  EXPECT_EQ(ErrorOf([&] {
              WriteFileAtomically(folder / "sub/a/b", "x");
            }).find(" cannot be created") != std::string::npos,
            true);
  fs::remove_all(folder);
}

TEST(WriteFileTest, RequireWritableLeavesNothing) {
  const fs::path folder = fs::path(testing::TempDir()) / "qconform_require_writable_test";
  fs::remove_all(folder);
  WriteFileAtomically(folder / "a", "one");
  for (const char* good : {"a", "b", "new/sub/b"}) {
    EXPECT_EQ(ErrorOf([&] { RequireWritable(folder / good); }), "no error") << good;
  }
  for (const fs::path& bad :
       {folder, folder / "a/b", folder / "a/b/c", fs::path("/proc/qconform"),
        fs::path("/dev/null"), fs::path()}) {
    EXPECT_NE(ErrorOf([&] { RequireWritable(bad); }), "no error") << bad;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  EXPECT_EQ(ReadFileBytes(folder / "a"), "one");
  fs::remove_all(folder);
}

// FIPS 180-4 examples.
TEST(Sha256Test, KnownDigests) {
  EXPECT_EQ(Sha256Hex(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// RFC 4648, section 10.
TEST(Base64Test, KnownTexts) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : cases) {
    const std::string text(plain);
    EXPECT_EQ(EncodeBase64(std::as_bytes(std::span(text))), encoded);
    std::string decoded(DecodedBase64Size(encoded), '\0');
    EXPECT_TRUE(DecodeBase64(encoded, std::as_writable_bytes(std::span(decoded))));
    EXPECT_EQ(decoded, plain);
  }
  for (const char* wrong : {"Zg", "Zg=", "Z===", "=", "====", "Zh==", "Z=8=", "Zm9-"}) {
    std::string decoded(DecodedBase64Size(wrong), '\0');
    EXPECT_FALSE(DecodeBase64(wrong, std::as_writable_bytes(std::span(decoded))))
        << wrong;
  }
}

}  // namespace
}  // namespace qconform
