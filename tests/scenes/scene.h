// SPDX-License-Identifier: MIT
//
// A scene: what a manifest of this folder describes, ready to be given to Vulkan. Structs of Vulkan hold the state that
// Vulkan names; a resource is an index in the scene's list of its kind. README.md documents the manifest.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vkrun/manifest.h"

namespace spalt::scenes {

using vkrun::Error;

struct Image {
  vkrun::ImageDesc desc;  // without bindings
  bool is_cube = false;
  bool is_3d_layered = false;                  // slices of a 3D image are layers of a target
  VkFormat view_format = VK_FORMAT_UNDEFINED;  // of attachments and bindings that name no other
};

struct Buffer {
  std::string name;
  std::vector<uint8_t> bytes;
};

/// Two buffers with vertices and 32-bit indices.
struct Mesh {
  std::string name;
  size_t vertices = 0;
  size_t indices = 0;
  uint32_t index_count = 0;
};

struct Attachment {
  size_t image = 0;
  uint32_t level = 0, layer = 0;
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR;
  VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE;
  VkAttachmentLoadOp stencil_load = VK_ATTACHMENT_LOAD_OP_CLEAR;
  VkClearValue clear{};
  std::optional<size_t> resolve;  // image
  VkResolveModeFlagBits resolve_mode = VK_RESOLVE_MODE_AVERAGE_BIT;
  bool read_only = false;
};

/// One descriptor of a draw.
struct Binding {
  uint32_t set = 0, binding = 0, element = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  size_t resource = 0;  // buffer or image
  size_t sampler = 0;
  uint32_t input_index = 0;  // of an input attachment
  // Of images:
  VkImageViewType view_type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat view_format = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags aspects = 0;
  std::array<uint32_t, 2> levels = {0, 1};  // first, count
  std::array<uint32_t, 2> layers = {0, 1};
};

/// The fixed functions and shaders of a draw. Sample counts and formats are those of the pass.
struct Pipeline {
  std::string name;
  std::string vertex, geometry, fragment;  // file names, relative to the manifest; the last two may be empty
  vkrun::SpecConstants spec;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  VkPipelineRasterizationStateCreateInfo rasterization{};
  std::optional<VkPipelineRasterizationLineStateCreateInfoEXT> line;
  bool provoking_last = false;
  std::optional<bool> depth_clip;  // VK_EXT_depth_clip_enable; none: what depthClamp says
  VkPipelineMultisampleStateCreateInfo multisample{};
  std::optional<uint32_t> sample_mask;
  VkPipelineDepthStencilStateCreateInfo depth_stencil{};
  VkPipelineColorBlendStateCreateInfo blend{};
  std::vector<VkPipelineColorBlendAttachmentState> targets;  // one for all, or one for each colour attachment
  std::vector<VkViewport> viewports;                         // empty: the whole target
  std::vector<VkRect2D> scissors;
  std::vector<VkDynamicState> dynamic;  // set at each draw, to the draw's values or these
};

struct VertexBuffer {
  uint32_t binding = 0;
  size_t buffer = 0;
  VkDeviceSize offset = 0;
};

struct IndexBuffer {
  size_t buffer = 0;
  VkDeviceSize offset = 0;
  VkIndexType type = VK_INDEX_TYPE_UINT32;
};

struct Indirect {
  size_t buffer = 0;
  VkDeviceSize offset = 0;
  uint32_t count = 1, stride = 0;
};

struct Draw {
  Pipeline pipeline;    // with the values of the draw's dynamic state
  std::string variant;  // equal for draws that can share a pipeline
  std::vector<VertexBuffer> vertex_buffers;
  std::optional<IndexBuffer> indices;
  std::optional<Indirect> indirect;
  uint32_t count = 3;  // vertices or indices
  uint32_t instances = 1;
  uint32_t first = 0;  // vertex or index
  uint32_t first_instance = 0;
  int32_t vertex_offset = 0;
  std::vector<uint32_t> push;
  std::vector<Binding> bindings;
  bool waits = false;  // for what the subpass has drawn before, which it reads as an input attachment
};

enum class Rendering { Any, Dynamic, RenderPass };

/// Whether pipelines are made from libraries, and how those are linked.
enum class Libraries { None, Linked, Optimized };

/// What the command line leaves to the user, or a test does one way and the other.
struct Ways {
  Rendering rendering = Rendering::Any;  // of passes that leave it open; Any is dynamic where the driver can
  Libraries libraries = Libraries::None;
};

struct Pass {
  bool is_next_subpass = false;  // of the render pass that the pass before belongs to
  std::vector<std::optional<Attachment>> colors;
  std::optional<Attachment> depth;
  VkRect2D area{};
  uint32_t layers = 1;
  uint32_t view_mask = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  Rendering rendering = Rendering::Any;
  std::vector<Draw> draws;
};

/// A picture that two drivers must agree on, texel by texel, or a buffer, word by word.
struct Comparison {
  size_t image = 0;
  std::optional<size_t> buffer;  // instead of an image; nothing below is for it
  VkImageAspectFlagBits aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t level = 0;
  std::optional<double> tolerance;  // none: one step of 8 bits, or of the channel if that is coarser
  double share = 0.0;               // of the pixels that may differ
};

struct Scene {
  std::string name;
  std::string folder;
  std::string note;
  std::vector<std::string> needs;            // features and extensions
  std::vector<std::string> reference_needs;  // the same, of the reference driver alone
  std::string judge;  // a manifest that the reference driver draws instead, relative to this one; empty: none
  std::vector<Image> images;
  std::vector<Buffer> buffers;
  std::vector<Mesh> meshes;
  std::vector<vkrun::SamplerDesc> samplers;
  std::vector<Pass> passes;
  std::vector<Comparison> comparisons;
};

/// Contents of Scene::comparisons: bytes of buffers, and of one level of images in the order of image_texels.h.
using Pictures = std::vector<std::vector<uint8_t>>;

}  // namespace spalt::scenes
