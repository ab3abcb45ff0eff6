// SPDX-License-Identifier: MIT
//
// Commands that follow the layouts of images and send messages about accesses in others, for SPALT_ICD_LAYOUTS. Without
// it images have no ImageLayouts, and nothing is recorded.
#pragma once

#include "icd/command/command_buffer.h"
#include "icd/resource/image.h"

namespace spalt::icd {

enum class TransferAccess : uint8_t { read, write };

/// What a transfer is about to do with these subresources, and in which layout it says that they are. `command` lives
/// for ever.
struct DeclaredAccess {
  const char* command;
  VkImageLayout layout;
  TransferAccess access;
};
void record_access(CommandBuffer& commands, const Image& image, const VkImageSubresourceLayers& layers,
                   const DeclaredAccess& declared);
void record_access(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range,
                   const DeclaredAccess& declared);

/// The transitions of barriers, once the barriers themselves are recorded.
void record_transitions(CommandBuffer& commands, uint32_t count, const VkImageMemoryBarrier* barriers);
void record_transitions(CommandBuffer& commands, uint32_t count, const VkImageMemoryBarrier2* barriers);

/// A transition that a render pass makes: from VK_IMAGE_LAYOUT_UNDEFINED it discards the contents.
void record_transition(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range,
                       VkImageLayout from, VkImageLayout to);
/// What rendering writes.
void record_written(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range);

/// The images that the shader of the bound pipeline uses, for the dispatch that comes next.
void record_described_accesses(CommandBuffer& commands);

}  // namespace spalt::icd
