// SPDX-License-Identifier: MIT
#include "vkrun/manifest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

namespace spalt::vkrun {
namespace {

/// Reads the text as a manifest file.
Manifest parse(const std::string& text) {
  const std::string path =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".manifest.json";
  std::ofstream(path) << text;
  return load_manifest(path);
}

/// A manifest with one buffer, which `members` complete.
std::string with_buffer(const std::string& members) {
  return R"({"shader": "a.comp", "dispatches": [{}], "buffers": [{"binding": 0, )" + members + "}]}";
}

std::vector<uint32_t> initial_words(const std::string& init) {
  const Manifest manifest = parse(with_buffer(R"("check": {"type": "u32"}, "init": )" + init));
  const std::vector<uint8_t>& bytes = manifest.buffers[0].initial;
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

using Words = std::vector<uint32_t>;

TEST(Manifest, EveryMember) {
  const Manifest manifest = parse(R"({
    "note": "why", "shader": "first.comp", "reference": "sum", "driver_bug": "none", "layer_bug": "one", "spec": {"3": 1.5, "7": true},
    "dispatches": [{"groups": [2, 3, 4], "push": [1, -1, 0.5]}, {"shader": "second.comp", "spec": {"0": 64}}],
    "buffers": [
      {"set": 1, "binding": 2, "element": 3, "kind": "uniform", "init": {"zeros": 8}, "note": "x"},
      {"binding": 0, "init": {"u32": [1, 2, 3, 4]},
       "check": [{"type": "f32", "offset": 4, "bytes": 8, "rel": 0.25, "abs": 2.0}, {"type": "i32", "offset": 12}],
       "expect": {"offset": 8, "i32": [-5, 6]}}
    ]})");
  EXPECT_EQ(manifest.name, "EveryMember.manifest");
  EXPECT_EQ(manifest.reference, "sum");
  EXPECT_EQ(manifest.driver_bug, "none");
  EXPECT_EQ(manifest.layer_bug, "one");
  ASSERT_EQ(manifest.dispatches.size(), 2u);
  const Dispatch& first = manifest.dispatches[0];
  EXPECT_EQ(first.shader, "first.comp");
  EXPECT_EQ(first.groups, (std::array<uint32_t, 3>{2, 3, 4}));
  EXPECT_EQ(first.push, (Words{1, 0xffffffff, std::bit_cast<uint32_t>(0.5f)}));
  EXPECT_EQ(first.spec, (SpecConstants{{3, {std::bit_cast<uint32_t>(1.5f)}}, {7, {1}}}));
  const Dispatch& second = manifest.dispatches[1];
  EXPECT_EQ(second.shader, "second.comp");
  EXPECT_EQ(second.groups, (std::array<uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(second.spec, (SpecConstants{{0, {64}}}));
  ASSERT_EQ(manifest.buffers.size(), 2u);
  EXPECT_EQ(manifest.buffers[0].set, 1u);
  EXPECT_EQ(manifest.buffers[0].binding, 2u);
  EXPECT_EQ(manifest.buffers[0].element, 3u);
  EXPECT_EQ(manifest.buffers[0].kind, BufferKind::Uniform);
  const BufferDesc& buffer = manifest.buffers[1];
  EXPECT_EQ(buffer.kind, BufferKind::Storage);
  ASSERT_EQ(buffer.checks.size(), 2u);
  EXPECT_EQ(buffer.checks[0].type, ElementType::F32);
  EXPECT_EQ(buffer.checks[0].offset, 4u);
  EXPECT_EQ(buffer.checks[0].size, 8u);
  EXPECT_EQ(buffer.checks[0].rel, 0.25);
  EXPECT_EQ(buffer.checks[0].abs, 2.0);
  EXPECT_EQ(buffer.checks[1].size, 4u);  // the rest of the buffer
  ASSERT_EQ(buffer.expectations.size(), 1u);
  EXPECT_EQ(buffer.expectations[0].check.type, ElementType::I32);
  EXPECT_EQ(buffer.expectations[0].check.offset, 8u);
  EXPECT_EQ(buffer.expectations[0].bytes, (std::vector<uint8_t>{0xfb, 0xff, 0xff, 0xff, 6, 0, 0, 0}));
}

TEST(Manifest, NullDescriptorsOfARobustProgram) {
  const Manifest manifest = parse(R"({"shader": "a.comp", "robust": true, "dispatches": [{}], "buffers": [
    {"binding": 0, "null": true}, {"binding": 1, "init": {"zeros": 4}, "check": {"type": "u32"}}]})");
  EXPECT_TRUE(manifest.robust);
  EXPECT_TRUE(manifest.buffers[0].null);
  EXPECT_FALSE(manifest.buffers[1].null);
  EXPECT_TRUE(initial_contents(manifest)[0].empty());
  EXPECT_FALSE(parse(with_buffer(R"("check": {"type": "u32"}, "init": {"zeros": 4})")).robust);
}

TEST(Manifest, LiteralContents) {
  EXPECT_EQ(initial_words(R"({"u32": [0, 4294967295, -1, -2147483648]})"),
            (Words{0, 0xffffffff, 0xffffffff, 0x80000000}));
  EXPECT_EQ(initial_words(R"({"f32": [1, -0.5]})"), (Words{0x3f800000, 0xbf000000}));
  EXPECT_EQ(initial_words(R"({"words": [1, 1.0, true]})"), (Words{1, 0x3f800000, 1}));
  EXPECT_EQ(initial_words(R"({"text": "abcde"})"), (Words{0x64636261, 0x65}));
  EXPECT_EQ(initial_words(R"({"hex": "0102030405060708"})"), (Words{0x04030201, 0x08070605}));
  EXPECT_EQ(initial_words(R"([{"zeros": 4}, {"iota_u32": 3}])"), (Words{0, 0, 1, 2}));
}

/// SplitMix64 from seed 1234567 begins 6457827717110365317, 3203168211198807973, 9817491932198370423 (the test values
/// of the published algorithm); a word is the upper half.
TEST(Manifest, GeneratedContents) {
  const Words upper{static_cast<uint32_t>(6457827717110365317u >> 32),
                    static_cast<uint32_t>(3203168211198807973u >> 32),
                    static_cast<uint32_t>(9817491932198370423u >> 32)};
  EXPECT_EQ(initial_words(R"({"random_u32": {"count": 3, "seed": 1234567}})"), upper);
  EXPECT_EQ(initial_words(R"({"random_u32": {"count": 3, "seed": 1234567, "max": 9}})"),
            (Words{upper[0] % 10, upper[1] % 10, upper[2] % 10}));
  const float unit = static_cast<float>(upper[0] >> 8) / 16777216.0f;
  EXPECT_EQ(initial_words(R"({"random_f32": {"count": 1, "seed": 1234567, "lo": -2, "hi": 6}})"),
            (Words{std::bit_cast<uint32_t>(-2.0f + 8.0f * unit)}));
  Words permutation = initial_words(R"({"permutation_u32": {"count": 100, "seed": 5}})");
  EXPECT_FALSE(std::is_sorted(permutation.begin(), permutation.end()));
  std::sort(permutation.begin(), permutation.end());
  for (uint32_t i = 0; i < 100; ++i) EXPECT_EQ(permutation[i], i);
}

struct Case {
  const char* name;
  std::string text;
  const char* reason;
};

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithItsReason) {
  const std::string path = testing::TempDir() + "/refused_" + GetParam().name + ".json";
  std::ofstream(path) << GetParam().text;
  try {
    load_manifest(path);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().reason), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find(path), 0u) << error.what();
  }
}

const char* const kChecked = R"("check": {"type": "u32"}, "init": )";

INSTANTIATE_TEST_SUITE_P(
    Manifests, Refused,
    testing::Values(
        Case{"no_json", "{", "parse error"},
        Case{"misspelt", R"({"shader": "a", "dispatchs": [], "buffers": []})", "unknown member 'dispatchs'"},
        Case{"no_dispatch", R"({"dispatches": [], "buffers": []})", "at least one dispatch"},
        Case{"no_shader", R"({"dispatches": [{}], "buffers": []})", "names no shader"},
        Case{"groups", R"({"shader": "a", "dispatches": [{"groups": [1, 1]}], "buffers": []})", "three numbers"},
        Case{"unjudged", with_buffer(R"("init": {"zeros": 4})"), "the program could not fail"},
        Case{"bug_alone", R"({"shader": "a", "driver_bug": "x", "dispatches": [{}], "buffers": []})", "C++ reference"},
        Case{
            "same_place",
            R"({"shader": "a", "dispatches": [{}], "buffers": [{"binding": 0, "init": {"zeros": 4}, "check": {"type": "u32"}},
                {"binding": 0, "init": {"zeros": 4}}]})",
            "the same set, binding and element"},
        Case{"null_buffer", with_buffer(R"("null": true)"), "only a robust manifest"},
        Case{"inline_null", with_buffer(R"("kind": "inline", "root": true, "init": {"zeros": 4})"),
             "has no descriptor"},
        Case{"null_contents", with_buffer(R"("null": true, "init": {"zeros": 4})"), "no contents"},
        Case{"empty", with_buffer(std::string(kChecked) + R"({"zeros": 0})"), "whole words"},
        Case{"half_word", with_buffer(std::string(kChecked) + R"({"zeros": 6})"), "whole words"},
        Case{"huge", with_buffer(std::string(kChecked) + R"({"zeros": 1000000000})"), "64 MiB"},
        Case{"unknown_init", with_buffer(std::string(kChecked) + R"({"ones": 4})"), "unknown init 'ones'"},
        Case{"two_inits", with_buffer(std::string(kChecked) + R"({"zeros": 4, "u32": [1]})"), "exactly one member"},
        Case{"not_a_number", with_buffer(std::string(kChecked) + R"({"u32": ["1"]})"), "expected a number"},
        Case{"too_large", with_buffer(std::string(kChecked) + R"({"u32": [4294967296]})"), "does not fit 32 bits"},
        Case{"too_small", with_buffer(std::string(kChecked) + R"({"u32": [-2147483649]})"), "does not fit 32 bits"},
        Case{"kind", with_buffer(R"("kind": "image", "init": {"zeros": 4})"), "unknown buffer kind"},
        Case{"check_type", with_buffer(R"("check": {"type": "u8"}, "init": {"zeros": 4})"), "unknown element type"},
        Case{"check_outside", with_buffer(R"("check": {"type": "u32", "offset": 4}, "init": {"zeros": 4})"),
             "outside its buffer"},
        Case{"check_too_long", with_buffer(R"("check": {"type": "u32", "bytes": 8}, "init": {"zeros": 4})"),
             "outside its buffer"},
        Case{"check_unaligned",
             with_buffer(R"("check": {"type": "u32", "offset": 2, "bytes": 2}, "init": {"zeros": 4})"),
             "whole elements"},
        Case{"check_half_a_double", with_buffer(R"("check": {"type": "f64", "offset": 4}, "init": {"zeros": 16})"),
             "whole elements"},
        Case{"integer_tolerance", with_buffer(R"("check": {"type": "u32", "abs": 1}, "init": {"zeros": 4})"),
             "only floats"},
        Case{"negative_tolerance", with_buffer(R"("check": {"type": "f32", "rel": -1}, "init": {"zeros": 4})"),
             "tolerance is negative"},
        Case{"expect_nothing", with_buffer(R"("expect": {"offset": 0}, "init": {"zeros": 4})"), "no values"},
        Case{"expect_two_types", with_buffer(R"("expect": {"u32": [1], "f32": [1]}, "init": {"zeros": 8})"),
             "one type"},
        Case{"expect_outside", with_buffer(R"("expect": {"offset": 4, "u32": [1]}, "init": {"zeros": 4})"),
             "outside its buffer"}),
    [](const testing::TestParamInfo<Case>& test) { return std::string(test.param.name); });

TEST(Manifest, AMissingFileIsNamed) {
  try {
    load_manifest("/does/not/exist.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot open /does/not/exist.json");
  }
}

}  // namespace
}  // namespace spalt::vkrun
