// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as the entries of a pipeline cache. Checksums are made right first, so that changes reach what they
// protect: what is read is written to data that reads the same, and each code object loads or is refused with a cause.
// Seeds: one entry with an ELF of `spalt compile`.
#include <xxhash.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "icd/shader/cache_blob.h"
#include "spalt/device.hpp"

namespace {

using namespace spalt::icd;

constexpr size_t kHeaderBytes = 32, kEntryHeadBytes = 24, kSizeOffset = 16;
constexpr VkPhysicalDeviceProperties kDevice{};

void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::vector<std::byte> written(const ShaderCache& cache) {
  size_t size = 0;
  write_cache_blob(cache, kDevice, &size, nullptr);
  std::vector<std::byte> bytes(size);
  if (write_cache_blob(cache, kDevice, &size, bytes.data()) != VK_SUCCESS || size != bytes.size()) fail("other size");
  return bytes;
}

/// Every entry that ends inside of the data gets the checksum of its body.
void repair(std::vector<std::byte>& blob) {
  for (size_t at = kHeaderBytes; blob.size() - at >= kEntryHeadBytes;) {
    uint64_t body = 0;
    std::memcpy(&body, &blob[at + kSizeOffset], sizeof(body));
    if (body > blob.size() - at - kEntryHeadBytes) return;
    const XXH128_hash_t checksum = XXH3_128bits(blob.data() + at + kEntryHeadBytes, body);
    std::memcpy(&blob[at], &checksum, sizeof(checksum));
    at += kEntryHeadBytes + body;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::byte> blob = written({});
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  blob.insert(blob.end(), bytes, bytes + size);
  repair(blob);
  ShaderCache cache, again;
  read_cache_blob(blob, kDevice, cache);
  const std::vector<std::byte> first = written(cache);
  read_cache_blob(first, kDevice, again);
  if (written(again) != first) fail("reads other entries than it wrote");
  for (const auto& [key, shader] : cache.entries()) {
    const spalt_api::AddressSpace space;
    const spalt_api::Program program(space, shader->elf.data(), shader->elf.size());
    if (!program.ok() && program.outcome().message.empty()) fail("a code object is refused without a cause");
  }
  return 0;
}
