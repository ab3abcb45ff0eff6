// SPDX-License-Identifier: MIT
//
// vkGetPipelineExecutableStatisticsKHR: what the compiler counted.
#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/fixed_text.h"
#include "icd/shader/pipeline.h"

namespace spalt::icd {
namespace {

struct StatisticRow {
  const char* name;
  const char* description;
  uint32_t spalt_statistics::*member;
};

constexpr StatisticRow kRows[] = {
    {"Instructions", "Instructions of the code", &spalt_statistics::instructions},
    {"Code size", "Bytes of the code", &spalt_statistics::code_bytes},
    {"SGPRs", "Scalar registers of a wave, the highest used plus 1", &spalt_statistics::sgprs},
    {"VGPRs", "Vector registers of a wave, the highest used plus 1", &spalt_statistics::vgprs},
    {"Spilled SGPRs", "Scalar values that were moved out of their registers", &spalt_statistics::spilled_sgprs},
    {"Spilled VGPRs", "Vector values that were moved to scratch memory", &spalt_statistics::spilled_vgprs},
    {"LDS size", "Bytes of shared memory of a workgroup", &spalt_statistics::lds_bytes},
    {"Scratch size", "Bytes of scratch memory of a lane", &spalt_statistics::scratch_bytes},
    {"Subgroup size", "Lanes of a wave", &spalt_statistics::wave_size},
    {"Occupancy", "Waves that fit on a SIMD at the same time", &spalt_statistics::waves_per_simd},
};

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetPipelineExecutableStatisticsKHR(VkDevice, const VkPipelineExecutableInfoKHR* pExecutableInfo,
                                          uint32_t* pStatisticCount, VkPipelineExecutableStatisticKHR* pStatistics) {
  const auto& stages = from_handle<Pipeline>(pExecutableInfo->pipeline).stages;
  const spalt_statistics statistics = pExecutableInfo->executableIndex < stages.size()
                                          ? stages[pExecutableInfo->executableIndex].statistics
                                          : spalt_statistics{};
  return write_array(std::size(kRows), pStatisticCount, pStatistics,
                     [&](VkPipelineExecutableStatisticKHR& output, uint32_t i) {
                       write_text(output.name, kRows[i].name);
                       write_text(output.description, kRows[i].description);
                       output.format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
                       output.value.u64 = statistics.*kRows[i].member;
                     });
}

}  // namespace spalt::icd
