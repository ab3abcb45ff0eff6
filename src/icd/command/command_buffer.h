// SPDX-License-Identifier: MIT
//
// Command pools and command buffers.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "icd/command/binding_state.h"
#include "icd/command/recording.h"
#include "icd/object/result.h"

namespace spalt::icd {

class CommandBuffer;

/// What commands of a layer above keep while they record.
class RecordingState {
 public:
  virtual ~RecordingState() = default;
  virtual void clear() noexcept = 0;
};

class CommandPool : public Object {
 public:
  using Handle = VkCommandPool;
  CommandPool(Device& device, const HostMemory& memory, const VkCommandPoolCreateInfo& info);
  ~CommandPool();

  Device& device() const { return *device_; }
  uint32_t queue_family() const { return queue_family_; }
  const std::shared_ptr<ChunkCache>& chunks() const { return chunks_; }

  CommandBuffer* create(VkCommandBufferLevel level);
  void destroy(CommandBuffer* buffer);
  void reset(bool release);
  void trim() { chunks_->trim(); }

 private:
  Device* device_;
  uint32_t queue_family_;
  HostMemory memory_;
  std::shared_ptr<ChunkCache> chunks_;  // of its recordings, too, which may outlive it
  CommandBuffer* first_ = nullptr;      // all of its buffers, a list in both directions
};

/// Addresses of the buffers with descriptors that are bound.
using DescriptorBuffers = std::array<uint64_t, kMaxDescriptorBuffers>;

class CommandBuffer : public Dispatchable {
 public:
  using Handle = VkCommandBuffer;
  CommandBuffer(CommandPool& pool, VkCommandBufferLevel level) : pool_(&pool), level_(level) {}

  Device& device() const { return pool_->device(); }
  CommandPool& pool() const { return *pool_; }
  VkCommandBufferLevel level() const { return level_; }

  VkResult begin(const VkCommandBufferBeginInfo& info);
  /// The first error of what was recorded, or VK_SUCCESS.
  VkResult end();
  /// Forgets everything; the memory goes to the pool.
  void reset() noexcept;

  /// Runs the body of a command that records something. Commands cannot fail, so errors wait for end().
  template <typename Body>
  void record(Body&& body) noexcept {
    const VkResult result = guarded([&] {
      body();
      return VK_SUCCESS;
    });
    if (result != VK_SUCCESS && error_ == VK_SUCCESS) error_ = result;
  }
  template <typename T>
  void append(const T& command) {
    Recording& recorded = recording();
    recorded.list.append(recorded.arena, command);
  }
  /// Keeps something alive for as long as its commands may run.
  void keep(std::shared_ptr<const void> content) { recording().kept.push_back(std::move(content)); }

  /// What comes next is recorded there. Throws std::bad_alloc.
  Recording& recording();
  /// nullptr: nothing was recorded.
  RecordingRef recorded() const { return recording_; }
  HostArena& arena() { return recording().arena; }
  TableArena& tables() { return recording().tables; }
  /// Of dispatches.
  BindingState& bindings() { return bindings_; }
  /// Of draws.
  BindingState& graphics_bindings() { return graphics_bindings_; }
  DescriptorBuffers& descriptor_buffers() { return descriptor_buffers_; }
  BindingState& bindings(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_GRAPHICS ? graphics_bindings_ : bindings_;
  }

  /// Cleared with the rest; made by who uses it.
  std::unique_ptr<RecordingState> graphics;

 private:
  friend class CommandPool;
  CommandPool* pool_;
  VkCommandBufferLevel level_;
  CommandBuffer* previous_ = nullptr;  // in the list of the pool
  CommandBuffer* next_ = nullptr;
  std::shared_ptr<Recording> recording_;
  BindingState bindings_;
  BindingState graphics_bindings_;
  DescriptorBuffers descriptor_buffers_{};
  VkResult error_ = VK_SUCCESS;
};

/// Entry points of commands: `record(commandBuffer, [&](CommandBuffer& commands) { ... })`.
template <typename Body>
void record(VkCommandBuffer handle, Body&& body) noexcept {
  auto& commands = from_handle<CommandBuffer>(handle);
  commands.record([&] { body(commands); });
}

}  // namespace spalt::icd
