// SPDX-License-Identifier: MIT
#include "vkrun/compare.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace spalt::vkrun {
namespace {

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}
std::vector<uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<uint32_t> words;
  for (const float value : values) words.push_back(std::bit_cast<uint32_t>(value));
  return bytes_of(words);
}

/// A manifest of one buffer with one check.
Manifest with_check(Check check, size_t bytes) {
  Manifest manifest;
  BufferDesc buffer;
  buffer.set = 2;
  buffer.binding = 3;
  buffer.element = 1;
  buffer.initial.resize(bytes);
  if (check.size == 0) check.size = bytes - check.offset;
  buffer.checks.push_back(check);
  manifest.buffers.push_back(buffer);
  return manifest;
}

bool floats_agree(float expected, float actual, double rel, double abs) {
  const Manifest manifest = with_check({ElementType::F32, 0, 0, rel, abs}, 4);
  const std::vector<float> e{expected}, a{actual};
  return !compare_runs(manifest, {bytes_of(e)}, {bytes_of(a)}).has_value();
}

std::vector<uint8_t> bytes_of(const std::vector<double>& values) {
  std::vector<uint8_t> bytes(values.size() * 8);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = std::nanf("");

TEST(CompareRuns, IntegersMustBeEqual) {
  const Manifest manifest = with_check({ElementType::U32}, 12);
  const std::vector<uint32_t> a{1, 2, 3}, b{1, 7, 4};
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(a)}), std::nullopt);
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(b)}),
            "buffer 2:3[1] word 1: expected 2 (0x00000002), got 7 (0x00000007); 2 of 3 words differ");
}

TEST(CompareRuns, IntegersIgnoreTolerancesOfFloats) {
  const Manifest manifest = with_check({ElementType::I32, 0, 0, 1.0, 1.0}, 4);
  const std::vector<uint32_t> a{5}, b{0xffffffff};
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(b)}),
            "buffer 2:3[1] word 0: expected 5, got -1; 1 of 1 words differ");
}

TEST(CompareRuns, OnlyTheCheckedRangeCounts) {
  const Manifest manifest = with_check({ElementType::U32, 4, 4}, 12);
  const std::vector<uint32_t> a{1, 2, 3}, outside{9, 2, 9}, inside{1, 9, 3};
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(outside)}), std::nullopt);
  EXPECT_TRUE(compare_runs(manifest, {bytes_of(a)}, {bytes_of(inside)}).has_value());
}

TEST(CompareRuns, ABufferKeepsItsSize) {
  const Manifest manifest = with_check({ElementType::U32}, 8);
  const std::vector<uint32_t> a{1, 2}, shorter{1};
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(shorter)}), "buffer 2:3[1] changed its size");
}

TEST(CompareRuns, DoublesWithinTheirTolerance) {
  const Manifest manifest = with_check({ElementType::F64, 8, 0, 1e-15, 0.0}, 24);
  const std::vector<double> a{1, 2, 3}, near{9, 2.0 + 0x1p-51, 3}, far{1, 2, 3.0 + 0x1p-47};
  EXPECT_EQ(compare_runs(manifest, {bytes_of(a)}, {bytes_of(near)}), std::nullopt);
  EXPECT_EQ(
      compare_runs(manifest, {bytes_of(a)}, {bytes_of(far)}),
      "buffer 2:3[1] word 4: expected 3 (0x4008000000000000), got 3.0000000000000071 (0x4008000000000010); 1 of 2 "
      "elements differ");
}

TEST(CompareRuns, FloatsWithinTheirTolerance) {
  EXPECT_TRUE(floats_agree(100.0f, 100.5f, 0.0, 0.5));
  EXPECT_FALSE(floats_agree(100.0f, 100.5f, 0.0, 0.4));
  EXPECT_TRUE(floats_agree(-100.0f, -101.0f, 0.01, 0.0));
  EXPECT_FALSE(floats_agree(-100.0f, -101.0f, 0.009, 0.0));
  EXPECT_TRUE(floats_agree(100.0f, 101.5f, 0.01, 0.5));  // both add up
  EXPECT_FALSE(floats_agree(1.0f, -1.0f, 0.0, 1.0));
}

TEST(CompareRuns, ZerosAreEqualWhateverTheirSign) {
  EXPECT_TRUE(floats_agree(0.0f, -0.0f, 0.0, 0.0));
}

TEST(CompareRuns, NoToleranceReachesInfinityOrNaN) {
  EXPECT_TRUE(floats_agree(kInf, kInf, 0.0, 0.0));
  EXPECT_FALSE(floats_agree(kInf, -kInf, 1.0, 1.0));
  EXPECT_FALSE(floats_agree(kInf, 1.0f, 0.5, 0.0));
  EXPECT_FALSE(floats_agree(1.0f, kInf, 0.5, 0.0));
  EXPECT_FALSE(floats_agree(kNaN, kNaN, 1.0, 1.0));
  EXPECT_FALSE(floats_agree(kNaN, 1.0f, 1.0, 1.0));
  EXPECT_FALSE(floats_agree(1.0f, kNaN, 1.0, 1.0));
}

TEST(CompareExpectations, LiteralsAtTheirPlace) {
  Manifest manifest = with_check({ElementType::U32}, 16);
  const std::vector<uint32_t> literal{7, 8}, right{0, 7, 8, 0}, wrong{7, 8, 7, 7};
  manifest.buffers[0].expectations.push_back({{ElementType::U32, 4, 8, 0.0, 0.0}, bytes_of(literal)});
  EXPECT_EQ(compare_expectations(manifest, {bytes_of(right)}), std::nullopt);
  EXPECT_EQ(
      compare_expectations(manifest, {bytes_of(wrong)}),
      "literal expectation: buffer 2:3[1] word 1: expected 7 (0x00000007), got 8 (0x00000008); 2 of 2 words differ");
}

}  // namespace
}  // namespace spalt::vkrun
