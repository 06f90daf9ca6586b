// What LLVM really emitted: no object may hold an instruction that its path does not
// ask the processor for (path.h), and pmaddubsw, which saturates, stands only in the
// kernels of short sums.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>

namespace qconform::kernels {
namespace {

namespace fs = std::filesystem;

std::string Disassemble(const fs::path& object) {
  std::string text;
  const std::string command =
      "objdump -d --no-show-raw-insn --no-addresses " + object.string();
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 65536> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

const std::string kSaturating = "v?pmaddubsw";
// Of every path: AMD's SSE4a; AMX; AVX512-FP16 and VP2INTERSECT.
const std::string kNowhere =
    "extrq|insertq|movnts[sd]|tile\\w+|tdp\\w+|vp2intersect\\w*|v\\w+[ps]h";
// What only the features of the path avx512vnni bring.
const std::string kOnlyVnni =
    "vpdp\\w+|vpermb|vperm[it]2b|vpmultishiftqb|vpmadd52\\w+|v?gf2p8\\w+|vpopcnt\\w+|"
    "vpshufbitqmb|vpcompress[bw]|vpexpand[bw]|vpsh[lr]dv?[wdq]|vcvtne\\w+|vdpbf16ps";

// An instruction of `text` that begins with `mnemonics` or uses `registers`.
std::string FirstMatch(const std::string& text, const std::string& mnemonics,
                       const std::string& registers) {
  std::string pattern = "\\n\\s+(" + mnemonics + ")\\b[^\\n]*";
  if (!registers.empty()) pattern += "|\\n[^\\n]*(" + registers + ")[^\\n]*";
  std::smatch match;
  // Line by line: a regular expression over a whole listing would recurse too deep.
  const std::regex expression(pattern);
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::string line = "\n" + text.substr(begin, end - begin);
    if (std::regex_search(line, match, expression)) return match[0];
    begin = end + 1;
  }
  return "";
}

TEST(Instructions, EachObjectKeepsToItsPath) {
  int objects = 0;
  for (const auto& entry : fs::directory_iterator(QCONFORM_OBJECT_FOLDER)) {
    const std::string name = entry.path().stem();
    const std::string path = name.substr(name.rfind('_') + 1);
    const std::string text = Disassemble(entry.path());
    ASSERT_GT(text.size(), 1000u) << entry.path() << ": objdump gave nothing";
    std::string match;
    const bool short_sums = name.find("_short") != std::string::npos;
    EXPECT_EQ(FirstMatch(text, kSaturating, "") != "", short_sums) << name;
    if (path == "sse41") {
      match = FirstMatch(text, kNowhere + "|v\\w+", "%[yz]mm");
    } else if (path == "avx2") {
      match = FirstMatch(text, kNowhere + "|" + kOnlyVnni,
                         "%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\\d|3\\d)");
    } else if (path == "avx512") {
      match = FirstMatch(text, kNowhere + "|" + kOnlyVnni, "");
    } else {
      ASSERT_EQ(path, "avx512vnni") << name;
      match = FirstMatch(text, kNowhere, "%tmm");
      const bool products = name.find("conv") != std::string::npos ||
                            name.find("linear") != std::string::npos;
      const bool bytes = products && name.ends_with("_u8_avx512vnni");
      EXPECT_EQ(text.find("vpdpbusd") != std::string::npos, bytes) << name;
    }
    EXPECT_EQ(match, "") << name;
    ++objects;
  }
  EXPECT_GE(objects, 24) << QCONFORM_OBJECT_FOLDER;
}

// The search itself must be able to find something.
TEST(Instructions, SearchFinds) {
  EXPECT_NE(FirstMatch("\n\tvpmaddubsw %ymm0,%ymm1,%ymm2", kSaturating, ""), "");
  EXPECT_NE(FirstMatch("\n\tvaddph %zmm0,%zmm1,%zmm2", kNowhere, ""), "");
  EXPECT_NE(FirstMatch("\n\tvpaddd %zmm0,%zmm1,%zmm2", kNowhere, "%zmm"), "");
  EXPECT_NE(FirstMatch("\n\tvpermb %zmm0,%zmm1,%zmm2", kOnlyVnni, ""), "");
  EXPECT_EQ(FirstMatch("\n\tvpmaddwd %ymm0,%ymm1,%ymm2", kNowhere + "|" + kOnlyVnni, ""),
            "");
  EXPECT_EQ(FirstMatch("\n\tvpshufd $1,%xmm0,%xmm1", kNowhere + "|" + kOnlyVnni, ""), "");
}

}  // namespace
}  // namespace qconform::kernels
