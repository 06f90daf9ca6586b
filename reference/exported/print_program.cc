// Prints the record of a .pt2 file: `exported_programs.py --check` compares it with
// torch's.
#include <cstdio>

#include "reference/exported/program_record.h"
#include "reference/exported/pt2_file.h"
#include "reference/ir/error.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: print_program FILE.pt2\n");
    return 4;
  }
  try {
    const auto zeros = [](const std::string&, qconform::DType dtype,
                          const qconform::Shape& shape) {
      return qconform::Tensor(dtype, shape);
    };
    const qconform::ExportedProgram program = qconform::ReadPt2File(argv[1], zeros);
    std::printf("%s\n", qconform::ProgramRecord(program).dump().c_str());
  } catch (const qconform::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 4;
  }
  return 0;
}
