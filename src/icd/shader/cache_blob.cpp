// SPDX-License-Identifier: MIT
#include "icd/shader/cache_blob.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace spalt::icd {
namespace {

struct EntryHead {
  XXH128_hash_t checksum;
  uint64_t body_bytes;
};

constexpr uint32_t spalt_statistics::*kNumbers[] = {
    &spalt_statistics::instructions,  &spalt_statistics::code_bytes,    &spalt_statistics::sgprs,
    &spalt_statistics::vgprs,         &spalt_statistics::spilled_sgprs, &spalt_statistics::spilled_vgprs,
    &spalt_statistics::lds_bytes,     &spalt_statistics::scratch_bytes, &spalt_statistics::wave_size,
    &spalt_statistics::waves_per_simd};
constexpr size_t kNumberCount = std::size(kNumbers) + 3;

/// What comes before the ELF.
struct BodyHead {
  uint64_t key[2];
  uint32_t statistics[kNumberCount + kNumberCount % 2];  // an even number, so that no byte is left to chance
};
static_assert(sizeof(VkPipelineCacheHeaderVersionOne) == 32);
static_assert(sizeof(BodyHead) % 8 == 0 && sizeof(EntryHead) == 24);

VkPipelineCacheHeaderVersionOne make_header(const VkPhysicalDeviceProperties& device) {
  VkPipelineCacheHeaderVersionOne header{};
  header.headerSize = sizeof(header);
  header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header.vendorID = device.vendorID;
  header.deviceID = device.deviceID;
  std::copy(std::begin(device.pipelineCacheUUID), std::end(device.pipelineCacheUUID), header.pipelineCacheUUID);
  return header;
}

BodyHead make_body_head(const CacheKey& key, const spalt_statistics& statistics) {
  BodyHead head{{key.first, key.second}, {}};
  uint32_t* number = head.statistics;
  for (auto member : kNumbers) *number++ = statistics.*member;
  std::copy(std::begin(statistics.workgroup_size), std::end(statistics.workgroup_size), number);
  return head;
}

spalt_statistics read_statistics(const BodyHead& head) {
  auto statistics = spalt_api::sized<spalt_statistics>();
  const uint32_t* number = head.statistics;
  for (auto member : kNumbers) statistics.*member = *number++;
  std::copy(number, number + 3, std::begin(statistics.workgroup_size));
  return statistics;
}

/// The body of the entry at the front of `bytes`, which it takes off; empty: damaged. None: no entry begins here.
std::optional<std::span<const std::byte>> take_body(std::span<const std::byte>& bytes) {
  EntryHead head;
  if (bytes.size() < sizeof(head)) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof(head));
  bytes = bytes.subspan(sizeof(head));
  if (head.body_bytes > bytes.size()) return std::nullopt;
  const auto body = bytes.first(head.body_bytes);
  bytes = bytes.subspan(head.body_bytes);
  if (body.size() < sizeof(BodyHead)) return std::span<const std::byte>();
  const XXH128_hash_t checksum = XXH3_128bits(body.data(), body.size());
  return XXH128_isEqual(checksum, head.checksum) != 0 ? body : std::span<const std::byte>();
}

void read_body(std::span<const std::byte> body, ShaderCache& cache) {
  BodyHead head;
  std::memcpy(&head, body.data(), sizeof(head));
  const auto elf = body.subspan(sizeof(head));
  auto shader = std::make_shared<CompiledShader>();
  shader->statistics = read_statistics(head);
  shader->elf.assign(elf.begin(), elf.end());
  cache.insert({head.key[0], head.key[1]}, std::move(shader));
}

size_t entry_bytes(const CacheEntry& entry) {
  return sizeof(EntryHead) + sizeof(BodyHead) + entry.second->elf.size();
}

void write_entry(const CacheEntry& entry, std::byte* output) {
  const std::vector<std::byte>& elf = entry.second->elf;
  const BodyHead body_head = make_body_head(entry.first, entry.second->statistics);
  std::byte* body = output + sizeof(EntryHead);
  std::memcpy(body, &body_head, sizeof(body_head));
  std::copy(elf.begin(), elf.end(), body + sizeof(body_head));
  const size_t body_bytes = sizeof(body_head) + elf.size();
  const EntryHead head{XXH3_128bits(body, body_bytes), body_bytes};
  std::memcpy(output, &head, sizeof(head));
}

}  // namespace

void read_cache_blob(std::span<const std::byte> blob, const VkPhysicalDeviceProperties& device, ShaderCache& cache) {
  const VkPipelineCacheHeaderVersionOne own = make_header(device);
  if (blob.size() < sizeof(own) || std::memcmp(blob.data(), &own, sizeof(own)) != 0) return;
  blob = blob.subspan(sizeof(own));
  while (const auto body = take_body(blob)) {
    if (!body->empty()) read_body(*body, cache);
  }
}

VkResult write_cache_blob(const ShaderCache& cache, const VkPhysicalDeviceProperties& device, size_t* size,
                          void* data) {
  const VkPipelineCacheHeaderVersionOne header = make_header(device);
  const std::vector<CacheEntry> entries = cache.entries();
  if (data == nullptr) {
    *size = sizeof(header);
    for (const CacheEntry& entry : entries) *size += entry_bytes(entry);
    return VK_SUCCESS;
  }
  const size_t available = *size;
  *size = 0;
  if (available < sizeof(header)) return VK_INCOMPLETE;
  auto* output = static_cast<std::byte*>(data);
  std::memcpy(output, &header, sizeof(header));
  *size = sizeof(header);
  for (const CacheEntry& entry : entries) {
    if (entry_bytes(entry) > available - *size) return VK_INCOMPLETE;
    write_entry(entry, output + *size);
    *size += entry_bytes(entry);
  }
  return VK_SUCCESS;
}

}  // namespace spalt::icd
