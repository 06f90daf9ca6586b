#include "conformance/host/wire.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace qconform {
namespace {

using Clock = std::chrono::steady_clock;

bool WriteAll(int descriptor, iovec head, iovec payload) {
  iovec parts[2] = {head, payload};
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    ssize_t written = sendmsg(descriptor, &message, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    for (iovec& part : parts) {
      const size_t done = std::min(part.iov_len, static_cast<size_t>(written));
      part.iov_base = static_cast<char*>(part.iov_base) + done;
      part.iov_len -= done;
      written -= static_cast<ssize_t>(done);
    }
  }
  return true;
}

ReadStatus ReadAll(int descriptor, void* data, size_t size, bool forever,
                   Clock::time_point deadline) {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    int wait = -1;
    if (!forever) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      wait = static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
    }
    pollfd poller{descriptor, POLLIN, 0};
    const int ready = poll(&poller, 1, wait);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return ReadStatus::kTimedOut;
    const ssize_t got = read(descriptor, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ReadStatus::kClosed;
    to += got;
    size -= static_cast<size_t>(got);
  }
  return ReadStatus::kFrame;
}

struct FrameHead {
  uint64_t size;
  FrameKind kind;
};

}  // namespace

bool WriteFrame(int descriptor, FrameKind kind, const void* payload, size_t size) {
  FrameHead head;
  std::memset(&head, 0, sizeof head);
  head.size = size;
  head.kind = kind;
  return WriteAll(descriptor, {&head, sizeof head}, {const_cast<void*>(payload), size});
}

ReadStatus ReadFrame(int descriptor, int64_t deadline_ms, Frame& frame) {
  const bool forever = deadline_ms < 0;
  const auto deadline = Clock::now() + std::chrono::milliseconds(deadline_ms);
  FrameHead head;
  ReadStatus status = ReadAll(descriptor, &head, sizeof head, forever, deadline);
  if (status != ReadStatus::kFrame) return status;
  if (head.size > kLargestFrame) throw WireError("a frame of absurd size");
  frame.kind = head.kind;
  frame.payload.resize(head.size);
  return ReadAll(descriptor, frame.payload.data(), head.size, forever, deadline);
}

}  // namespace qconform
