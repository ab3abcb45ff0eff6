// SPDX-License-Identifier: MIT
//
// Every program of tests/run/programs, as glslang writes it, optimized by spirv-opt and with debug information: it must
// read, the IR must verify, and the interpreter must compute what the C++ references and literal expectations say,
// whatever number of invocations it steps together.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "ir/verifier.h"
#include "reference/reference.h"
#include "spirv/reader.h"
#include "vkrun/addresses.h"
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
                                vkrun::Variant variant, CompileContext& context) {
  const std::vector<uint32_t> words = vkrun::load_shader(manifest.folder + "/" + dispatch.shader, variant);
  std::vector<Specialization> constants;
  for (const auto& [id, value] : dispatch.spec) {
    const uint64_t high = value.size() > 1 ? value[1] : 0;
    constants.push_back({id, value[0] | high << 32, static_cast<uint32_t>(value.size() * 4)});
  }
  ReadOptions options;
  options.entry_point = "main";
  options.widths = {.int8 = true, .int16 = true, .int64 = true, .float16 = true, .float64 = true};
  options.specialization = constants;
  return read(words, options, context);
}

class Programs : public testing::TestWithParam<std::tuple<std::string, vkrun::Variant>> {};

/// One dispatch of a program, read and verified.
struct Step {
  const vkrun::Dispatch* dispatch;
  ir::Module module;
};

Result<void> run_step(const Step& step, const vkrun::Manifest& manifest, uint32_t subgroup_size,
                      vkrun::BufferContents& contents) {
  constexpr uint64_t kDistance = uint64_t{1} << 32;  // between buffers in memory
  interp::Dispatch run;
  run.groups = step.dispatch->groups;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    addresses.push_back((i + 1) * kDistance - 4096);
    if (!manifest.buffers[i].null) run.memory.push_back({addresses[i], contents[i]});
  }
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    vkrun::put_addresses(manifest.buffers[i].addresses, addresses, contents[i]);
  }
  const std::vector<uint32_t> push = vkrun::push_words(*step.dispatch, addresses);
  run.push_constants = {reinterpret_cast<const uint8_t*>(push.data()), push.size() * 4};
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    const vkrun::BufferDesc& buffer = manifest.buffers[i];
    if (!buffer.null) run.buffers.push_back({buffer.set, buffer.binding, buffer.element, contents[i]});
  }
  run.robust = manifest.robust;
  run.subgroup_size = subgroup_size;
  return interp::run(step.module, run);
}

TEST_P(Programs, ComputeTheReferenceResult) {
  const auto& [path, variant] = GetParam();
  const vkrun::Manifest manifest = vkrun::load_manifest(path);
  CompileContext context;
  std::vector<Step> steps;
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    Result<ir::Module> module = read_program(manifest, dispatch, variant, context);
    ASSERT_TRUE(module.ok()) << "word " << module.error().offset << ": " << module.error().message;
    const Result<void> verified = ir::verify(*module);
    ASSERT_TRUE(verified.ok()) << verified.error().message;
    steps.push_back({&dispatch, std::move(*module)});
  }
  const vkrun::BufferContents initial = vkrun::initial_contents(manifest);
  vkrun::BufferContents expected = initial;
  const spalt::run::ReferenceFunction reference =
      manifest.reference.empty() ? nullptr : spalt::run::find_reference(manifest.reference);
  ASSERT_EQ(reference == nullptr, manifest.reference.empty());
  if (reference != nullptr) reference(manifest, expected);
  for (const uint32_t subgroup_size : {1u, 4u, 32u, 64u}) {
    if (subgroup_size < manifest.min_subgroup_size) continue;
    vkrun::BufferContents contents = initial;
    for (const Step& step : steps) {
      const Result<void> done = run_step(step, manifest, subgroup_size, contents);
      ASSERT_TRUE(done.ok()) << "subgroup size " << subgroup_size << ": " << done.error().message;
    }
    EXPECT_EQ(vkrun::compare_expectations(manifest, contents).value_or(""), "") << "subgroup size " << subgroup_size;
    if (reference == nullptr) continue;
    EXPECT_EQ(vkrun::compare_runs(manifest, expected, contents).value_or(""), "") << "subgroup size " << subgroup_size;
  }
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
