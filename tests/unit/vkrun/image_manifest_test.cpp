// SPDX-License-Identifier: MIT
#include "vkrun/image_manifest.h"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "vkrun/compare.h"
#include "vkrun/image_texels.h"

namespace spalt::vkrun {
namespace {

Manifest parse(const std::string& text) {
  const std::string path =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".image_manifest.json";
  std::ofstream(path) << text;
  return load_manifest(path);
}

/// A manifest with one image, which `members` complete.
std::string with_image(const std::string& members) {
  return R"({"shader": "a.comp", "dispatches": [{}], "images": [{"name": "i", "bindings": [{"binding": 0}], )" +
         members + "}]}";
}

TEST(ImageManifest, EveryMember) {
  const Manifest manifest = parse(R"({
    "shader": "a.comp", "dispatches": [{}],
    "buffers": [{"binding": 9, "kind": "uniform_texel", "format": "R16G16_UINT", "init": {"zeros": 8}}],
    "samplers": [{"set": 1, "binding": 2, "element": 3, "filter": "linear", "min": "nearest", "mip": "linear",
                  "address": ["repeat", "clamp_to_border", "mirror_clamp_to_edge"], "lod_bias": -0.5, "min_lod": 1,
                  "max_lod": 2.5, "anisotropy": 4, "compare": "greater_or_equal", "border": "int_opaque_white",
                  "reduction": "max"}],
    "images": [{"name": "cubes", "format": "B8G8R8A8_SRGB", "size": [8, 8], "levels": 3, "layers": 12,
                "check": [{"level": 1, "abs": 0.5}, {"rel": 0.25}],
                "bindings": [{"set": 1, "binding": 4, "element": 1, "kind": "combined", "view": "cube",
                              "format": "B8G8R8A8_UNORM", "swizzle": "b1ga", "levels": [1, 2], "layers": [6, 6],
                              "sampler": {"unnormalized": true}},
                             {"binding": 5, "kind": "storage", "view": "2d_array"}]}]})");
  EXPECT_TRUE(manifest.has_images());
  EXPECT_EQ(manifest.buffers[0].kind, BufferKind::UniformTexel);
  EXPECT_EQ(manifest.buffers[0].format->vk, 81u);
  ASSERT_EQ(manifest.images.size(), 1u);
  const ImageDesc& image = manifest.images[0];
  EXPECT_EQ(image.format->vk, 50u);
  EXPECT_EQ(image.dimensions, 2u);
  EXPECT_EQ(image.levels, 3u);
  EXPECT_EQ(image.layers, 12u);
  EXPECT_EQ(image.initial.size(), (64u + 16u + 4u) * 12u * 4u);
  ASSERT_EQ(image.checks.size(), 2u);
  EXPECT_EQ(image.checks[0].level, 1u);
  EXPECT_EQ(image.checks[0].abs, 0.5);
  EXPECT_FALSE(image.checks[1].level);
  const ImageBinding& view = image.bindings[0];
  EXPECT_EQ(view.use, ImageUse::Combined);
  EXPECT_EQ(view.view_type, 3u);
  EXPECT_EQ(view.format->vk, 44u);
  EXPECT_EQ(view.swizzle, (std::array<uint32_t, 4>{5, 2, 4, 0}));
  EXPECT_EQ(view.first_level, 1u);
  EXPECT_EQ(view.level_count, 2u);
  EXPECT_EQ(view.first_layer, 6u);
  EXPECT_EQ(view.layer_count, 6u);
  EXPECT_EQ(image.bindings[1].use, ImageUse::Storage);
  EXPECT_EQ(image.bindings[1].layer_count, 12u);
  ASSERT_EQ(manifest.samplers.size(), 2u);
  EXPECT_TRUE(manifest.samplers[view.sampler].unnormalized);
  EXPECT_FALSE(manifest.samplers[view.sampler].is_bound);
  const SamplerDesc& sampler = manifest.samplers[1];
  EXPECT_TRUE(sampler.is_bound);
  EXPECT_EQ(sampler.element, 3u);
  EXPECT_EQ(sampler.mag_filter, 1u);
  EXPECT_EQ(sampler.min_filter, 0u);
  EXPECT_EQ(sampler.mipmap_mode, 1u);
  EXPECT_EQ(sampler.address_modes, (std::array<uint32_t, 3>{0, 3, 4}));
  EXPECT_EQ(sampler.max_lod, 2.5f);
  EXPECT_EQ(sampler.compare_op, 6u);
  EXPECT_EQ(sampler.border_color, 5u);
  EXPECT_EQ(sampler.reduction, 2u);
}

TEST(ImageManifest, RampsHaveTheirPlace) {
  const Manifest manifest = parse(with_image(
      R"("format": "R32G32_SFLOAT", "size": [4, 3], "levels": 2, "layers": 2, "check": {},
         "init": {"ramp": {"r": [0.5, 1, 10, 100, 1000], "g": [-0.25], "modulo": 2000}})"));
  const ImageDesc& image = manifest.images[0];
  const texel::Texel texel = load_texel(image, image.initial, {0, 3, 2, 1});
  EXPECT_EQ(std::bit_cast<float>(texel[0]), 123.5f);
  EXPECT_EQ(std::bit_cast<float>(texel[1]), 1999.75f);
  EXPECT_EQ(std::bit_cast<float>(texel[2]), 0.0f);
  EXPECT_EQ(std::bit_cast<float>(texel[3]), 1.0f);
  EXPECT_EQ(std::bit_cast<float>(load_texel(image, image.initial, {1, 1, 0, 1})[0]), 1101.5f);
}

TEST(ImageManifest, ComparesDecodedTexels) {
  const Manifest manifest = parse(
      with_image(R"("format": "R8_UNORM", "size": [2, 2], "check": {"abs": 0.005}, "init": {"random": {"seed": 1}})"));
  const BufferContents expected = initial_contents(manifest);
  BufferContents actual = expected;
  actual[0][3] ^= 1;  // one step of 1/255
  EXPECT_EQ(compare_runs(manifest, expected, actual), std::nullopt);
  actual[0][3] ^= 128;
  const std::string message = compare_runs(manifest, expected, actual).value_or("");
  EXPECT_EQ(message.find("image i level 0 texel (1, 1, 0): expected ("), 0u) << message;
}

struct Case {
  const char* name;
  std::string text;
  const char* reason;
};

class ImageRefused : public testing::TestWithParam<Case> {};

TEST_P(ImageRefused, WithItsReason) {
  const std::string path = testing::TempDir() + "/image_refused_" + GetParam().name + ".json";
  std::ofstream(path) << GetParam().text;
  try {
    load_manifest(path);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().reason), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Manifests, ImageRefused,
    testing::Values(
        Case{"unjudged", with_image(R"("format": "R8_UNORM", "size": [4])"), "could not fail"},
        Case{"format", with_image(R"("format": "R8", "size": [4], "check": {})"), "unknown format 'R8'"},
        Case{"size", with_image(R"("format": "R8_UNORM", "size": [4, 0], "check": {})"), "no texels"},
        Case{"layers_of_3d", with_image(R"("format": "R8_UNORM", "size": [4, 4, 4], "layers": 2, "check": {})"),
             "no layers"},
        Case{"tolerance", with_image(R"("format": "R8_UINT", "size": [4], "check": {"abs": 1})"), "no tolerance"},
        Case{"level", with_image(R"("format": "R8_UINT", "size": [4], "check": {"level": 1})"), "does not have"},
        Case{"bytes", with_image(R"("format": "R8_UINT", "size": [4], "check": {}, "init": {"bytes": {"zeros": 8}})"),
             "the image has 4 bytes"},
        Case{"compressed",
             with_image(R"("format": "BC1_RGB_UNORM_BLOCK", "size": [4, 4], "init": {"random": {"seed": 1}})"),
             "given as bytes"},
        Case{"check_compressed", with_image(R"("format": "BC1_RGB_UNORM_BLOCK", "size": [4, 4], "check": {})"),
             "cannot be checked"},
        Case{"misspelt", with_image(R"("format": "R8_UINT", "size": [4], "check": {}, "sample": 4)"), "unknown member"},
        Case{
            "texel_buffer",
            R"({"shader": "a", "dispatches": [{}], "buffers": [{"binding": 0, "format": "R8_UNORM", "init": {"zeros": 4}}]})",
            "only a texel buffer"},
        Case{"same_place",
             R"({"shader": "a", "dispatches": [{}], "samplers": [{"binding": 0}],
                 "images": [{"name": "i", "format": "R8_UINT", "size": [4], "check": {}, "bindings": [{"binding": 0}]}]})",
             "the same set, binding and element"}),
    [](const testing::TestParamInfo<Case>& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace spalt::vkrun
