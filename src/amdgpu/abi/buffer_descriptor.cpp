// SPDX-License-Identifier: MIT
#include "amdgpu/abi/buffer_descriptor.h"

#include <algorithm>

#include "amdgpu/abi/descriptor_fields.h"
#include "amdgpu/abi/image_format.h"

namespace spalt::abi {
namespace {

constexpr uint32_t kCheckOffsetAndIndex = 0, kCheckIndex = 1;  // OOB_SELECT

}  // namespace

std::array<uint32_t, 4> raw_buffer_descriptor(uint64_t address, uint32_t bytes, const isa::Target& target) {
  if (bytes == 0) return {};
  const uint64_t base = address & ((uint64_t{1} << kBufferAddressBits) - 1);
  return {static_cast<uint32_t>(base), static_cast<uint32_t>(base >> 32), bytes, target.buffer_resource_word3};
}

std::array<uint32_t, 4> vertex_buffer_descriptor(const VertexBuffer& buffer, const isa::Target& target) {
  if (buffer.bytes == 0 || buffer.bytes < buffer.element_bytes) return {};
  auto words = raw_buffer_descriptor(buffer.address, UINT32_MAX, target);
  const BufferFields& fields = buffer_fields(target);
  if (buffer.stride == 0) {
    fields.num_records.set(words, std::min<uint64_t>(buffer.bytes, UINT32_MAX));
    return words;
  }
  const uint64_t elements = (buffer.bytes - buffer.element_bytes) / buffer.stride + 1;
  fields.stride.set(words, buffer.stride);
  fields.num_records.set(words, std::min<uint64_t>(elements, UINT32_MAX));
  fields.oob_select.set(words, kCheckIndex);
  return words;
}

std::optional<std::array<uint32_t, 4>> typed_buffer_descriptor(uint64_t address, uint64_t bytes,
                                                               const texel::Format& format, const isa::Target& target) {
  const auto code = image_format_code(format.layout, target);
  if (!code || (format_uses(format, target) & (kUseTexelBuffer | kUseStorageTexelBuffer)) == 0) return std::nullopt;
  const uint64_t texels = std::min<uint64_t>(bytes / format.shape().bytes, UINT32_MAX);
  if (texels == 0) return std::array<uint32_t, 4>{};

  const BufferFields& fields = buffer_fields(target);
  auto words = raw_buffer_descriptor(address, UINT32_MAX, target);
  fields.stride.set(words, format.shape().bytes);
  fields.num_records.set(words, texels);
  fields.format.set(words, *code & fields.format.max());
  fields.number_format.set(words, *code >> kDataFormatBits & fields.number_format.max());
  fields.oob_select.set(words, kCheckOffsetAndIndex);
  for (size_t c = 0; c < format.swizzle.size(); ++c) fields.dst_sel[c].set(words, select_code(format.swizzle[c]));
  return words;
}

}  // namespace spalt::abi
