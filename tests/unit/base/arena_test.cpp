// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <vector>

#include "counted_memory.h"

namespace spalt {
namespace {

bool aligned(const void* memory, size_t alignment) {
  return reinterpret_cast<uintptr_t>(memory) % alignment == 0;
}

TEST(Arena, BlocksAreAlignedAndApart) {
  Arena arena;
  std::vector<std::pair<unsigned char*, size_t>> blocks;
  for (size_t i = 1; i < 2000; ++i) {
    const size_t bytes = i * 37 % 301 + 1, alignment = size_t{1} << (i % 5);
    auto* block = static_cast<unsigned char*>(arena.allocate(bytes, alignment));
    ASSERT_TRUE(aligned(block, alignment)) << i;
    std::memset(block, static_cast<int>(i & 0xff), bytes);
    blocks.push_back({block, bytes});
  }
  for (size_t i = 1; i < 2000; ++i) {
    const auto [block, bytes] = blocks[i - 1];
    for (size_t byte = 0; byte < bytes; ++byte) ASSERT_EQ(block[byte], i & 0xff) << i;
  }
}

TEST(Arena, TakesNothingBeforeItIsUsed) {
  CountedMemory memory;
  { const Arena arena(memory.functions()); }
  EXPECT_EQ(memory.allocations, 0u);
}

TEST(Arena, GivesAllChunksBack) {
  CountedMemory memory;
  {
    Arena arena(memory.functions());
    for (unsigned i = 0; i < 100; ++i) arena.allocate(50'000, 8);
    EXPECT_GT(memory.allocations, 2u);
    EXPECT_EQ(memory.bytes_out, arena.reserved_bytes());
    EXPECT_GE(arena.used_bytes(), 100u * 50'000);
  }
  EXPECT_EQ(memory.bytes_out, 0u);
  EXPECT_EQ(memory.releases, memory.allocations);
}

TEST(Arena, ResetKeepsChunksForTheNextRound) {
  CountedMemory memory;
  Arena arena(memory.functions());
  const auto fill = [&] {
    for (unsigned i = 0; i < 1000; ++i) arena.allocate(1000, 8);
    arena.allocate(3'000'000, 16);
  };
  fill();
  const unsigned first = memory.allocations;
  arena.reset();
  EXPECT_EQ(arena.used_bytes(), 0u);
  fill();
  EXPECT_EQ(memory.allocations, first);
}

TEST(Arena, ResetReleasesWhatIsBeyondTheLimit) {
  CountedMemory memory;
  Arena arena(memory.functions());
  arena.allocate(100, 8);
  arena.allocate(3'000'000, 8);
  arena.reset(Arena::kFirstChunk);
  EXPECT_EQ(memory.bytes_out, Arena::kFirstChunk);
  arena.reset(0);
  EXPECT_EQ(memory.bytes_out, 0u);
  EXPECT_NE(arena.allocate(100, 8), nullptr);
}

TEST(Arena, OnlyTheLastBlockGrowsInPlaceAndComesBack) {
  Arena arena;
  auto* first = static_cast<char*>(arena.allocate(16, 8));
  EXPECT_TRUE(arena.extend(first, 16, 64));
  auto* second = static_cast<char*>(arena.allocate(16, 8));
  EXPECT_EQ(second, first + 64);
  EXPECT_FALSE(arena.extend(first, 64, 128));
  EXPECT_FALSE(arena.extend(second, 16, Arena::kFirstChunk));
  arena.deallocate(first, 64);
  EXPECT_EQ(arena.allocate(8, 8), second + 16);
  arena.deallocate(second + 16, 8);
  arena.deallocate(second, 16);
  EXPECT_EQ(arena.allocate(8, 8), second);
}

TEST(Arena, ScopeGivesBackWhatItTook) {
  CountedMemory memory;
  Arena arena(memory.functions());
  auto* kept = static_cast<char*>(arena.allocate(8, 8));
  std::memset(kept, 42, 8);
  void* inside = nullptr;
  {
    const ArenaScope scope(arena);
    inside = arena.allocate(8, 8);
    for (unsigned i = 0; i < 100; ++i) arena.allocate(20'000, 8);
  }
  EXPECT_EQ(arena.allocate(8, 8), inside);
  EXPECT_EQ(kept[7], 42);
  const unsigned before = memory.allocations;
  {
    const ArenaScope scope(arena);
    for (unsigned i = 0; i < 100; ++i) arena.allocate(20'000, 8);
  }
  EXPECT_EQ(memory.allocations, before);
}

TEST(Arena, ScopeAroundTheFirstChunk) {
  Arena arena;
  {
    const ArenaScope scope(arena);
    arena.allocate(100, 8);
  }
  EXPECT_EQ(arena.used_bytes(), 0u);
  EXPECT_NE(arena.allocate(100, 8), nullptr);
  EXPECT_EQ(arena.reserved_bytes(), Arena::kFirstChunk);
}

TEST(Arena, LargeBlockLeavesSmallChunksInPlace) {
  CountedMemory memory;
  Arena arena(memory.functions());
  for (unsigned round = 0; round < 3; ++round) {
    arena.allocate(round % 2 == 0 ? 100 : 5'000'000, 8);
    arena.allocate(round % 2 == 0 ? 5'000'000 : 100, 8);
    arena.reset();
  }
  EXPECT_LE(memory.allocations, 4u);
}

TEST(Arena, OutOfMemoryIsBadAllocAndLeavesTheArenaUsable) {
  CountedMemory memory;
  Arena arena(memory.functions());
  arena.allocate(8, 8);
  memory.allowed = memory.allocations;
  EXPECT_THROW(arena.allocate(Arena::kFirstChunk, 8), std::bad_alloc);
  EXPECT_NE(arena.allocate(8, 8), nullptr);
  memory.allowed = ~0u;
  EXPECT_NE(arena.allocate(Arena::kFirstChunk, 8), nullptr);
  EXPECT_THROW(arena.allocate(SIZE_MAX - 4, 8), std::bad_alloc);
  EXPECT_THROW(arena.allocate_array<uint64_t>(SIZE_MAX / 4), std::bad_alloc);
}

}  // namespace
}  // namespace spalt
