// SPDX-License-Identifier: MIT
#include "icd/memory/host_pages.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace spalt::icd {
namespace {

constexpr uint8_t kJunk = 0xcd;

}  // namespace

HostPages::HostPages(uint64_t size) : size_(size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(pages);
}

HostPages::~HostPages() {
  if (data_ != nullptr) munmap(data_, size_);
}

void HostPages::fill_with_junk() {
  std::memset(data_, kJunk, size_);
}

}  // namespace spalt::icd
