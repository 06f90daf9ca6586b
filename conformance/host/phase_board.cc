#include "conformance/host/phase_board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>

namespace qconform {
namespace {

constexpr int kFirstDescriptor = 10;

[[noreturn]] void Fail() {
  throw std::system_error(errno, std::generic_category(), "a page for the worker");
}

char* Map(int descriptor) {
  void* page =
      mmap(nullptr, kPhaseBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return page == MAP_FAILED ? nullptr : static_cast<char*>(page);
}

}  // namespace

PhaseBoard::PhaseBoard() {
  const int file = memfd_create("qconform_phase", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) Fail();
  descriptor_ = fcntl(file, F_DUPFD_CLOEXEC, kFirstDescriptor);
  close(file);
  // Sealed, for a page behind the end of its file cannot be read.
  if (descriptor_ < 0 || ftruncate(descriptor_, kPhaseBytes) != 0 ||
      fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    Fail();
  page_ = Map(descriptor_);
  if (page_ == nullptr) Fail();
}

PhaseBoard::~PhaseBoard() {
  munmap(page_, kPhaseBytes);
  close(descriptor_);
}

void PhaseBoard::Clear() { std::memset(page_, 0, kPhaseBytes); }

Phase PhaseBoard::Last() const {
  const std::string_view text(page_, kPhaseBytes);
  const auto end =
      std::find_if(text.begin(), text.end(), [](char c) { return c < 'a' || c > 'z'; });
  Phase phase{{text.begin(), end}, ""};
  if (end == text.end() || *end != ' ') return phase;
  phase.asked.assign(end + 1, std::find_if(end + 1, text.end(),
                                           [](char c) { return c < ' ' || c > '~'; }));
  return phase;
}

char* OpenPhaseBoard(int descriptor) {
  char* board = Map(descriptor);
  close(descriptor);
  return board;
}

void WritePhase(char* board, const char* phase, const char* asked) {
  if (board == nullptr) return;
  std::memset(board, 0, kPhaseBytes);
  std::snprintf(board, kPhaseBytes, "%s%s%s", phase, *asked == '\0' ? "" : " ", asked);
}

}  // namespace qconform
