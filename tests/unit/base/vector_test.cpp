// SPDX-License-Identifier: MIT
#include "base/vector.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "counted_memory.h"

namespace spalt {
namespace {

/// Both kinds of memory must look the same from outside.
class VectorTest : public testing::TestWithParam<bool> {
 protected:
  Arena* arena() { return GetParam() ? &arena_ : nullptr; }

 private:
  Arena arena_;
};
INSTANTIATE_TEST_SUITE_P(Memory, VectorTest, testing::Bool());

template <class T>
std::vector<T> contents(const Vector<T>& vector) {
  return {vector.begin(), vector.end()};
}

TEST_P(VectorTest, MatchesTheStandardOne) {
  Vector<uint32_t> vector(arena());
  std::vector<uint32_t> model;
  uint32_t random = 1;
  for (unsigned step = 0; step < 5000; ++step) {
    random = random * 1664525 + 1013904223;
    const uint32_t value = random >> 8, at = model.empty() ? 0 : value % static_cast<uint32_t>(model.size());
    const std::vector<uint32_t> some(value % 7, value);
    switch (random >> 29) {
      case 0: {
        vector.insert(vector.begin() + at, value);
        model.insert(model.begin() + at, value);
        break;
      }
      case 1: {
        vector.insert(vector.begin() + at, some);
        model.insert(model.begin() + at, some.begin(), some.end());
        break;
      }
      case 2: {
        vector.append(some);
        model.insert(model.end(), some.begin(), some.end());
        break;
      }
      case 3: {
        const uint32_t end = std::min<uint32_t>(at + value % 9, static_cast<uint32_t>(model.size()));
        vector.erase(vector.begin() + at, vector.begin() + end);
        model.erase(model.begin() + at, model.begin() + end);
        break;
      }
      case 4: {
        const uint32_t size = static_cast<uint32_t>(model.size()) / 2 + value % 16;
        vector.resize(size, value);
        model.resize(size, value);
        break;
      }
      default: {
        vector.push_back(value);
        model.push_back(value);
      }
    }
    ASSERT_EQ(contents(vector), model) << step;
  }
}

TEST_P(VectorTest, ElementsWithMemoryOfTheirOwn) {
  Vector<std::string> vector(arena());
  const std::string word = "longer than any string that needs no memory";
  for (unsigned i = 0; i < 100; ++i) vector.push_back(word + std::to_string(i));
  vector.push_back(vector[3]);
  EXPECT_EQ(vector.back(), word + "3");
  vector.erase(vector.begin() + 10, vector.begin() + 90);
  vector.resize(15);
  Vector<std::string> copy(vector);
  EXPECT_EQ(copy.arena(), vector.arena());
  EXPECT_TRUE(copy == vector);
  copy.clear();
  copy = std::move(vector);
  EXPECT_EQ(copy[9], word + "9");
  EXPECT_EQ(copy[10], word + "90");
}

TEST_P(VectorTest, PushesAnElementOfItself) {
  Vector<uint32_t> vector(arena());
  vector.push_back(7);
  for (unsigned i = 0; i < 1000; ++i) vector.push_back(vector[0]);
  EXPECT_EQ(contents(vector), std::vector<uint32_t>(1001, 7));
}

TEST(Vector, AssignmentKeepsTheArenaOfEachSide) {
  Arena program, scratch;
  Vector<uint32_t> kept(program);
  {
    const ArenaScope scope(scratch);
    Vector<uint32_t> made(scratch);
    for (uint32_t i = 0; i < 100; ++i) made.push_back(i);
    kept = std::move(made);
    EXPECT_EQ(made.arena(), &scratch);
  }
  EXPECT_EQ(kept.arena(), &program);
  {
    const ArenaScope scope(scratch);
    Vector<uint32_t> other(scratch, 200, 5);
    kept.swap(other);
    EXPECT_EQ(other.size(), 100u);
    EXPECT_EQ(other.arena(), &scratch);
  }
  EXPECT_EQ(contents(kept), std::vector<uint32_t>(200, 5));
  EXPECT_EQ(kept.arena(), &program);
}

TEST(Vector, SwapOfOneArenaMovesNoElement) {
  Arena arena;
  Vector<uint32_t> first(arena, 3, 1), second(arena, 4, 2);
  const uint32_t *first_data = first.data(), *second_data = second.data();
  first.swap(second);
  EXPECT_EQ(first.data(), second_data);
  EXPECT_EQ(second.data(), first_data);
  EXPECT_EQ(first.size(), 4u);
}

TEST(Vector, GrowsInPlaceAtTheEndOfTheArena) {
  Arena arena;
  Vector<uint32_t> vector(arena);
  vector.push_back(0);
  const uint32_t* data = vector.data();
  for (uint32_t i = 1; i < 4000; ++i) vector.push_back(i);
  EXPECT_EQ(vector.data(), data);
  EXPECT_EQ(arena.reserved_bytes(), Arena::kFirstChunk);
}

TEST(Vector, ResizedForOverwritingKeepsWhatIsThere) {
  Arena arena;
  Vector<uint32_t> vector(arena, 3, 7u);
  vector.resize_for_overwrite(1000);
  ASSERT_EQ(vector.size(), 1000u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(vector[i], 7u);
  for (uint32_t i = 3; i < 1000; ++i) vector[i] = i;
  vector.resize_for_overwrite(5);
  EXPECT_EQ(vector, Vector<uint32_t>({7, 7, 7, 3, 4}));
}

TEST(Vector, BoolIsATypeLikeAnyOther) {
  Vector<bool> vector(3, true);
  bool& reference = vector[1];
  reference = false;
  EXPECT_FALSE(vector[1]);
}

TEST(Vector, OutOfMemoryLeavesTheContents) {
  CountedMemory memory;
  Arena arena(memory.functions());
  Vector<uint32_t> vector(arena, 10, 3);
  memory.allowed = memory.allocations;
  EXPECT_THROW(vector.resize(Arena::kFirstChunk), std::bad_alloc);
  EXPECT_EQ(contents(vector), std::vector<uint32_t>(10, 3));
  EXPECT_THROW(vector.reserve(size_t{1} << 40), std::bad_alloc);
}

}  // namespace
}  // namespace spalt
