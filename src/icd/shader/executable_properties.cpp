// SPDX-License-Identifier: MIT
//
// VK_KHR_pipeline_executable_properties: each stage of a pipeline is an executable. Its statistics and its assembly are
// always there; the IR on the way only where the pipeline was created to capture it.
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/fixed_text.h"
#include "icd/object/result.h"
#include "icd/shader/disassembly.h"
#include "icd/shader/pipeline.h"

namespace spalt::icd {
namespace {

/// The size with its zero, or as much as fits.
VkResult write_representation(const Representation& from, VkPipelineExecutableInternalRepresentationKHR& to) {
  write_text(to.name, from.name);
  write_text(to.description, from.description);
  to.isText = VK_TRUE;
  const size_t size = from.text.size() + 1;
  if (to.pData == nullptr) {
    to.dataSize = size;
    return VK_SUCCESS;
  }
  to.dataSize = std::min(to.dataSize, size);
  std::memcpy(to.pData, from.text.c_str(), to.dataSize);
  return to.dataSize < size ? VK_INCOMPLETE : VK_SUCCESS;
}

const char* stage_name(VkShaderStageFlagBits stage) {
  if (stage == VK_SHADER_STAGE_VERTEX_BIT) return "vertex";
  return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment" : "compute";
}

const char* stage_title(VkShaderStageFlagBits stage) {
  if (stage == VK_SHADER_STAGE_VERTEX_BIT) return "Vertex shader";
  return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "Fragment shader" : "Compute shader";
}

/// The assembly is that of the whole pipeline.
std::vector<Representation> all_representations(const Pipeline& pipeline, uint32_t executable) {
  if (executable >= pipeline.stages.size()) return {};
  std::vector<Representation> all = pipeline.stages[executable].representations;
  all.push_back({"Assembly", "The final code in LLVM's dialect", disassemble(*pipeline.program)});
  return all;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetPipelineExecutablePropertiesKHR(VkDevice, const VkPipelineInfoKHR* pPipelineInfo, uint32_t* pExecutableCount,
                                          VkPipelineExecutablePropertiesKHR* pProperties) {
  const auto& stages = from_handle<Pipeline>(pPipelineInfo->pipeline).stages;
  return write_array(static_cast<uint32_t>(stages.size()), pExecutableCount, pProperties,
                     [&](VkPipelineExecutablePropertiesKHR& output, uint32_t i) {
                       const PipelineStage& stage = stages[i];
                       output.stages = stage.stage;
                       write_text(output.name, stage_name(stage.stage));
                       write_text(output.description,
                                  std::string(stage_title(stage.stage)) + ", entry point " + stage.entry_point);
                       output.subgroupSize = stage.statistics.wave_size;
                     });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPipelineExecutableInternalRepresentationsKHR(
    VkDevice, const VkPipelineExecutableInfoKHR* pExecutableInfo, uint32_t* pInternalRepresentationCount,
    VkPipelineExecutableInternalRepresentationKHR* pInternalRepresentations) {
  return guarded([&] {
    const auto all =
        all_representations(from_handle<Pipeline>(pExecutableInfo->pipeline), pExecutableInfo->executableIndex);
    VkResult texts = VK_SUCCESS;
    const VkResult array =
        write_array(static_cast<uint32_t>(all.size()), pInternalRepresentationCount, pInternalRepresentations,
                    [&](VkPipelineExecutableInternalRepresentationKHR& output, uint32_t i) {
                      texts = std::max(texts, write_representation(all[i], output));
                    });
    return std::max(texts, array);
  });
}

}  // namespace spalt::icd
