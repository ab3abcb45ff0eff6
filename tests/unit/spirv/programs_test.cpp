// SPDX-License-Identifier: MIT
//
// Every program of tests/run/programs, as glslang writes it, optimized by spirv-opt and with debug information: it must
// read, the IR must verify, and the interpreter must compute what the C++ references and literal expectations say.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "ir/verifier.h"
#include "reference/reference.h"
#include "spirv/reader.h"
#include "vkrun/compare.h"
#include "vkrun/manifest.h"
#include "vkrun/shader_source.h"

namespace spalt::spirv {
namespace {

std::vector<std::string> find_manifests() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SPALT_RUN_PROGRAMS)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

const char* variant_name(vkrun::Variant variant) {
  switch (variant) {
    case vkrun::Variant::Plain:
      return "plain";
    case vkrun::Variant::Optimized:
      return "optimized";
    default:
      return "debug";
  }
}

Result<ir::Module> read_program(const vkrun::Manifest& manifest, const vkrun::Dispatch& dispatch,
                                vkrun::Variant variant) {
  const std::vector<uint32_t> words = vkrun::load_shader(manifest.folder + "/" + dispatch.shader, variant);
  std::vector<Specialization> constants;
  for (const auto& [id, value] : dispatch.spec) constants.push_back({id, value});
  ReadOptions options;
  options.entry_point = "main";
  options.specialization = constants;
  return read(words, options);
}

class Programs : public testing::TestWithParam<std::tuple<std::string, vkrun::Variant>> {};

TEST_P(Programs, ComputeTheReferenceResult) {
  const auto& [path, variant] = GetParam();
  const vkrun::Manifest manifest = vkrun::load_manifest(path);
  vkrun::BufferContents contents = vkrun::initial_contents(manifest);
  vkrun::BufferContents expected = contents;
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    const Result<ir::Module> module = read_program(manifest, dispatch, variant);
    ASSERT_TRUE(module.ok()) << "word " << module.error().offset << ": " << module.error().message;
    const Result<void> verified = ir::verify(*module);
    ASSERT_TRUE(verified.ok()) << verified.error().message;
    interp::Dispatch run;
    run.groups = dispatch.groups;
    run.push_constants = {reinterpret_cast<const uint8_t*>(dispatch.push.data()), dispatch.push.size() * 4};
    for (size_t i = 0; i < manifest.buffers.size(); ++i) {
      const vkrun::BufferDesc& buffer = manifest.buffers[i];
      run.buffers.push_back({buffer.set, buffer.binding, buffer.element, contents[i]});
    }
    const Result<void> done = interp::run(*module, run);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  EXPECT_EQ(vkrun::compare_expectations(manifest, contents).value_or(""), "");
  if (manifest.reference.empty()) return;
  const spalt::run::ReferenceFunction reference = spalt::run::find_reference(manifest.reference);
  ASSERT_NE(reference, nullptr);
  reference(manifest, expected);
  EXPECT_EQ(vkrun::compare_runs(manifest, expected, contents).value_or(""), "");
}

std::string test_name(const testing::TestParamInfo<Programs::ParamType>& parameter) {
  const auto& [path, variant] = parameter.param;
  return std::filesystem::path(path).stem().string() + "_" + variant_name(variant);
}

INSTANTIATE_TEST_SUITE_P(All, Programs,
                         testing::Combine(testing::ValuesIn(find_manifests()),
                                          testing::Values(vkrun::Variant::Plain, vkrun::Variant::Optimized,
                                                          vkrun::Variant::Debug)),
                         test_name);

}  // namespace
}  // namespace spalt::spirv
