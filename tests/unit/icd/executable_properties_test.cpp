// SPDX-License-Identifier: MIT
// VK_KHR_pipeline_executable_properties and VK_AMD_shader_info: counts, short buffers, and that they tell the same.
#include <cstring>
#include <map>
#include <set>

#include "shader_test.h"

namespace spalt::icd::test {
namespace {

class ExecutablePropertiesTest : public ShaderTest {
 protected:
  std::map<std::string, uint64_t> statistics_of(VkPipeline pipeline) {
    const VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
    uint32_t count = 0;
    EXPECT_EQ(entry::GetPipelineExecutableStatisticsKHR(device(), &info, &count, nullptr), VK_SUCCESS);
    std::vector<VkPipelineExecutableStatisticKHR> rows(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    EXPECT_EQ(entry::GetPipelineExecutableStatisticsKHR(device(), &info, &count, rows.data()), VK_SUCCESS);
    std::map<std::string, uint64_t> all;
    for (const VkPipelineExecutableStatisticKHR& row : rows) {
      EXPECT_EQ(row.format, VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR);
      EXPECT_NE(row.description[0], 0) << row.name;
      EXPECT_TRUE(all.emplace(row.name, row.value.u64).second) << row.name << " is there twice";
    }
    return all;
  }
  std::map<std::string, std::string> texts_of(VkPipeline pipeline) {
    const VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
    uint32_t count = 0;
    EXPECT_EQ(entry::GetPipelineExecutableInternalRepresentationsKHR(device(), &info, &count, nullptr), VK_SUCCESS);
    std::vector<VkPipelineExecutableInternalRepresentationKHR> rows(
        count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
    EXPECT_EQ(entry::GetPipelineExecutableInternalRepresentationsKHR(device(), &info, &count, rows.data()), VK_SUCCESS);
    std::vector<std::string> texts;
    for (auto& row : rows) row.pData = texts.emplace_back(row.dataSize, '?').data();
    for (size_t i = 0; i < rows.size(); ++i) rows[i].pData = texts[i].data();
    EXPECT_EQ(entry::GetPipelineExecutableInternalRepresentationsKHR(device(), &info, &count, rows.data()), VK_SUCCESS);
    std::map<std::string, std::string> all;
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].isText, VK_TRUE);
      EXPECT_EQ(texts[i].find('\0'), texts[i].size() - 1) << rows[i].name;
      texts[i].pop_back();
      EXPECT_TRUE(all.emplace(rows[i].name, texts[i]).second) << rows[i].name << " is there twice";
    }
    return all;
  }
  std::string disassembly_of(VkPipeline pipeline) {
    size_t size = 0;
    const auto get = [&](void* data) {
      return entry::GetShaderInfoAMD(device(), pipeline, VK_SHADER_STAGE_COMPUTE_BIT,
                                     VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD, &size, data);
    };
    EXPECT_EQ(get(nullptr), VK_SUCCESS);
    std::string text(size, '?');
    EXPECT_EQ(get(text.data()), VK_SUCCESS);
    text.pop_back();
    return text;
  }

  const VkShaderModule module = make_module(adding_shader());
};

TEST_F(ExecutablePropertiesTest, APipelineIsOneExecutable) {
  const VkPipeline pipeline = create_or_fail({module});
  const VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
  uint32_t count = 7;
  EXPECT_EQ(entry::GetPipelineExecutablePropertiesKHR(device(), &info, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  VkPipelineExecutablePropertiesKHR properties[2] = {{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR},
                                                     {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR}};
  count = 0;
  EXPECT_EQ(entry::GetPipelineExecutablePropertiesKHR(device(), &info, &count, properties), VK_INCOMPLETE);
  count = 2;
  EXPECT_EQ(entry::GetPipelineExecutablePropertiesKHR(device(), &info, &count, properties), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(properties[0].stages, static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_COMPUTE_BIT));
  EXPECT_STRNE(properties[0].name, "");
  EXPECT_NE(std::string(properties[0].description).find("main"), std::string::npos);
}

TEST_F(ExecutablePropertiesTest, StatisticsCountTheCode) {
  const VkPipeline pipeline = create_or_fail({module});
  const std::map<std::string, uint64_t> statistics = statistics_of(pipeline);
  const std::string assembly = disassembly_of(pipeline);
  uint64_t instructions = 0;
  for (size_t at = assembly.find("//"); at != std::string::npos; at = assembly.find("//", at + 1)) ++instructions;
  EXPECT_EQ(statistics.at("Instructions"), instructions) << assembly;
  EXPECT_EQ(statistics.at("Subgroup size"), 32u);
  EXPECT_EQ(statistics.at("LDS size"), 0u);
  EXPECT_GT(statistics.at("VGPRs"), 0u);
}

TEST_F(ExecutablePropertiesTest, StatisticsOfCachedCodeAreTheSame) {
  const VkPipelineCache cache = make_cache();
  const auto expected = statistics_of(create_or_fail({module}, cache));
  const VkPipelineCache copy = make_cache(data_of(cache));
  ASSERT_TRUE(is_cached({module}, copy));
  EXPECT_EQ(statistics_of(create_or_fail({module}, copy)), expected);
}

TEST_F(ExecutablePropertiesTest, ShortStatisticsAreIncomplete) {
  const VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr,
                                         create_or_fail({module}), 0};
  VkPipelineExecutableStatisticKHR rows[2] = {{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR},
                                              {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR}};
  std::strcpy(rows[1].name, "untouched");
  uint32_t count = 1;
  EXPECT_EQ(entry::GetPipelineExecutableStatisticsKHR(device(), &info, &count, rows), VK_INCOMPLETE);
  EXPECT_EQ(count, 1u);
  EXPECT_STREQ(rows[1].name, "untouched");
}

TEST_F(ExecutablePropertiesTest, CapturesTheWayOfAShader) {
  const VkPipelineCache cache = make_cache();
  ASSERT_EQ(create({module}, cache), VK_SUCCESS);
  const VkPipelineCreateFlags flag = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  const VkPipeline captured = create_or_fail({.module = module, .flags = flag}, cache);
  const auto texts = texts_of(captured);
  EXPECT_EQ(texts.size(), 8u);
  for (const auto& [name, text] : texts) EXPECT_NE(text, "") << name;
  EXPECT_EQ(texts.at("Assembly"), disassembly_of(captured));
  EXPECT_EQ(elf_of(captured), elf_of(create_or_fail({module})));
  // Without the flag there is what the code itself tells.
  const auto plain = texts_of(create_or_fail({module}, cache));
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain.at("Assembly"), texts.at("Assembly"));
}

TEST_F(ExecutablePropertiesTest, ShortTextsAreIncomplete) {
  const VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr,
                                         create_or_fail({module}), 0};
  char text[8];
  std::memset(text, '?', sizeof(text));
  VkPipelineExecutableInternalRepresentationKHR row{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
  row.pData = text;
  row.dataSize = 4;
  uint32_t count = 1;
  EXPECT_EQ(entry::GetPipelineExecutableInternalRepresentationsKHR(device(), &info, &count, &row), VK_INCOMPLETE);
  EXPECT_EQ(row.dataSize, 4u);
  EXPECT_EQ(std::string(text + 4, 4), "????");
}

TEST_F(ExecutablePropertiesTest, ShaderInfoTellsTheSame) {
  const VkPipeline pipeline = create_or_fail({module});
  const std::map<std::string, uint64_t> statistics = statistics_of(pipeline);
  VkShaderStatisticsInfoAMD info{};
  size_t size = 0;
  const auto get = [&](void* data) {
    return entry::GetShaderInfoAMD(device(), pipeline, VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_INFO_TYPE_STATISTICS_AMD,
                                   &size, data);
  };
  EXPECT_EQ(get(nullptr), VK_SUCCESS);
  EXPECT_EQ(size, sizeof(info));
  EXPECT_EQ(get(&info), VK_SUCCESS);
  EXPECT_EQ(info.shaderStageMask, static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_COMPUTE_BIT));
  EXPECT_EQ(info.resourceUsage.numUsedVgprs, statistics.at("VGPRs"));
  EXPECT_EQ(info.resourceUsage.numUsedSgprs, statistics.at("SGPRs"));
  EXPECT_EQ(info.computeWorkGroupSize[0], 64u);
  EXPECT_LE(info.resourceUsage.numUsedVgprs, info.numAvailableVgprs);
  size = 4;
  EXPECT_EQ(get(&info), VK_INCOMPLETE);
  EXPECT_EQ(entry::GetShaderInfoAMD(device(), pipeline, VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_INFO_TYPE_BINARY_AMD,
                                    &size, nullptr),
            VK_ERROR_FEATURE_NOT_PRESENT);
}

}  // namespace
}  // namespace spalt::icd::test
