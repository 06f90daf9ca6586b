// What a call must leave as it found it: the floating point environment, the handler of
// memory faults, and what lies behind the struct that it answers in.
#ifndef QCONFORM_CONFORMANCE_HOST_MANNERS_H_
#define QCONFORM_CONFORMANCE_HOST_MANNERS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace qconform {

// The rounding mode and, where the processor has them, the bits that flush denormals and
// mask exceptions, the precision of the x87, and its registers, which MMX code takes.
class FloatingPointEnvironment {
 public:
  FloatingPointEnvironment();  // as it is now
  // What has changed since, in words; "" for nothing. Puts it back.
  std::string Restore() const;

 private:
  int rounding_;
  uint32_t control_;
  uint16_t x87_control_;
};

// A struct of the ABI that a backend writes, zeroed and with its size set, and bytes
// behind it that it must not touch.
template <typename T>
class GuardedAnswer {
 public:
  GuardedAnswer() {
    std::memset(&answer_, 0, sizeof answer_);
    answer_.size = sizeof answer_;
    std::memset(behind_, kBehind, sizeof behind_);
  }
  T* get() { return &answer_; }
  const T* operator->() const { return &answer_; }
  // Looks through a volatile: the compiler has seen nobody write here.
  bool IsOverrun() const {
    for (size_t i = 0; i < sizeof behind_; ++i)
      if (const_cast<const volatile unsigned char*>(behind_)[i] != kBehind) return true;
    return false;
  }

 private:
  static constexpr unsigned char kBehind = 0xC7;
  T answer_;
  unsigned char behind_[256];
};

// The handler of SIGSEGV: through it reads beside a buffer are seen.
// It is to stay as it is now.
void ExpectFaultHandler();
// Whether it has been replaced since it was last expected; puts it back.
bool RestoreFaultHandler();

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_MANNERS_H_
