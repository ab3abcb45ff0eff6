// SPDX-License-Identifier: MIT
#include "icd/graphics/graphics_library.h"

#include <algorithm>

#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexShader =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;

const VkPipelineLibraryCreateInfoKHR* find_libraries(const VkGraphicsPipelineCreateInfo& info) {
  const auto* found =
      find_in_chain<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return found != nullptr && found->libraryCount != 0 ? found : nullptr;
}

/// What the create info says itself.
VkGraphicsPipelineLibraryFlagsEXT own_parts(const VkGraphicsPipelineCreateInfo& info) {
  if (const auto* own = find_in_chain<VkGraphicsPipelineLibraryCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)) {
    return own->flags & kAllParts;
  }
  const bool is_library = (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0;
  return is_library || find_libraries(info) != nullptr ? 0 : kAllParts;
}

void add_layout(const PipelineLayoutRef& layout, GraphicsParts& parts) {
  if (parts.layout == nullptr || layout == nullptr || layout == parts.layout) {
    if (parts.layout == nullptr) parts.layout = layout;
    return;
  }
  parts.layout = std::make_shared<PipelineLayoutContents>(merge_pipeline_layouts(*parts.layout, *layout));
}

void add_library(const GraphicsLibrary& library, GraphicsParts& parts) {
  parts.parts |= library.parts;
  copy_parts(library.parts, library.contents, parts.contents);
  add_layout(library.layout, parts);
  for (const auto& stage : library.stages) parts.stages.push_back({&stage->info(), nullptr, stage});
}

/// The part of a pipeline that a stage belongs to.
VkGraphicsPipelineLibraryFlagsEXT part_of(VkShaderStageFlagBits stage) {
  return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? kFragmentShader : kVertexShader;
}

LibraryCode library_code(const VkPipelineShaderStageCreateInfo& stage, VkGraphicsPipelineLibraryFlagsEXT parts) {
  const bool reads_barycentrics = resolve_module(stage).declares(spv::CapabilityFragmentBarycentricKHR);
  constexpr VkGraphicsPipelineLibraryFlagsEXT kTopology = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
  if (reads_barycentrics && (parts & kTopology) == 0) return LibraryCode::nothing;
  return (parts_of_code(stage.stage) & ~parts) != 0 ? LibraryCode::body : LibraryCode::whole;
}

}  // namespace

const GraphicsParts::Stage* GraphicsParts::find(VkShaderStageFlagBits stage) const {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& one) { return one.info->stage == stage; });
  return found != stages.end() ? &*found : nullptr;
}

GraphicsParts gather_graphics_parts(const VkGraphicsPipelineCreateInfo& info) {
  GraphicsParts parts;
  parts.parts = own_parts(info);
  parts.contents = make_graphics_contents(info, parts.parts);
  const bool has_shaders = (parts.parts & (kVertexShader | kFragmentShader)) != 0;
  for (uint32_t i = 0; has_shaders && i < info.stageCount; ++i) {
    const VkPipelineShaderStageCreateInfo& stage = info.pStages[i];
    if ((part_of(stage.stage) & parts.parts) != 0) parts.stages.push_back({&stage, info.pNext, nullptr});
  }
  const VkPipelineLibraryCreateInfoKHR* libraries = find_libraries(info);
  // Where all shaders come from libraries, the layout is that of the whole pipeline.
  const bool has_layout = has_shaders || libraries != nullptr;
  if (has_layout && info.layout != VK_NULL_HANDLE) add_layout(from_handle<PipelineLayout>(info.layout).contents, parts);
  for (uint32_t i = 0; libraries != nullptr && i < libraries->libraryCount; ++i) {
    const Pipeline& library = from_handle<Pipeline>(libraries->pLibraries[i]);
    if (library.library == nullptr) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
    add_library(*library.library, parts);
  }
  return parts;
}

std::shared_ptr<const GraphicsLibrary> make_graphics_library(const GraphicsParts& parts, VkPipelineCreateFlags flags) {
  auto library = std::make_shared<GraphicsLibrary>();
  library->parts = parts.parts;
  library->contents = parts.contents;
  library->layout = parts.layout;
  for (const GraphicsParts::Stage& stage : parts.stages) {
    auto retained = stage.retained;
    if (retained == nullptr) {
      const LibraryCode code = library_code(*stage.info, parts.parts);
      retained = std::make_shared<RetainedStage>(*stage.info, stage.pipeline_chain, flags, parts.layout, code);
    }
    if (retained->module().words.empty()) throw VulkanError{VK_PIPELINE_COMPILE_REQUIRED};
    library->stages.push_back(std::move(retained));
  }
  return library;
}

}  // namespace spalt::icd
