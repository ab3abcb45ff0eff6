// SPDX-License-Identifier: MIT
// Creation of compute pipelines: modules and identifiers, failures, cache control, feedback, threads.
#include <cstdlib>
#include <cstring>
#include <thread>

#include "shader_test.h"

namespace spalt::icd::test {
namespace {

class ComputePipelineTest : public ShaderTest {
 protected:
  const VkShaderModule module = make_module(adding_shader());
};

/// Counts what is there, and fails when it is told to.
struct CountingMemory {
  int there = 0;
  bool fails = false;

  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks made{};
    made.pUserData = this;
    made.pfnAllocation = [](void* user, size_t size, size_t alignment, VkSystemAllocationScope) -> void* {
      auto& self = *static_cast<CountingMemory*>(user);
      if (self.fails) return nullptr;
      ++self.there;
      return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    };
    made.pfnFree = [](void* user, void* memory) {
      if (memory != nullptr) --static_cast<CountingMemory*>(user)->there;
      std::free(memory);
    };
    return made;
  }
};

VkShaderModuleCreateInfo module_info(const std::vector<uint32_t>& words) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words.size() * sizeof(uint32_t);
  info.pCode = words.data();
  return info;
}

TEST_F(ComputePipelineTest, FailureIsToldWithTheReason) {
  EXPECT_EQ(create({make_module(unsupported_shader())}, VK_NULL_HANDLE), VK_ERROR_UNKNOWN);
  const std::vector<std::string> messages = take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("RayTracingKHR"), std::string::npos) << messages[0];
  EXPECT_NE(messages[0].find("\"main\""), std::string::npos) << messages[0];
  EXPECT_NE(messages[0].find("gfx1030"), std::string::npos) << messages[0];
}

TEST_F(ComputePipelineTest, WordsThatAreNoModuleFail) {
  const VkPipelineCache cache = make_cache();
  EXPECT_EQ(create({make_module({0x07230203, 1, 2, 3})}, cache), VK_ERROR_UNKNOWN);
  EXPECT_EQ(create({.module = module, .entry_point = "other"}, cache), VK_ERROR_UNKNOWN);
  EXPECT_EQ(take_messages().size(), 2u);
  EXPECT_EQ(data_of(cache).size(), 32u);
}

TEST_F(ComputePipelineTest, ConstantsThatTheModuleDoesNotHaveAreIgnored) {
  const VkSpecializationMapEntry constants[] = {{7, 0, 4}, {100, 4, 12}, {101, 0, 16}};
  const uint32_t data[] = {5, 0, 0, 0};
  const VkSpecializationInfo specialization{3, constants, sizeof(data), data};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                nullptr,
                0,
                VK_SHADER_STAGE_COMPUTE_BIT,
                module,
                "main",
                &specialization};
  info.layout = make_layout(0);
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateComputePipelines(device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  EXPECT_EQ(elf_of(pipeline), elf_of(create_or_fail({module})));
  entry::DestroyPipeline(device(), pipeline, nullptr);
}

TEST_F(ComputePipelineTest, SpecializationChangesTheCode) {
  const std::vector<char> same = elf_of(create_or_fail({.module = module, .constant = 5}));
  EXPECT_EQ(same, elf_of(create_or_fail({module})));  // the default
  EXPECT_NE(same, elf_of(create_or_fail({.module = module, .constant = 6})));
}

TEST_F(ComputePipelineTest, LayoutDecidesWhereBindingsAre) {
  const std::vector<uint32_t> words = adding_shader();
  EXPECT_EQ(create({.module = module, .layout = make_layout(3)}, VK_NULL_HANDLE), VK_ERROR_UNKNOWN);
  EXPECT_EQ(take_messages().size(), 1u);
}

TEST_F(ComputePipelineTest, FailingElementsLeaveTheOthers) {
  const VkShaderModule bad = make_module(unsupported_shader());
  VkComputePipelineCreateInfo infos[4];
  for (int i = 0; i < 4; ++i) {
    infos[i] = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    infos[i].stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    infos[i].stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    infos[i].stage.module = i == 1 ? bad : module;
    infos[i].stage.pName = "main";
    infos[i].layout = make_layout(0);
  }
  const auto made = [&] {
    VkPipeline pipelines[4];
    std::memset(pipelines, 0x5a, sizeof(pipelines));
    EXPECT_EQ(entry::CreateComputePipelines(device(), VK_NULL_HANDLE, 4, infos, nullptr, pipelines), VK_ERROR_UNKNOWN);
    std::string which;
    for (VkPipeline pipeline : pipelines) {
      which += pipeline != VK_NULL_HANDLE ? '1' : '0';
      entry::DestroyPipeline(device(), pipeline, nullptr);
    }
    return which;
  };
  EXPECT_EQ(made(), "1011");
  infos[0].flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  EXPECT_EQ(made(), "1011");
  infos[1].flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  EXPECT_EQ(made(), "1000");
  // The news that the first needs a compilation is less than the error of the second.
  infos[0].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  infos[1].flags = 0;
  EXPECT_EQ(made(), "0011");
}

TEST_F(ComputePipelineTest, CodeThatIsWantedSoonIsOtherCode) {
  const VkPipelineCreateFlags soon = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
  const VkPipelineCache cache = make_cache();
  const VkPipeline full = create_or_fail({.module = module}, cache);
  EXPECT_FALSE(is_cached({.module = module, .flags = soon}, cache));
  const VkPipeline fast = create_or_fail({.module = module, .flags = soon}, cache);
  EXPECT_TRUE(is_cached({.module = module, .flags = soon}, cache));
  EXPECT_NE(elf_of(full), elf_of(fast));
  EXPECT_EQ(elf_of(full), elf_of(create_or_fail({.module = module}, cache)));
}

TEST_F(ComputePipelineTest, FlagsThatChangeNothingAreAccepted) {
  for (const VkPipelineCreateFlags flag :
       {VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT, VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
        VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR}) {
    EXPECT_EQ(create({.module = module, .flags = flag}, VK_NULL_HANDLE), VK_SUCCESS) << flag;
  }
}

TEST_F(ComputePipelineTest, FailOnCompileRequiredNeverCompiles) {
  const VkPipelineCreateFlags flag = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  EXPECT_EQ(create({.module = module, .flags = flag}, VK_NULL_HANDLE), VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(create({.module = make_module(unsupported_shader()), .flags = flag}, make_cache()),
            VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_TRUE(take_messages().empty());
}

TEST_F(ComputePipelineTest, FeedbackTellsHitsAndDurations) {
  VkPipelineCreationFeedback whole{}, stage{};
  const VkPipelineCreationFeedbackCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr,
                                                  &whole, 1, &stage};
  constexpr VkPipelineCreationFeedbackFlags kHit = VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  const VkPipelineCache cache = make_cache();
  ASSERT_EQ(create({.module = module, .next = &info}, cache), VK_SUCCESS);
  EXPECT_EQ(whole.flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
  EXPECT_EQ(stage.flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
  EXPECT_GT(whole.duration, 0u);
  EXPECT_LE(stage.duration, whole.duration);
  ASSERT_EQ(create({.module = module, .next = &info}, cache), VK_SUCCESS);
  EXPECT_EQ(whole.flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT | kHit);
  EXPECT_EQ(stage.flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT | kHit);
  EXPECT_NE(create({.module = module, .next = &info, .entry_point = "other"}, cache), VK_SUCCESS);
  EXPECT_EQ(whole.flags, 0u);
}

TEST_F(ComputePipelineTest, FeedbackWithoutStagesWritesNone) {
  VkPipelineCreationFeedback whole{};
  const VkPipelineCreationFeedbackCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr,
                                                  &whole, 0, nullptr};
  ASSERT_EQ(create({.module = module, .next = &info}, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(whole.flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
}

TEST_F(ComputePipelineTest, InlineModulesAreModules) {
  const std::vector<uint32_t> words = adding_shader();
  const VkShaderModuleCreateInfo info = module_info(words);
  const VkPipelineCache cache = make_cache();
  const VkPipeline pipeline = create_or_fail({.stage_next = &info}, cache);
  EXPECT_EQ(elf_of(pipeline), elf_of(create_or_fail({module})));
  EXPECT_TRUE(is_cached({module}, cache));
}

TEST_F(ComputePipelineTest, IdentifiersStandForTheWords) {
  const std::vector<uint32_t> words = adding_shader();
  const VkShaderModuleCreateInfo info = module_info(words);
  VkShaderModuleIdentifierEXT of_module{VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
  VkShaderModuleIdentifierEXT of_info = of_module, of_other = of_module;
  entry::GetShaderModuleIdentifierEXT(device(), module, &of_module);
  entry::GetShaderModuleCreateInfoIdentifierEXT(device(), &info, &of_info);
  entry::GetShaderModuleIdentifierEXT(device(), make_module(multiplying_shader()), &of_other);
  ASSERT_GT(of_module.identifierSize, 0u);
  ASSERT_LE(of_module.identifierSize, VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT);
  ASSERT_EQ(of_module.identifierSize, of_info.identifierSize);
  EXPECT_EQ(std::memcmp(of_module.identifier, of_info.identifier, of_info.identifierSize), 0);
  EXPECT_NE(std::memcmp(of_module.identifier, of_other.identifier, of_info.identifierSize), 0);

  const VkPipelineShaderStageModuleIdentifierCreateInfoEXT stage{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT, nullptr, of_module.identifierSize,
      of_module.identifier};
  const VkPipelineCache cache = make_cache();
  EXPECT_FALSE(is_cached({.stage_next = &stage}, cache));
  const VkPipeline compiled = create_or_fail({module}, cache);
  EXPECT_TRUE(is_cached({.stage_next = &stage}, cache));
  const VkPipeline found =
      create_or_fail({.stage_next = &stage, .flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT}, cache);
  EXPECT_EQ(elf_of(found), elf_of(compiled));
}

TEST_F(ComputePipelineTest, IdentifiersOfOtherSizesAreUnknown) {
  const uint8_t bytes[VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT] = {};
  const VkPipelineCache cache = make_cache();
  ASSERT_EQ(create({module}, cache), VK_SUCCESS);
  for (uint32_t size : {0u, 1u, 15u, 16u, 17u, 32u}) {
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT stage{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT, nullptr, size, bytes};
    EXPECT_FALSE(is_cached({.stage_next = &stage}, cache)) << size;
  }
}

TEST_F(ComputePipelineTest, SubgroupSizeIsTheOneRequired) {
  for (uint32_t lanes : {32, 64}) {
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, nullptr, lanes};
    const VkPipeline pipeline =
        create_or_fail({.module = module,
                        .stage_next = &required,
                        .stage_flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT});
    const VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
    VkPipelineExecutablePropertiesKHR properties{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    uint32_t count = 1;
    ASSERT_EQ(entry::GetPipelineExecutablePropertiesKHR(device(), &info, &count, &properties), VK_SUCCESS);
    EXPECT_EQ(properties.subgroupSize, lanes);
  }
}

TEST_F(ComputePipelineTest, ObjectsComeFromTheCallbacksOfTheCall) {
  CountingMemory memory;
  const VkAllocationCallbacks callbacks = memory.callbacks();
  const std::vector<uint32_t> words = adding_shader();
  const VkShaderModuleCreateInfo info = module_info(words);
  VkShaderModule own = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateShaderModule(device(), &info, &callbacks, &own), VK_SUCCESS);
  EXPECT_GT(memory.there, 0);
  entry::DestroyShaderModule(device(), own, &callbacks);
  EXPECT_EQ(memory.there, 0);

  VkComputePipelineCreateInfo pipeline_info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  pipeline_info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  pipeline_info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline_info.stage.module = module;
  pipeline_info.stage.pName = "main";
  pipeline_info.layout = make_layout(0);
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateComputePipelines(device(), VK_NULL_HANDLE, 1, &pipeline_info, &callbacks, &pipeline),
            VK_SUCCESS);
  EXPECT_GT(memory.there, 0);
  entry::DestroyPipeline(device(), pipeline, &callbacks);
  EXPECT_EQ(memory.there, 0);
  memory.fails = true;
  EXPECT_EQ(entry::CreateComputePipelines(device(), VK_NULL_HANDLE, 1, &pipeline_info, &callbacks, &pipeline),
            VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
  EXPECT_EQ(entry::CreateShaderModule(device(), &info, &callbacks, &own), VK_ERROR_OUT_OF_HOST_MEMORY);
}

TEST_F(ComputePipelineTest, ThreadsCompileAtTheSameTime) {
  const VkPipelineCache cache = make_cache();
  std::vector<char> expected[8];
  for (uint32_t i = 0; i < 8; ++i) expected[i] = elf_of(create_or_fail({.module = module, .constant = 100 + i}));
  std::vector<std::thread> threads;
  std::vector<std::string> failures(8);
  for (uint32_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t round = 0; round < 16; ++round) {
        const uint32_t i = (thread + round) % 8;
        VkPipeline pipeline = VK_NULL_HANDLE;
        if (create({.module = module, .constant = 100 + i}, cache, &pipeline) != VK_SUCCESS) failures[thread] = "fails";
        if (elf_of(pipeline) != expected[i]) failures[thread] = "other code";
        entry::DestroyPipeline(device(), pipeline, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  for (uint32_t i = 0; i < 8; ++i) EXPECT_TRUE(is_cached({.module = module, .constant = 100 + i}, cache));
}

}  // namespace
}  // namespace spalt::icd::test
