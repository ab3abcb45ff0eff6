// SPDX-License-Identifier: MIT
//
// Memory, buffers, layouts and sets for tests. What a test makes here is destroyed after it.
#pragma once

#include <functional>
#include <vector>

#include "icd/descriptor/descriptor_set.h"
#include "test_device.h"

namespace spalt::icd::test {

/// What a buffer descriptor says.
struct DescribedBuffer {
  uint64_t address = 0;
  uint32_t size = 0;
  uint32_t word3 = 0;
  bool operator==(const DescribedBuffer&) const = default;
};

class ResourceTest : public testing::Test {
 public:
  ~ResourceTest() override;

 protected:
  VkDevice device() const { return device_->handle(); }
  Device& driver_device() const { return from_handle<Device>(device()); }
  VkPhysicalDevice physical() const { return device_->physical(); }
  /// Another device, with the environment as it is now; what was made before is destroyed.
  void restart();

  VkDeviceMemory memory(uint64_t size, const void* next = nullptr);
  VkBuffer buffer(uint64_t size, VkBufferCreateFlags flags = 0, const void* next = nullptr);
  /// Bound to memory of its own.
  VkBuffer bound_buffer(uint64_t size);
  VkDescriptorSetLayout layout(const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                               VkDescriptorSetLayoutCreateFlags flags = 0, const void* next = nullptr);
  VkDescriptorPool pool(uint32_t max_sets, const std::vector<VkDescriptorPoolSize>& sizes,
                        VkDescriptorPoolCreateFlags flags = 0, const void* next = nullptr);
  VkResult allocate_set(VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet& set,
                        const void* next = nullptr) const;
  /// From a pool that has enough of everything.
  VkDescriptorSet set(VkDescriptorSetLayout layout, const void* next = nullptr);

  void write_buffer(VkDescriptorSet set, uint32_t binding, const VkDescriptorBufferInfo& info, uint32_t element = 0,
                    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) const;
  /// At a byte of the table of a set.
  static DescribedBuffer described(VkDescriptorSet set, uint32_t offset);
  static DescribedBuffer described(const std::byte* place);

  void at_end(std::function<void()> destroy) { cleanup_.push_back(std::move(destroy)); }

 private:
  void clean_up();

  std::unique_ptr<TestDevice> device_ = std::make_unique<TestDevice>();
  std::vector<std::function<void()>> cleanup_;
};

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count = 1);

/// Stores a dword at `index` of a buffer that is described as `size` bytes at `address`, in a shader on the emulator.
spalt_fault probe_store(Device& device, uint64_t address, uint64_t size, uint32_t index);

}  // namespace spalt::icd::test
