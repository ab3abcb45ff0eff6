// SPDX-License-Identifier: MIT
#include "passes/packed_elements.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace spalt::passes {
namespace {

/// What is read at each place, by folding constants, where the elements fit.
std::optional<std::vector<uint32_t>> read_back(const std::vector<uint32_t>& elements, ir::Type type) {
  const auto packed = pack_elements(elements, type);
  if (!packed) return std::nullopt;
  ir::Function function;
  ir::Builder builder(function);
  std::vector<uint32_t> read;
  for (uint32_t i = 0; i < elements.size(); ++i) {
    const ir::Value value = element(builder, *packed, builder.i32(i * packed->width));
    EXPECT_TRUE(function.is_constant(value));
    EXPECT_EQ(function.type(value), type);
    read.push_back(static_cast<uint32_t>(function.inst(value).imm));
  }
  return read;
}

std::vector<uint32_t> bits_of(const std::vector<float>& numbers) {
  std::vector<uint32_t> bits;
  for (const float number : numbers) bits.push_back(std::bit_cast<uint32_t>(number));
  return bits;
}

TEST(PackedElements, ComeBack) {
  std::mt19937 random(7);
  size_t fit = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    const unsigned count = 1 + random() % 64, width = random() % 18;
    const auto least = static_cast<int32_t>(random()) >> random() % 32;
    std::vector<uint32_t> integers;
    std::vector<float> floats;
    for (unsigned i = 0; i < count; ++i) {
      const uint32_t above = random() & ((1u << width) - 1);
      integers.push_back(static_cast<uint32_t>(least) + above);
      floats.push_back(static_cast<float>(static_cast<int64_t>(least) + above));
    }
    const auto as_integers = read_back(integers, ir::kI32), as_floats = read_back(bits_of(floats), ir::kF32);
    if (as_integers) {
      EXPECT_EQ(*as_integers, integers);
    }
    if (as_floats) {
      EXPECT_EQ(*as_floats, bits_of(floats));
    }
    fit += (as_integers ? 1 : 0) + (as_floats ? 1 : 0);
  }
  EXPECT_GT(fit, 3000u);
}

TEST(PackedElements, Widths) {
  const auto width = [](const std::vector<uint32_t>& elements) {
    const auto packed = pack_elements(elements, ir::kI32);
    return packed ? packed->width * packed->word_count : 0;
  };
  EXPECT_EQ(width({5, 5}), 1);
  EXPECT_EQ(width({0, 1, 0}), 1);
  EXPECT_EQ(width({10, 13}), 2);
  EXPECT_EQ(width({10, 14}), 4);
  EXPECT_EQ(width(std::vector<uint32_t>(33, 1)), 2);
  EXPECT_EQ(width(std::vector<uint32_t>(65, 1)), 0);
  EXPECT_EQ(width({0, 65535, 1, 2}), 32);  // 16 bits each, in two words
  EXPECT_EQ(width({0, 65535, 1, 2, 3}), 0);
  EXPECT_EQ(width({0, 65536}), 0);
  EXPECT_EQ(width({0, 0xffffffff}), 1);  // -1 and 0
  EXPECT_EQ(width({0x80000000, 0x7fffffff}), 0);
}

TEST(PackedElements, FloatsAreIntegers) {
  const auto fits = [](const std::vector<float>& numbers) { return read_back(bits_of(numbers), ir::kF32).has_value(); };
  EXPECT_TRUE(fits({-1, 3, 1}));
  EXPECT_TRUE(fits({16777216.0f, 16777215.0f}));
  EXPECT_FALSE(fits({0, -0.0f}));
  EXPECT_FALSE(fits({0, 0.5f}));
  EXPECT_FALSE(fits({0, __builtin_nanf("")}));
  EXPECT_FALSE(fits({0, __builtin_inff()}));
  EXPECT_FALSE(fits({33554432.0f, 33554434.0f}));
  EXPECT_FALSE(pack_elements(std::vector<uint32_t>{1, 2}, ir::kI16).has_value());
}

}  // namespace
}  // namespace spalt::passes
