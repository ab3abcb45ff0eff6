// SPDX-License-Identifier: MIT
#include "base/id_map.h"

#include <gtest/gtest.h>

#include "base/ids.h"

namespace spalt {
namespace {

using Key = Id<struct KeyTag>;

TEST(IdMap, PushBackGivesTheIdOfTheElement) {
  IdMap<Key, int> map;
  EXPECT_EQ(map.push_back(5), Key(0));
  EXPECT_EQ(map.push_back(6), Key(1));
  EXPECT_EQ(map[Key(1)], 6);
  EXPECT_TRUE(map.contains(Key(1)));
  EXPECT_FALSE(map.contains(Key(2)));
  EXPECT_FALSE(map.contains(Key()));
}

TEST(IdMap, AssignForgetsAndResizeKeeps) {
  IdMap<Key, int> map(3, 1);
  map[Key(0)] = 9;
  map.resize(5, 2);
  EXPECT_EQ(map[Key(0)], 9);
  EXPECT_EQ(map[Key(2)], 1);
  EXPECT_EQ(map[Key(4)], 2);
  map.assign(4, 7);
  EXPECT_EQ(map.size(), 4u);
  for (const int value : map) EXPECT_EQ(value, 7);
}

TEST(IdMap, LiesInAnArena) {
  Arena arena;
  const IdMap<Key, uint64_t> map(arena, 100, 3);
  EXPECT_GE(arena.used_bytes(), 800u);
  EXPECT_EQ(map[Key(99)], 3u);
}

}  // namespace
}  // namespace spalt
