#include "reference/ir/large_storage.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace qconform {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kMostKept = size_t{256} << 20;

struct Block {
  void* base = nullptr;
  std::byte* bytes = nullptr;  // at a whole huge page
  size_t mapped = 0;
  size_t size = 0;
};

Block MapBlock(size_t size) {
  const size_t mapped = size + kHugePage;
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
  void* base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<uintptr_t>(base);
  const size_t shift = (kHugePage - address % kHugePage) % kHugePage;
  Block block{base, static_cast<std::byte*>(base) + shift, mapped, size};
#ifdef MADV_HUGEPAGE
  // Advice only: without it the memory is as good.
  madvise(block.bytes, size, MADV_HUGEPAGE);
#endif
  return block;
}

// Blocks that were given back, the latest last.
class SpareBlocks {
 public:
  // As many as fit, of 4 MB each: giving one back must not fail for want of memory.
  SpareBlocks() { blocks_.reserve(kMostKept >> 22); }

  // One that is not much too large; a block without bytes if there is none.
  Block Take(size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = blocks_.size(); i-- > 0;) {
      if (blocks_[i].size < size || blocks_[i].size / 2 > size) continue;
      const Block block = blocks_[i];
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
      kept_ -= block.size;
      return block;
    }
    return {};
  }

  void Give(const Block& block) {
    if (block.size > kMostKept) {
      munmap(block.base, block.mapped);
      return;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    while (!blocks_.empty() && kept_ + block.size > kMostKept) {
      munmap(blocks_.front().base, blocks_.front().mapped);
      kept_ -= blocks_.front().size;
      blocks_.erase(blocks_.begin());
    }
    blocks_.push_back(block);  // never more than was reserved
    kept_ += block.size;
  }

 private:
  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t kept_ = 0;
};

// Outlives every tensor.
SpareBlocks& Spare() {
  static auto* const spare = new SpareBlocks();
  return *spare;
}

}  // namespace

std::shared_ptr<std::byte[]> LargeStorage(size_t size, Contents contents) {
  Block block = Spare().Take(size);
  if (block.bytes == nullptr) {
    block = MapBlock(size);
  } else if (contents == Contents::kZeros) {
    std::memset(block.bytes, 0, size);
  }
  return {block.bytes, [block](std::byte*) { Spare().Give(block); }};
}

}  // namespace qconform
