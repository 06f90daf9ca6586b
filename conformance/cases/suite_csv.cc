#include "conformance/cases/suite_csv.h"

// csv.h cuts long file names on purpose, and g++ warns where that is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif

#include <charconv>
#include <string>
#include <unordered_set>

#include "conformance/host/operator_call.h"
#include "datasets/csv.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Reader =
    io::CSVReader<20, io::trim_chars<' ', '\t', '\r'>, io::double_quote_escape<',', '"'>,
                  io::throw_on_overflow, io::single_line_comment<'#'>>;

int64_t Number(const std::string& text, int64_t otherwise, const std::string& where) {
  if (text.empty()) return otherwise;
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > (1 << 20) || value < -(1 << 20))
    throw InputError(where, "'" + text + "'", "a number");
  return value;
}

qc_dtype DTypeIn(const std::string& text, const std::string& where) {
  auto dtype = ParseAbiDType(text);
  if (!dtype) throw InputError(where, "dtype '" + text + "'", "u8, s8 or f32");
  return *dtype;
}

bool Choice(const std::string& text, const char* no, const char* yes,
            const std::string& where) {
  if (text != no && text != yes)
    throw InputError(where, "'" + text + "'", std::string(no) + " or " + yes);
  return text == yes;
}

struct Fields {
  std::string operator_name, x, w, y, weights, bias, activation, n, c, o, size, kernel,
      stride, dilation, padding, groups, zx, zw, zy, fill;
};

SuiteRow RowFrom(const Fields& f, const std::string& suite, const std::string& where) {
  SuiteRow row;
  row.suite = suite;
  row.operator_name = f.operator_name;
  row.x = DTypeIn(f.x, where);
  row.w = DTypeIn(f.w, where);
  row.y = DTypeIn(f.y, where);
  row.per_channel = Choice(f.weights, "per_tensor", "per_channel", where);
  row.bias = f.bias.empty() ? "none" : f.bias;
  row.relu = Choice(f.activation.empty() ? "none" : f.activation, "none", "relu", where);
  row.n = ParseNumbers(f.n, where);
  row.c = Number(f.c, 0, where);
  row.o = Number(f.o, 0, where);
  row.size = ParseNumbers(f.size, where);
  row.kernel = ParseNumbers(f.kernel, where);
  row.stride = ParseNumbers(f.stride, where);
  row.dilation = ParseNumbers(f.dilation, where);
  const size_t sides = f.padding.find('_');
  row.padding_before = ParseNumbers(f.padding.substr(0, sides), where);
  if (sides != std::string::npos)
    row.padding_after = ParseNumbers(f.padding.substr(sides + 1), where);
  row.groups = Number(f.groups, 1, where);
  row.zx = static_cast<int32_t>(Number(f.zx, 0, where));
  row.zw = static_cast<int32_t>(Number(f.zw, 0, where));
  row.zy = static_cast<int32_t>(Number(f.zy, 0, where));
  auto fill = ParseFill(f.fill);
  if (!fill) throw InputError(where, "fill '" + f.fill + "'", "the name of a fill");
  row.fill = *fill;
  CompleteRow(row, where);
  return row;
}

}  // namespace

std::vector<SuiteRow> ReadSuite(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::is_regular_file(file))
    throw InputError(name, "no such file", "a suite in CSV");
  std::vector<SuiteRow> rows;
  std::unordered_set<std::string> ids;
  try {
    Reader reader(name);
    reader.read_header(io::ignore_no_column, "operator", "x", "w", "y", "weights", "bias",
                       "activation", "n", "c", "o", "size", "kernel", "stride",
                       "dilation", "padding", "groups", "zx", "zw", "zy", "fill");
    Fields f;
    while (reader.read_row(f.operator_name, f.x, f.w, f.y, f.weights, f.bias,
                           f.activation, f.n, f.c, f.o, f.size, f.kernel, f.stride,
                           f.dilation, f.padding, f.groups, f.zx, f.zw, f.zy, f.fill)) {
      const std::string where = name + ":" + std::to_string(reader.get_file_line());
      rows.push_back(RowFrom(f, file.stem().string(), where));
      if (!ids.insert(IdOf(rows.back())).second)
        throw InputError(where, "this case stands in the file twice", "one row a case");
    }
  } catch (const io::error::base& error) {
    throw InputError(name, error.what(), "a suite in CSV");
  }
  if (rows.empty()) throw InputError(name, "no case in it", "at least one row");
  return rows;
}

}  // namespace qconform
