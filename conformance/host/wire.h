// Bytes between the host and its worker: plain values in host order, then frames
// of a kind, a length and a payload. What a worker sends is never trusted, for a
// backend may have scribbled over its memory.
#ifndef QCONFORM_CONFORMANCE_HOST_WIRE_H_
#define QCONFORM_CONFORMANCE_HOST_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace qconform {

// The other side sent nonsense.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteWriter {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void Put(const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void PutVector(const std::vector<T>& values) {
    Put<uint64_t>(values.size());
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(T));
  }
  void PutString(const std::string& text) {
    Put<uint64_t>(text.size());
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), bytes, bytes + text.size());
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T> T Get() {
    T value;
    std::memcpy(&value, Take(sizeof(T)), sizeof(T));
    return value;
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T> std::vector<T> GetVector() {
    const size_t count = GetCount(sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), Take(count * sizeof(T)), count * sizeof(T));
    return values;
  }
  std::string GetString() {
    const size_t count = GetCount(1);
    return {reinterpret_cast<const char*>(Take(count)), count};
  }
  // A count of items that take at least `item_size` bytes each from here on.
  size_t GetCount(size_t item_size) {
    const auto count = Get<uint64_t>();
    if (count > (bytes_.size() - offset_) / item_size) throw WireError("short message");
    return static_cast<size_t>(count);
  }

 private:
  const std::byte* Take(size_t count) {
    if (count > bytes_.size() - offset_) throw WireError("short message");
    const std::byte* from = bytes_.data() + offset_;
    offset_ += count;
    return from;
  }

  const std::vector<std::byte>& bytes_;
  size_t offset_ = 0;
};

enum class FrameKind : uint8_t {
  kLoad = 'L',      // host: file name of a backend
  kCall = 'C',      // host: an operator call
  kIdentity = 'I',  // worker: the backend that was loaded
  kUnusable = 'E',  // worker: one line, why it was not
  kBounds = 'B',    // worker, out of its signal handler: what was touched
  kReply = 'R',     // worker: the outcome of a call
};

struct Frame {
  FrameKind kind;
  std::vector<std::byte> payload;
};

// Frames longer than this are nonsense.
inline constexpr uint64_t kLargestFrame = uint64_t{1} << 32;

// Writes all or returns false (the other side is gone). Safe in signal handlers.
bool WriteFrame(int descriptor, FrameKind kind, const void* payload, size_t size);

enum class ReadStatus { kFrame, kClosed, kTimedOut };

// Waits until `deadline_ms` milliseconds from now; negative: for ever. Throws
// WireError on an absurd length.
ReadStatus ReadFrame(int descriptor, int64_t deadline_ms, Frame& frame);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_WIRE_H_
