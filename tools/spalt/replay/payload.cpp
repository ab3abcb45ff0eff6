// SPDX-License-Identifier: MIT
#include "replay/payload.h"

#include <zlib.h>

#include <utility>

namespace spalt_tool::replay {
namespace {

constexpr uint32_t kUncompressed = 1;
constexpr uint32_t kZlib = 2;
/// Deflate makes at most 258 bytes of 2 bits.
constexpr uint64_t kMostBytesPerByte = 1032;

}  // namespace

const char* check_sizes(const Record& record) {
  if (record.compression != kUncompressed && record.compression != kZlib) return "its compression is not known";
  if (record.bytes > kMaxPayloadBytes || record.stored_bytes > kMaxPayloadBytes) {
    return "it claims to have more than 64 MiB, which nothing has that is recorded";
  }
  if (record.compression == kUncompressed && record.bytes != record.stored_bytes) {
    return "it is not compressed, but has two sizes";
  }
  if (record.bytes > record.stored_bytes * kMostBytesPerByte) return "it claims more bytes than its data can become";
  return nullptr;
}

const char* decode_payload(const Record& record, std::vector<uint8_t> stored, std::vector<uint8_t>& payload) {
  if (record.checksum != 0 &&
      crc32(crc32(0, nullptr, 0), stored.data(), static_cast<uInt>(stored.size())) != record.checksum) {
    return "its checksum does not match";
  }
  if (record.compression == kUncompressed) {
    payload = std::move(stored);
    return nullptr;
  }
  payload.resize(record.bytes);
  uLongf got = record.bytes;
  uLong taken = static_cast<uLong>(stored.size());
  const int result = uncompress2(payload.data(), &got, stored.data(), &taken);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK || got != record.bytes) return "its data cannot be decompressed";
  return nullptr;
}

}  // namespace spalt_tool::replay
