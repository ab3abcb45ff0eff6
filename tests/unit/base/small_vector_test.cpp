// SPDX-License-Identifier: MIT
#include "base/small_vector.h"

#include <gtest/gtest.h>

#include <vector>

namespace spalt {
namespace {

using Four = SmallVector<uint32_t, 4>;

std::vector<uint32_t> contents(const Four& vector) {
  return {vector.begin(), vector.end()};
}

Four counting(uint32_t size) {
  Four result;
  for (uint32_t i = 0; i < size; ++i) result.push_back(i);
  return result;
}

TEST(SmallVector, MatchesTheStandardOneAcrossTheInlineLimit) {
  Four vector;
  std::vector<uint32_t> model;
  uint32_t random = 7;
  for (unsigned step = 0; step < 3000; ++step) {
    random = random * 1664525 + 1013904223;
    const uint32_t value = random >> 8;
    if (random >> 30 == 0 && !model.empty()) {
      const uint32_t at = value % static_cast<uint32_t>(model.size());
      vector.erase(at);
      model.erase(model.begin() + at);
    } else if (random >> 30 == 1) {
      vector.resize(value % 9, value);
      model.resize(value % 9, value);
    } else if (random >> 30 == 2) {
      const std::vector<uint32_t> some(value % 4, value);
      vector.append(some);
      model.insert(model.end(), some.begin(), some.end());
    } else {
      vector.push_back(value);
      model.push_back(value);
    }
    ASSERT_EQ(contents(vector), model) << step;
  }
}

TEST(SmallVector, CopiesAndMoves) {
  for (const uint32_t size : {0u, 3u, 4u, 5u, 100u}) {
    Four source = counting(size);
    const Four copy(source);
    EXPECT_EQ(contents(copy), contents(source));
    Four assigned = counting(7);
    assigned = copy;
    EXPECT_EQ(contents(assigned), contents(copy));
    Four moved(std::move(source));
    EXPECT_EQ(contents(moved), contents(copy));
    assigned = counting(50);
    assigned = std::move(moved);
    EXPECT_EQ(contents(assigned), contents(copy));
    moved.push_back(9);  // what was moved from is empty and can be used again
    EXPECT_EQ(contents(moved), std::vector<uint32_t>{9});
  }
}

TEST(SmallVector, ResizeFillsAndReserveDoesNot) {
  Four vector{1, 2};
  vector.resize(6, 8);
  EXPECT_EQ(contents(vector), (std::vector<uint32_t>{1, 2, 8, 8, 8, 8}));
  vector.resize(1);
  vector.reserve(100);
  EXPECT_EQ(contents(vector), std::vector<uint32_t>{1});
}

TEST(SmallVector, RepeatedAppendMovesSeldom) {
  Four vector;
  unsigned moves = 0;
  const uint32_t* data = vector.data();
  for (uint32_t i = 0; i < 10'000; ++i) {
    vector.append(std::vector<uint32_t>{i});
    if (vector.data() != data) ++moves;
    data = vector.data();
  }
  EXPECT_LE(moves, 13u);
  EXPECT_EQ(vector[9'999], 9'999u);
}

}  // namespace
}  // namespace spalt
