// SPDX-License-Identifier: MIT
#include "scenes/scene_manifest.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;

/// One target, one pipeline and one draw.
json smallest() {
  return json::parse(R"({
    "images": {"color": {"format": "R8G8B8A8_UNORM", "size": [8, 4]}},
    "pipelines": {"a": {"vertex": "a.vert"}},
    "passes": [{"color": "color", "draws": [{"pipeline": "a"}]}],
    "compare": ["color"]
  })");
}

Scene read(const json& manifest) {
  const std::string path =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".scene.json";
  std::ofstream(path) << manifest.dump();
  return load_scene(path);
}

TEST(SceneManifest, DefaultsAreThoseOfVulkan) {
  const Scene scene = read(smallest());
  ASSERT_EQ(scene.passes.size(), 1u);
  const Pass& pass = scene.passes[0];
  EXPECT_EQ(pass.area.extent.width, 8u);
  EXPECT_EQ(pass.area.extent.height, 4u);
  EXPECT_EQ(pass.samples, VK_SAMPLE_COUNT_1_BIT);
  ASSERT_TRUE(pass.colors.at(0).has_value());
  EXPECT_EQ(pass.colors[0]->load, VK_ATTACHMENT_LOAD_OP_CLEAR);
  ASSERT_EQ(pass.draws.size(), 1u);
  const Draw& draw = pass.draws[0];
  EXPECT_EQ(draw.count, 3u);
  EXPECT_EQ(draw.instances, 1u);
  EXPECT_EQ(draw.pipeline.assembly.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  EXPECT_EQ(draw.pipeline.rasterization.polygonMode, VK_POLYGON_MODE_FILL);
  EXPECT_EQ(draw.pipeline.rasterization.cullMode, static_cast<VkCullModeFlags>(VK_CULL_MODE_NONE));
  EXPECT_EQ(draw.pipeline.rasterization.lineWidth, 1.0f);
  EXPECT_EQ(draw.pipeline.depth_stencil.depthTestEnable, VK_FALSE);
  EXPECT_EQ(draw.pipeline.depth_stencil.stencilTestEnable, VK_FALSE);
  ASSERT_EQ(draw.pipeline.targets.size(), 1u);
  EXPECT_EQ(draw.pipeline.targets[0].blendEnable, VK_FALSE);
  EXPECT_EQ(draw.pipeline.targets[0].colorWriteMask, 15u);
}

TEST(SceneManifest, PipelinesTakeWhatTheyLack) {
  json manifest = smallest();
  manifest["pipelines"]["a"]["cull"] = "back";
  manifest["pipelines"]["a"]["stencil"] = {{"pass", "replace"}, {"reference", 3}};
  manifest["pipelines"]["b"] = {{"like", "a"}, {"stencil", {{"reference", 4}}}};
  manifest["passes"][0]["draws"][0]["pipeline"] = "b";
  const Pipeline pipeline = read(manifest).passes[0].draws[0].pipeline;
  EXPECT_EQ(pipeline.vertex, "a.vert");
  EXPECT_EQ(pipeline.rasterization.cullMode, static_cast<VkCullModeFlags>(VK_CULL_MODE_BACK_BIT));
  EXPECT_EQ(pipeline.depth_stencil.front.passOp, VK_STENCIL_OP_REPLACE);
  EXPECT_EQ(pipeline.depth_stencil.back.reference, 4u);
  manifest["pipelines"]["a"]["like"] = "b";
  EXPECT_THROW(read(manifest), Error);
}

TEST(SceneManifest, DrawsShareAPipelineWhoseStateIsDynamic) {
  json manifest = smallest();
  manifest["passes"][0]["draws"] = {{{"pipeline", "a"}}, {{"pipeline", "a"}, {"set", {{"line_width", 2}}}}};
  const Scene apart = read(manifest);
  EXPECT_NE(apart.passes[0].draws[0].variant, apart.passes[0].draws[1].variant);
  manifest["pipelines"]["a"]["dynamic"] = {"line_width"};
  const Scene shared = read(manifest);
  EXPECT_EQ(shared.passes[0].draws[0].variant, shared.passes[0].draws[1].variant);
  EXPECT_EQ(shared.passes[0].draws[1].pipeline.rasterization.lineWidth, 2.0f);
}

TEST(SceneManifest, BindingsOfADrawReplaceThoseOfThePass) {
  json manifest = smallest();
  manifest["buffers"] = {{"one", {{"u32", {1}}}}, {"two", {{"u32", {2, 3}}}}};
  manifest["passes"][0]["bind"] = {{{"binding", 0}, {"uniform", "one"}}, {{"binding", 1}, {"storage", "one"}}};
  manifest["passes"][0]["draws"][0]["bind"] = {{{"binding", 0}, {"uniform", "two"}}};
  const Scene scene = read(manifest);
  const std::vector<Binding>& bindings = scene.passes[0].draws[0].bindings;
  ASSERT_EQ(bindings.size(), 2u);
  EXPECT_EQ(bindings[0].type, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  EXPECT_EQ(scene.buffers[bindings[1].resource].name, "two");
}

TEST(SceneManifest, MipmapsAreAverages) {
  json manifest = smallest();
  manifest["images"]["color"] = {{"format", "R8_UNORM"},
                                 {"size", {4, 2}},
                                 {"levels", "all"},
                                 {"init", {{"checker", {{"cell", 2}, {"a", {1, 0, 0, 1}}, {"b", {0.2, 0, 0, 1}}}}}}};
  const vkrun::ImageDesc desc = read(manifest).images[0].desc;
  EXPECT_EQ(desc.levels, 3u);
  const std::vector<uint8_t> expected = {255, 255, 51, 51, 255, 255, 51, 51, 255, 51, 153};
  EXPECT_EQ(desc.initial, expected);
}

TEST(SceneManifest, MistakesAreErrors) {
  const auto with = [](const char* pointer, const json& value) {
    json manifest = smallest();
    manifest[json::json_pointer(pointer)] = value;
    return manifest;
  };
  EXPECT_THROW(read(with("/color", 1)), Error);
  EXPECT_THROW(read(with("/pipelines/a/culling", "back")), Error);
  EXPECT_THROW(read(with("/pipelines/a/cull", "behind")), Error);
  EXPECT_THROW(read(with("/passes/0/draws/0/pipeline", "c")), Error);
  EXPECT_THROW(read(with("/passes/0/color", "colour")), Error);
  EXPECT_THROW(read(with("/passes/0/color", {{"image", "color"}, {"level", 1}})), Error);
  EXPECT_THROW(read(with("/passes/0/draws/0/mesh", "ball")), Error);
  EXPECT_THROW(read(with("/compare", json::array())), Error);
  EXPECT_THROW(read(with("/images/color/format", "R8G8B8")), Error);
}

}  // namespace
}  // namespace spalt::scenes
