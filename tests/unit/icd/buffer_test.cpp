// SPDX-License-Identifier: MIT
//
// Buffers: ranges, requirements, addresses, SPALT_ICD_STRICT_BUFFERS.
#include <cstring>

#include "icd/resource/buffer_view.h"
#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

using BufferTest = ResourceTest;

VkResult bind(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, uint64_t offset) {
  const VkBindBufferMemoryInfo info{VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, buffer, memory, offset};
  return entry::BindBufferMemory2(device, 1, &info);
}

uint64_t address_of(VkDevice device, VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return entry::GetBufferDeviceAddress(device, &info);
}

TEST_F(BufferTest, LiesWhereItIsBound) {
  VkDeviceMemory memory = this->memory(65536);
  VkBuffer buffer = this->buffer(1000);
  ASSERT_EQ(bind(device(), buffer, memory, 1024), VK_SUCCESS);
  const auto& inside = from_handle<DeviceMemory>(memory);
  EXPECT_EQ(address_of(device(), buffer), inside.address() + 1024);
  EXPECT_EQ(from_handle<Buffer>(buffer).host(), inside.host() + 1024);
}

TEST_F(BufferTest, CutsRangesOff) {
  VkBuffer handle = bound_buffer(1000);
  const auto& buffer = from_handle<Buffer>(handle);
  const auto size = [&](uint64_t offset, uint64_t wanted) { return buffer_range(&buffer, offset, wanted).size; };
  EXPECT_EQ(size(0, VK_WHOLE_SIZE), 1000u);
  EXPECT_EQ(size(996, VK_WHOLE_SIZE), 4u);
  EXPECT_EQ(size(100, 200), 200u);
  EXPECT_EQ(size(900, 200), 100u);
  EXPECT_EQ(size(1000, VK_WHOLE_SIZE), 0u);
  EXPECT_EQ(size(UINT64_MAX, 8), 0u) << "sums must not wrap around";
  EXPECT_EQ(size(8, UINT64_MAX - 1), 992u);
  EXPECT_EQ(buffer_range(nullptr, 8, 8).size, 0u);
  EXPECT_EQ(buffer_range(&buffer, 100, 4).address, buffer.address() + 100);
}

TEST_F(BufferTest, NeedsItsSizeInCacheLines) {
  VkMemoryRequirements needs{};
  entry::GetBufferMemoryRequirements(device(), buffer(65), &needs);
  EXPECT_EQ(needs.size, 128u);
  EXPECT_EQ(needs.alignment, 64u);
  EXPECT_EQ(needs.memoryTypeBits, 1u);

  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  const VkDeviceBufferMemoryRequirements question{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, nullptr, &info};
  VkMemoryDedicatedRequirements dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS, nullptr, 7, 7};
  VkMemoryRequirements2 answer{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, &dedicated};
  info.size = 128;
  entry::GetDeviceBufferMemoryRequirements(device(), &question, &answer);
  EXPECT_EQ(answer.memoryRequirements.size, 128u);
  EXPECT_EQ(dedicated.prefersDedicatedAllocation, VkBool32{VK_FALSE});
  EXPECT_EQ(dedicated.requiresDedicatedAllocation, VkBool32{VK_FALSE});
  info.size = UINT64_MAX;
  entry::GetDeviceBufferMemoryRequirements(device(), &question, &answer);
  EXPECT_EQ(answer.memoryRequirements.size, UINT64_MAX) << "rounding must not wrap around";
}

TEST_F(BufferTest, IsNoLargerThanTheHeap) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, UINT64_MAX};
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateBuffer(device(), &info, nullptr, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(BufferTest, MayBeDestroyedAfterItsMemory) {
  for (const char* strict : {"0", "1"}) {
    const Environment variable("SPALT_ICD_STRICT_BUFFERS", strict);
    restart();
    VkBuffer buffer = this->buffer(4096);
    ASSERT_EQ(bind(device(), buffer, memory(4096), 0), VK_SUCCESS);
  }  // what was made last is destroyed first
}

TEST_F(BufferTest, IsCheckedAgainstTheAddressItWasMadeFor) {
  VkDeviceMemory memory = this->memory(65536);
  const uint64_t base = from_handle<DeviceMemory>(memory).address();
  const VkBufferOpaqueCaptureAddressCreateInfo wanted{VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                      nullptr, base + 512};
  VkBuffer buffer = this->buffer(64, VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT, &wanted);
  EXPECT_EQ(bind(device(), buffer, memory, 0), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  EXPECT_EQ(bind(device(), buffer, memory, 512), VK_SUCCESS);
  EXPECT_EQ(address_of(device(), buffer), base + 512);
}

/// The store after the first buffer hits the second one, unless buffers are strict.
TEST_F(BufferTest, StrictOnesFaultWhereTheyEnd) {
  for (const bool strict : {false, true}) {
    const Environment variable("SPALT_ICD_STRICT_BUFFERS", strict ? "1" : "0");
    restart();
    VkDeviceMemory memory = this->memory(65536);
    VkBuffer first = buffer(256), second = buffer(256);
    ASSERT_EQ(bind(device(), first, memory, 0), VK_SUCCESS);
    ASSERT_EQ(bind(device(), second, memory, 256), VK_SUCCESS);
    const uint64_t address = address_of(device(), first);
    EXPECT_EQ(probe_store(driver_device(), address, 65536, 63).kind, uint32_t{SPALT_FAULT_NONE});
    const spalt_fault fault = probe_store(driver_device(), address, 65536, 64);
    EXPECT_EQ(fault.kind, uint32_t{strict ? SPALT_FAULT_UNMAPPED : SPALT_FAULT_NONE});
    uint32_t value = 0;
    std::memcpy(&value, from_handle<Buffer>(second).host(), 4);
    EXPECT_EQ(value, strict ? 0u : 1u);
    std::memcpy(&value, from_handle<Buffer>(first).host() + 252, 4);
    EXPECT_EQ(value, 1u) << "a strict buffer has the bytes of its memory";
  }
}

TEST_F(BufferTest, StrictOnesMayShareMemory) {
  const Environment variable("SPALT_ICD_STRICT_BUFFERS", "1");
  restart();
  VkDeviceMemory memory = this->memory(4096);
  VkBuffer first = buffer(4096), second = buffer(128);
  ASSERT_EQ(bind(device(), first, memory, 0), VK_SUCCESS);
  ASSERT_EQ(bind(device(), second, memory, 64), VK_SUCCESS);
  EXPECT_EQ(probe_store(driver_device(), address_of(device(), second), 128, 1).kind, uint32_t{SPALT_FAULT_NONE});
  uint32_t value = 0;
  std::memcpy(&value, from_handle<Buffer>(first).host() + 68, 4);
  EXPECT_EQ(value, 1u);
}

TEST_F(BufferTest, StrictOnesAreReplayed) {
  const Environment variable("SPALT_ICD_STRICT_BUFFERS", "1");
  restart();
  constexpr VkBufferCreateFlags kFlags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
  VkDeviceMemory memory = this->memory(4096);
  VkBuffer first = buffer(64, kFlags), second = buffer(64, kFlags);
  ASSERT_EQ(bind(device(), first, memory, 0), VK_SUCCESS);
  ASSERT_EQ(bind(device(), second, memory, 64), VK_SUCCESS);
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, second};
  const uint64_t captured = entry::GetBufferOpaqueCaptureAddress(device(), &info);
  restart();
  const VkBufferOpaqueCaptureAddressCreateInfo wanted{VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                      nullptr, captured};
  VkBuffer again = buffer(64, kFlags, &wanted);
  ASSERT_EQ(bind(device(), again, this->memory(4096), 128), VK_SUCCESS);
  EXPECT_EQ(address_of(device(), again), captured);
}

TEST_F(BufferTest, ViewsCountTexelsOfTheirRange) {
  VkBuffer buffer = bound_buffer(1000);
  VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer;
  info.format = VK_FORMAT_R32_UINT;
  info.offset = 100;
  info.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateBufferView(device(), &info, nullptr, &view), VK_SUCCESS);
  const auto words = from_handle<BufferView>(view).words();
  EXPECT_EQ(words[0], static_cast<uint32_t>(from_handle<Buffer>(buffer).address() + 100));
  EXPECT_EQ(words[2], 225u);
  entry::DestroyBufferView(device(), view, nullptr);
}

TEST_F(BufferTest, NullHandlesAreDestroyedInPeace) {
  entry::DestroyBuffer(device(), VK_NULL_HANDLE, nullptr);
  entry::DestroyBufferView(device(), VK_NULL_HANDLE, nullptr);
  entry::DestroySampler(device(), VK_NULL_HANDLE, nullptr);
  entry::FreeMemory(device(), VK_NULL_HANDLE, nullptr);
}

}  // namespace
}  // namespace spalt::icd::test
