// SPDX-License-Identifier: MIT
// The table of mappings and what devices share of it.
#include "emu/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace spalt::emu::test {
namespace {

std::array<uint8_t, 256> host;

Mapping mapping(uint64_t base, uint64_t size, std::string name = "m") {
  return {base, size, host.data(), true, std::move(name), {}};
}

const Mapping* find(const Memory& memory, uint64_t address, uint64_t size) {
  const Mapping* hint = nullptr;
  return memory.find(address, size, hint);
}

TEST(Memory, BoundsAreExact) {
  Memory memory;
  ASSERT_TRUE(memory.add(mapping(0x1000, 0x10)).ok());
  ASSERT_TRUE(memory.add(mapping(0x1010, 0x10)).ok());  // touching is not overlapping
  EXPECT_NE(find(memory, 0x1000, 0x10), nullptr);
  EXPECT_NE(find(memory, 0x100f, 1), nullptr);
  EXPECT_EQ(find(memory, 0x1000, 0x11), nullptr);  // both together are no mapping
  EXPECT_EQ(find(memory, 0xfff, 1), nullptr);
  EXPECT_EQ(find(memory, 0x1020, 1), nullptr);
  EXPECT_EQ(find(memory, 0x1018, UINT64_MAX), nullptr);
  EXPECT_EQ(find(memory, UINT64_MAX, 2), nullptr);
}

TEST(Memory, RefusesWhatCannotBe) {
  Memory memory;
  ASSERT_TRUE(memory.add(mapping(0x1000, 0x10)).ok());
  for (const uint64_t base : {0xff1u, 0x1000u, 0x1001u, 0x100fu}) EXPECT_FALSE(memory.add(mapping(base, 0x10)).ok());
  EXPECT_FALSE(memory.add(mapping(0xf00, 0x1000)).ok());  // around it
  EXPECT_FALSE(memory.add(mapping(0x2000, 0)).ok());
  EXPECT_FALSE(memory.add(mapping(UINT64_MAX - 3, 8)).ok());
  EXPECT_TRUE(memory.add(mapping(0x100f + 1, 0x10)).ok());
  EXPECT_FALSE(memory.remove(0x1008));
  EXPECT_TRUE(memory.remove(0x1000));
  EXPECT_EQ(find(memory, 0x1000, 1), nullptr);
}

TEST(Memory, NearestLooksBothWaysAndIntoTheSharedTable) {
  const auto shared = std::make_shared<Memory>();
  ASSERT_TRUE(shared->add(mapping(0x1000, 0x100, "shared")).ok());
  Memory memory(shared);
  EXPECT_EQ(memory.nearest(0)->name, "shared");
  ASSERT_TRUE(memory.add(mapping(0x2000, 0x100, "own")).ok());
  EXPECT_EQ(memory.nearest(0x1100)->name, "shared");
  EXPECT_EQ(memory.nearest(0x1f00)->name, "own");
  EXPECT_EQ(memory.nearest(UINT64_MAX)->name, "own");
  EXPECT_EQ(distance(*memory.nearest(0x1100), 0x1100), 0u);
  EXPECT_EQ(distance(*memory.nearest(0x1110), 0x1110), 0x10u);
  EXPECT_EQ(distance(*memory.nearest(0x1ffc), 0x1ffc), 4u);
  EXPECT_EQ(find(memory, 0x1000, 4)->name, "shared");
  EXPECT_EQ(find(memory, 0x2000, 4)->name, "own");
  EXPECT_EQ(Memory().nearest(5), nullptr);
}

TEST(AddressSpace, SnapshotsDoNotChange) {
  AddressSpace space;
  ASSERT_TRUE(space.map(mapping(0x1000, 0x10)).ok());
  const auto before = space.snapshot();
  ASSERT_TRUE(space.map(mapping(0x2000, 0x10)).ok());
  ASSERT_TRUE(space.unmap(0x1000));
  EXPECT_NE(find(*before, 0x1000, 4), nullptr);
  EXPECT_EQ(find(*before, 0x2000, 4), nullptr);
  const auto after = space.snapshot();
  EXPECT_EQ(find(*after, 0x1000, 4), nullptr);
  EXPECT_NE(find(*after, 0x2000, 4), nullptr);
  EXPECT_FALSE(space.unmap(0x1000));
}

TEST(AddressSpace, ASnapshotKeepsOwnedMemoryAlive) {
  AddressSpace space;
  auto owned = std::make_shared<std::vector<uint8_t>>(16);
  const std::weak_ptr<std::vector<uint8_t>> watch = owned;
  ASSERT_TRUE(space.map({0x1000, 16, owned->data(), true, "owned", owned}).ok());
  owned.reset();
  auto snapshot = space.snapshot();
  space.unmap(0x1000);
  EXPECT_FALSE(watch.expired());
  snapshot.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(AddressSpace, PlacesLeaveGapsAndAvoidEachOther) {
  AddressSpace space;
  uint64_t last_end = 0;
  for (unsigned i = 0; i < 50; ++i) {
    const Result<uint64_t> at = space.map_anywhere(Area::programs, 256, mapping(0, 100 + i));
    ASSERT_TRUE(at.ok());
    EXPECT_EQ(*at % 256, 0u);
    EXPECT_GE(*at, last_end + 0x1000);
    last_end = *at + 100 + i;
  }
  const Result<uint64_t> table = space.reserve_anywhere(Area::tables, 0x30000, "tables");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(*table >> 32, last_end >> 32) << "programs and tables share a window";
  EXPECT_FALSE(space.map(mapping(*table + 0x2ffff, 1)).ok());
  EXPECT_FALSE(space.reserve(*table, 1, "again").ok());
  space.release(*table);
  EXPECT_TRUE(space.map(mapping(*table + 0x2ffff, 1)).ok());
}

TEST(AddressSpace, AFullAreaIsAnErrorAndIsUsedAgain) {
  AddressSpace space;
  constexpr uint64_t kHuge = uint64_t{1} << 39;
  const Result<uint64_t> first = space.reserve_anywhere(Area::scratch, kHuge, "first");
  ASSERT_TRUE(first.ok());
  const Result<uint64_t> second = space.reserve_anywhere(Area::scratch, kHuge, "second");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().status, Status::limit_exceeded);
  space.release(*first);
  EXPECT_TRUE(space.reserve_anywhere(Area::scratch, kHuge, "second").ok());
}

TEST(AddressSpace, ThreadsMapAndLookAtTheSameTime) {
  AddressSpace space;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&space, t] {
      for (uint64_t i = 1; i < 300; ++i) {
        const uint64_t base = (t + 1) * 0x100000 + i * 0x100;
        ASSERT_TRUE(space.map(mapping(base, 0x80)).ok());
        EXPECT_NE(find(*space.snapshot(), base, 0x80), nullptr);
        ASSERT_TRUE(space.unmap(base));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace spalt::emu::test
