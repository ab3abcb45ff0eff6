// SPDX-License-Identifier: MIT
//
// The recorded Vulkan state that the code of a pipeline depends on, as plain data. Objects name each other by hash, 0
// being VK_NULL_HANDLE; numbers are those of the Vulkan enumerations (vulkan_numbers.h).
#pragma once
#include <spalt/graphics.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spalt_tool::replay {

struct SamplerState {
  uint32_t flags = 0;
  uint32_t mag_filter = 0, min_filter = 0, mipmap_mode = 0;
  std::array<uint32_t, 3> address_mode{};
  uint32_t compare_enable = 0, compare_op = 0;
  uint32_t anisotropy_enable = 0;
  uint32_t border_color = 0;
  uint32_t unnormalized_coordinates = 0;
  uint32_t reduction_mode = 0;
  float max_anisotropy = 0, mip_lod_bias = 0, min_lod = 0, max_lod = 0;
};

struct SetBindingState {
  uint32_t binding = 0;
  uint32_t type = 0;                         ///< VkDescriptorType
  uint32_t count = 0;                        ///< descriptors; bytes of an inline uniform block
  std::vector<uint64_t> immutable_samplers;  ///< hashes, one for each descriptor, or none
  std::vector<uint32_t> mutable_types;       ///< what a mutable descriptor may be
};

struct SetLayoutState {
  uint32_t flags = 0;
  std::vector<SetBindingState> bindings;  ///< in binding order
};

struct PipelineLayoutState {
  std::vector<uint64_t> sets;        ///< hashes of set layouts
  uint32_t push_constant_bytes = 0;  ///< end of the last range
};

/// VkPipelineRobustnessCreateInfo: numbers of the Vulkan enumerations, 0 being what the device does.
struct RobustnessState {
  uint32_t uniform_buffers = 0, storage_buffers = 0, images = 0;
};

/// Features of the device that was recorded, of which code depends.
struct ApplicationState {
  bool robust_buffer_access = false;
  bool robust_buffer_access_2 = false;
  bool robust_image_access = false;
  bool robust_image_access_2 = false;
  bool null_descriptor = false;
};

struct SpecializationState {
  struct Entry {
    uint32_t constant_id = 0, offset = 0, size = 0;
  };
  std::vector<Entry> entries;
  std::vector<uint8_t> data;
};

struct StageState {
  uint32_t stage = 0;  ///< VkShaderStageFlagBits
  uint32_t flags = 0;  ///< VkPipelineShaderStageCreateFlags
  uint64_t module = 0;
  std::string entry_point;
  uint32_t required_subgroup_size = 0;  ///< 0: any
  std::optional<RobustnessState> robustness;
  SpecializationState specialization;
};

/// What code of graphics pipelines depends on beside their stages.
struct GraphicsState {
  struct Blend {
    spalt_color_target target{};  ///< without its format
    bool dual_source = false;
  };

  std::vector<spalt_vertex_binding> bindings;
  std::vector<spalt_vertex_attribute> attributes;
  std::vector<Blend> blends;     ///< by location
  spalt_graphics_state fixed{};  ///< without its lists
  uint64_t render_pass = 0;
  uint32_t subpass = 0;
  std::vector<uint32_t> color_formats;  ///< by location; of those without a render pass
};

struct RenderPassState {
  std::vector<std::vector<uint32_t>> subpasses;  ///< formats of the colour attachments by location; 0: none
};

/// A pipeline of any kind: what kinds have in common. What only one of them has is a member of its own.
struct PipelineState {
  uint64_t flags = 0;  ///< VkPipelineCreateFlags
  uint64_t layout = 0;
  std::vector<StageState> stages;  ///< of graphics the vertex stage and, if there is one, the fragment stage
  std::optional<RobustnessState> robustness;
  std::optional<GraphicsState> graphics;
};

/// Says that an object belongs to an application.
struct ApplicationLinkState {
  uint64_t application = 0;
  uint32_t tag = 0;
  uint64_t hash = 0;
};

}  // namespace spalt_tool::replay
