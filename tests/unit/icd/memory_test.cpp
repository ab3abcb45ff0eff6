// SPDX-License-Identifier: MIT
//
// Device memory: addresses, gaps, the heap, imports.
#include <cstring>
#include <random>
#include <thread>

#include "icd/memory/device_space.h"
#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

uint64_t address_of(VkDeviceMemory memory) {
  return from_handle<DeviceMemory>(memory).address();
}

TEST(AddressRange, FillsTheFirstGapThatIsLargeEnough) {
  AddressRange range(0x100000, 0x10000000, 0x10000);
  EXPECT_EQ(range.take(0x10000), 0x100000u);
  EXPECT_EQ(range.take(1), 0x120000u) << "the gap after the first one is in the unit after it";
  EXPECT_EQ(range.take(0x8000), 0x130000u);
  range.give_back(0x120000);
  EXPECT_EQ(range.take(0x10000), 0x140000u) << "with its gap it does not fit between the others";
  EXPECT_EQ(range.take(0x8000), 0x120000u);
}

TEST(AddressRange, RefusesWhatOverlapsOrLeavesNoGap) {
  AddressRange range(0x100000, 0x200000, 0x10000);
  EXPECT_TRUE(range.take_at(0x140000, 0x8000));
  EXPECT_FALSE(range.take_at(0x140000, 1));
  EXPECT_FALSE(range.take_at(0x130000, 0x10000)) << "no gap after it";
  EXPECT_TRUE(range.take_at(0x130000, 0xf000));
  EXPECT_FALSE(range.take_at(0x150001, 1)) << "not aligned";
  EXPECT_FALSE(range.take_at(0xf0000, 1)) << "below the range";
  EXPECT_FALSE(range.take_at(0x200000, 1)) << "above the range";
  EXPECT_FALSE(range.take_at(0x1f0000, 0x10000)) << "no gap before the end";
  EXPECT_FALSE(range.take_at(0x150000, UINT64_MAX)) << "sizes must not wrap around";
  EXPECT_EQ(range.take(UINT64_MAX), std::nullopt);
  EXPECT_EQ(range.take(0x100000), std::nullopt);
}

/// Against a search of every place from the start.
TEST(AddressRange, IsFirstFit) {
  constexpr uint64_t kBegin = 0x100000, kEnd = 0x900000, kUnit = 0x10000, kPage = 0x1000;
  AddressRange range(kBegin, kEnd, kUnit);
  std::map<uint64_t, uint64_t> taken;  // address -> end with gap
  std::mt19937 random(1);
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0 && !taken.empty()) {
      const auto victim = std::next(taken.begin(), random() % taken.size());
      range.give_back(victim->first);
      taken.erase(victim);
      continue;
    }
    const uint64_t size = random() % 0x40000 + 1;
    const uint64_t with_gap = (size + kPage - 1) / kPage * kPage + kPage;
    std::optional<uint64_t> wanted;
    for (uint64_t place = kBegin; !wanted && place + with_gap <= kEnd; place += kUnit) {
      bool free = true;
      for (const auto& [address, end] : taken) free &= end <= place || address >= place + with_gap;
      if (free) wanted = place;
    }
    ASSERT_EQ(range.take(size), wanted) << "step " << step;
    if (wanted) taken.emplace(*wanted, *wanted + with_gap);
  }
}

using MemoryTest = ResourceTest;

TEST_F(MemoryTest, IsZeroAndMapped) {
  VkDeviceMemory memory = this->memory(100'000);
  void* data = nullptr;
  ASSERT_EQ(entry::MapMemory(device(), memory, 50'000, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (int i = -50'000; i < 50'000; ++i) ASSERT_EQ(bytes[i], 0);
  entry::UnmapMemory(device(), memory);
}

TEST_F(MemoryTest, HoldsJunkWhenPoisoned) {
  const Environment poison("SPALT_ICD_POISON", "1");
  restart();
  void* data = nullptr;
  ASSERT_EQ(entry::MapMemory(device(), memory(5000), 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  for (int i = 0; i < 5000; ++i) ASSERT_NE(static_cast<const uint8_t*>(data)[i], 0);
}

TEST_F(MemoryTest, HasTheSameAddressesEachTime) {
  const auto addresses = [&] {
    std::vector<uint64_t> list;
    for (const uint64_t size : {1u, 65536u, 65537u, 4096u, 1u << 20}) list.push_back(address_of(memory(size)));
    return list;
  };
  const std::vector<uint64_t> first = addresses();
  TestDevice other;
  restart();
  EXPECT_EQ(addresses(), first);
}

TEST_F(MemoryTest, GapsFault) {
  const uint64_t first = address_of(memory(65536));
  const uint64_t second = address_of(memory(65536));
  EXPECT_EQ(probe_store(driver_device(), first, 65536, 65532 / 4).kind, uint32_t{SPALT_FAULT_NONE});
  for (const uint64_t address : {first - 4, first + 65536, second - 4, second + 65536}) {
    const spalt_fault fault = probe_store(driver_device(), address - 400, 404, 100);
    EXPECT_EQ(fault.kind, uint32_t{SPALT_FAULT_UNMAPPED});
    EXPECT_EQ(fault.address, address);
  }
}

TEST_F(MemoryTest, AFreedBlockFaults) {
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(entry::AllocateMemory(device(), &info, nullptr, &memory), VK_SUCCESS);
  const uint64_t address = address_of(memory);
  EXPECT_EQ(probe_store(driver_device(), address, 4096, 0).kind, uint32_t{SPALT_FAULT_NONE});
  entry::FreeMemory(device(), memory, nullptr);
  EXPECT_EQ(probe_store(driver_device(), address, 4096, 0).kind, uint32_t{SPALT_FAULT_UNMAPPED});
}

TEST_F(MemoryTest, TablesCannotBeWrittenByShaders) {
  const OwnedBlock table(driver_device().space(),
                         driver_device().space().allocate(Range::tables, 4096, "a table of descriptors"));
  const spalt_fault fault = probe_store(driver_device(), table->address, 4096, 3);
  EXPECT_EQ(fault.kind, uint32_t{SPALT_FAULT_READ_ONLY});
  EXPECT_STREQ(fault.mapping, "a table of descriptors");
}

TEST_F(MemoryTest, EndsWithTheHeap) {
  const Environment heap("SPALT_ICD_HEAP", "2G");
  restart();
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, kGiB + 1, 0};
  VkDeviceMemory first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  ASSERT_EQ(entry::AllocateMemory(device(), &info, nullptr, &first), VK_SUCCESS);
  EXPECT_EQ(entry::AllocateMemory(device(), &info, nullptr, &second), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  info.allocationSize = UINT64_MAX;
  EXPECT_EQ(entry::AllocateMemory(device(), &info, nullptr, &second), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  info.allocationSize = kGiB - 1;
  EXPECT_EQ(entry::AllocateMemory(device(), &info, nullptr, &second), VK_SUCCESS) << "exactly what is left";
  entry::FreeMemory(device(), first, nullptr);
  entry::FreeMemory(device(), second, nullptr);
  memory(2 * kGiB);
}

TEST_F(MemoryTest, OfTheNonCoherentTypeWantsFlushes) {
  const Environment variable("SPALT_ICD_NON_COHERENT", "1");
  restart();
  VkPhysicalDeviceMemoryProperties properties{};
  entry::GetPhysicalDeviceMemoryProperties(physical(), &properties);
  ASSERT_EQ(properties.memoryTypeCount, 2u);
  constexpr auto kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  EXPECT_EQ(properties.memoryTypes[0].propertyFlags & kCoherent, 0u);
  EXPECT_EQ(properties.memoryTypes[0].propertyFlags | kCoherent, properties.memoryTypes[1].propertyFlags);

  VkDeviceMemory memory = this->memory(4096);
  auto* device_side = reinterpret_cast<uint32_t*>(from_handle<DeviceMemory>(memory).host());
  void* data = nullptr;
  ASSERT_EQ(entry::MapMemory(device(), memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  auto* host_side = static_cast<uint32_t*>(data);
  for (int i = 0; i < 1024; ++i) host_side[i] = 7;
  EXPECT_EQ(device_side[0], 0u);
  const VkMappedMemoryRange flushed{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory, 64, 128};
  ASSERT_EQ(entry::FlushMappedMemoryRanges(device(), 1, &flushed), VK_SUCCESS);
  EXPECT_EQ(device_side[15], 0u);
  EXPECT_EQ(device_side[16], 7u);
  EXPECT_EQ(device_side[47], 7u);
  EXPECT_EQ(device_side[48], 0u);

  device_side[1023] = device_side[0] = 9;
  EXPECT_EQ(host_side[1023], 7u);
  const VkMappedMemoryRange read{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory, 4032, VK_WHOLE_SIZE};
  ASSERT_EQ(entry::InvalidateMappedMemoryRanges(device(), 1, &read), VK_SUCCESS);
  EXPECT_EQ(host_side[1023], 9u);
  EXPECT_EQ(host_side[0], 7u);
}

/// Nothing but the heap is shared by the threads; what one makes is destroyed by it.
TEST_F(MemoryTest, ComesAndGoesOnAllThreads) {
  std::vector<std::thread> threads;
  for (uint32_t number = 1; number <= 4; ++number) {
    threads.emplace_back([&, number] {
      std::vector<VkDeviceMemory> kept;
      for (uint32_t step = 0; step < 400; ++step) {
        const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096 * (step % 7 + 1), 0};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        ASSERT_EQ(entry::AllocateMemory(device(), &info, nullptr, &memory), VK_SUCCESS);
        std::memset(from_handle<DeviceMemory>(memory).host(), static_cast<int>(number), info.allocationSize);
        kept.push_back(memory);
        if (kept.size() < 8) continue;
        const auto& oldest = from_handle<DeviceMemory>(kept.front());
        for (uint64_t i = 0; i < oldest.size(); ++i) ASSERT_EQ(oldest.host()[i], static_cast<std::byte>(number));
        entry::FreeMemory(device(), kept.front(), nullptr);
        kept.erase(kept.begin());
      }
      for (VkDeviceMemory memory : kept) entry::FreeMemory(device(), memory, nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(driver_device().physical().heap().used(), 0u);
  const uint64_t address = address_of(memory(1));
  restart();
  EXPECT_EQ(address, address_of(memory(1))) << "all addresses came back";
}

TEST_F(MemoryTest, HasABudget) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  std::memset(budget.heapUsage, 0xff, sizeof budget.heapUsage);
  VkPhysicalDeviceMemoryProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget};
  memory(12'345);
  entry::GetPhysicalDeviceMemoryProperties2(physical(), &properties);
  EXPECT_EQ(budget.heapUsage[0], 12'345u);
  EXPECT_EQ(budget.heapUsage[1], 0u);
  EXPECT_EQ(budget.heapBudget[0], properties.memoryProperties.memoryHeaps[0].size);
}

/// Addresses come back in whatever order they are asked for, and what has no address of its own never takes one.
TEST_F(MemoryTest, CanBeReplayed) {
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
  std::vector<uint64_t> captured;
  for (int i = 0; i < 3; ++i) {
    const VkDeviceMemoryOpaqueCaptureAddressInfo info{VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO,
                                                      nullptr, memory(100'000, &flags)};
    captured.push_back(entry::GetDeviceMemoryOpaqueCaptureAddress(device(), &info));
  }
  restart();
  for (int i = 0; i < 5; ++i) memory(100'000);
  for (const size_t i : {2u, 0u, 1u}) {
    const VkMemoryOpaqueCaptureAddressAllocateInfo wanted{VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
                                                          &flags, captured[i]};
    EXPECT_EQ(address_of(memory(100'000, &wanted)), captured[i]);
    const VkMemoryAllocateInfo again{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &wanted, 100'000, 0};
    VkDeviceMemory second = VK_NULL_HANDLE;
    EXPECT_EQ(entry::AllocateMemory(device(), &again, nullptr, &second), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  }
}

TEST_F(MemoryTest, MayBeTheApplications) {
  alignas(4096) static uint32_t pages[2048];
  VkMemoryHostPointerPropertiesEXT properties{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  ASSERT_EQ(entry::GetMemoryHostPointerPropertiesEXT(device(), VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                                     pages, &properties),
            VK_SUCCESS);
  EXPECT_EQ(properties.memoryTypeBits, 1u);
  EXPECT_EQ(entry::GetMemoryHostPointerPropertiesEXT(device(), VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, pages,
                                                     &properties),
            VK_ERROR_INVALID_EXTERNAL_HANDLE);
  const VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, nullptr,
                                                VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, pages};
  VkDeviceMemory imported = memory(sizeof pages, &import);
  EXPECT_EQ(probe_store(driver_device(), address_of(imported), sizeof pages, 2047).kind, uint32_t{SPALT_FAULT_NONE});
  EXPECT_EQ(pages[2047], 1u);
  EXPECT_EQ(pages[2046], 0u);
}

TEST_F(MemoryTest, SpeaksOfHostPointersInQueries) {
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  VkExternalBufferProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  entry::GetPhysicalDeviceExternalBufferProperties(physical(), &info, &properties);
  EXPECT_EQ(properties.externalMemoryProperties.externalMemoryFeatures,
            VkExternalMemoryFeatureFlags{VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT});
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  entry::GetPhysicalDeviceExternalBufferProperties(physical(), &info, &properties);
  EXPECT_EQ(properties.externalMemoryProperties.externalMemoryFeatures, 0u);
}

}  // namespace
}  // namespace spalt::icd::test
