// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "icd/resource/buffer.h"

namespace spalt::icd {

/// The descriptor of a texel buffer; null where shaders can do nothing with it.
std::array<uint32_t, 4> texel_buffer_words(const Device& device, uint64_t address, uint64_t size, VkFormat format);

/// A texel buffer. The bits of its descriptor are made once.
class BufferView : public Object {
 public:
  using Handle = VkBufferView;
  BufferView(const Device& device, const VkBufferViewCreateInfo& info);

  /// Null where shaders can do nothing with it.
  const std::array<uint32_t, 4>& words() const { return words_; }

 private:
  std::array<uint32_t, 4> words_{};
};

}  // namespace spalt::icd
