#include "conformance/shrink/csv_line.h"

#include "conformance/host/operator_call.h"

namespace qconform {

std::string SuiteCsvHeader() {
  return "operator,x,w,y,weights,bias,activation,n,c,size,o,kernel,stride,dilation,"
         "padding,groups,zx,zw,zy,fill\n";
}

std::string SuiteCsvLine(const SuiteRow& row) {
  std::string line = row.operator_name;
  const auto add = [&line](const std::string& field) { line += "," + field; };
  for (const qc_dtype dtype : {row.x, row.w, row.y}) add(AbiDTypeName(dtype));
  add(row.per_channel ? "per_channel" : "per_tensor");
  add(row.bias);
  add(row.relu ? "relu" : "none");
  add(NumbersText(row.n));
  add(std::to_string(row.c));
  add(NumbersText(row.size));
  add(std::to_string(row.o));
  for (const Numbers* numbers : {&row.kernel, &row.stride, &row.dilation})
    add(NumbersText(*numbers));
  add(row.is_linear()
          ? ""
          : NumbersText(row.padding_before) + "_" + NumbersText(row.padding_after));
  add(std::to_string(row.groups));
  for (const int32_t zero_point : {row.zx, row.zw, row.zy})
    add(std::to_string(zero_point));
  add(FillName(row.fill));
  return line + "\n";
}

}  // namespace qconform
