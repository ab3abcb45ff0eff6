// SPDX-License-Identifier: MIT
//
// Copies, fills and updates of buffers as commands.
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/transfer/buffer_transfer.h"

namespace spalt::icd {
namespace {

struct Copy {
  MemoryRange source, destination;
  void transfer() const { copy_bytes(source, destination); }
  bool execute(Execution& execution) const {
    const bool there =
        execution.can_touch(source, SPALT_ACCESS_LOAD) && execution.can_touch(destination, SPALT_ACCESS_STORE);
    return there ? execution.transfer(*this) : execution.goes_on();
  }
};

struct Fill {
  MemoryRange range;
  uint32_t word;
  void transfer() const { fill_words(range, word); }
  bool execute(Execution& execution) const {
    return execution.can_touch(range, SPALT_ACCESS_STORE) ? execution.transfer(*this) : execution.goes_on();
  }
};

/// VkBufferCopy and VkBufferCopy2 have the same members.
template <typename Region>
void record_copies(VkCommandBuffer handle, VkBuffer source, VkBuffer destination, uint32_t count,
                   const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      const Region& region = regions[i];
      commands.append(Copy{buffer_range(from_nullable<Buffer>(source), region.srcOffset, region.size),
                           buffer_range(from_nullable<Buffer>(destination), region.dstOffset, region.size)});
    }
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkBuffer dstBuffer,
                                                uint32_t regionCount, const VkBufferCopy* pRegions) {
  record_copies(commandBuffer, srcBuffer, dstBuffer, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBuffer2(VkCommandBuffer commandBuffer,
                                                 const VkCopyBufferInfo2* pCopyBufferInfo) {
  const VkCopyBufferInfo2& info = *pCopyBufferInfo;
  record_copies(commandBuffer, info.srcBuffer, info.dstBuffer, info.regionCount, info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer,
                                                VkDeviceSize dstOffset, VkDeviceSize size, uint32_t data) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    commands.append(Fill{buffer_range(from_nullable<Buffer>(dstBuffer), dstOffset, size), data});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdUpdateBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer,
                                                  VkDeviceSize dstOffset, VkDeviceSize dataSize, const void* pData) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    auto* copy = static_cast<std::byte*>(commands.arena().allocate(dataSize));
    std::memcpy(copy, pData, dataSize);
    commands.append(Copy{{0, copy, dataSize}, buffer_range(from_nullable<Buffer>(dstBuffer), dstOffset, dataSize)});
  });
}

}  // namespace spalt::icd
