// SPDX-License-Identifier: MIT
#include "names.h"

#include <nlohmann/json.hpp>

#include "scene.h"
#include "vkrun/image_manifest.h"

namespace spalt::scenes {
namespace {

constexpr const char* kTopologies[] = {"point_list",
                                       "line_list",
                                       "line_strip",
                                       "triangle_list",
                                       "triangle_strip",
                                       "triangle_fan",
                                       "line_list_with_adjacency",
                                       "line_strip_with_adjacency",
                                       "triangle_list_with_adjacency",
                                       "triangle_strip_with_adjacency"};
constexpr const char* kPolygonModes[] = {"fill", "line", "point"};
constexpr const char* kCullModes[] = {"none", "front", "back", "front_and_back"};
constexpr const char* kFrontFaces[] = {"counter_clockwise", "clockwise"};
constexpr const char* kCompareOps[] = {
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"};
constexpr const char* kStencilOps[] = {"keep",
                                       "zero",
                                       "replace",
                                       "increment_and_clamp",
                                       "decrement_and_clamp",
                                       "invert",
                                       "increment_and_wrap",
                                       "decrement_and_wrap"};
constexpr const char* kBlendFactors[] = {"zero",
                                         "one",
                                         "src_color",
                                         "one_minus_src_color",
                                         "dst_color",
                                         "one_minus_dst_color",
                                         "src_alpha",
                                         "one_minus_src_alpha",
                                         "dst_alpha",
                                         "one_minus_dst_alpha",
                                         "constant_color",
                                         "one_minus_constant_color",
                                         "constant_alpha",
                                         "one_minus_constant_alpha",
                                         "src_alpha_saturate",
                                         "src1_color",
                                         "one_minus_src1_color",
                                         "src1_alpha",
                                         "one_minus_src1_alpha"};
constexpr const char* kBlendOps[] = {"add", "subtract", "reverse_subtract", "min", "max"};
constexpr const char* kLogicOps[] = {
    "clear", "and",        "and_reverse", "copy",       "and_inverted",  "no_op",       "xor",  "or",
    "nor",   "equivalent", "invert",      "or_reverse", "copy_inverted", "or_inverted", "nand", "set"};
constexpr const char* kLineModes[] = {"default", "rectangular", "bresenham", "rectangular_smooth"};
constexpr const char* kLoadOps[] = {"load", "clear", "dont_care"};
constexpr const char* kStoreOps[] = {"store", "dont_care"};
constexpr const char* kResolveModes[] = {"sample_zero", "average", "min", "max"};  // bits 0 to 3
constexpr const char* kViewTypes[] = {"1d", "2d", "3d", "cube", "1d_array", "2d_array", "cube_array"};
constexpr const char* kIndexTypes[] = {"uint16", "uint32"};

template <typename Enum, size_t count>
Enum named(const std::string& name, const char* const (&names)[count], const char* what) {
  return static_cast<Enum>(vkrun::index_of(name, names, what));
}

}  // namespace

VkPrimitiveTopology topology_named(const std::string& name) {
  return named<VkPrimitiveTopology>(name, kTopologies, "topology");
}

VkPolygonMode polygon_mode_named(const std::string& name) {
  return named<VkPolygonMode>(name, kPolygonModes, "polygon mode");
}

VkCullModeFlags cull_mode_named(const std::string& name) {
  return named<VkCullModeFlags>(name, kCullModes, "cull mode");
}

VkFrontFace front_face_named(const std::string& name) {
  return named<VkFrontFace>(name, kFrontFaces, "front face");
}

VkCompareOp compare_op_named(const std::string& name) {
  return named<VkCompareOp>(name, kCompareOps, "compare operation");
}

VkStencilOp stencil_op_named(const std::string& name) {
  return named<VkStencilOp>(name, kStencilOps, "stencil operation");
}

VkBlendFactor blend_factor_named(const std::string& name) {
  return named<VkBlendFactor>(name, kBlendFactors, "blend factor");
}

VkBlendOp blend_op_named(const std::string& name) {
  return named<VkBlendOp>(name, kBlendOps, "blend operation");
}

VkLogicOp logic_op_named(const std::string& name) {
  return named<VkLogicOp>(name, kLogicOps, "logic operation");
}

VkLineRasterizationModeEXT line_mode_named(const std::string& name) {
  return named<VkLineRasterizationModeEXT>(name, kLineModes, "line mode");
}

VkAttachmentLoadOp load_op_named(const std::string& name) {
  return named<VkAttachmentLoadOp>(name, kLoadOps, "load operation");
}

VkAttachmentStoreOp store_op_named(const std::string& name) {
  return named<VkAttachmentStoreOp>(name, kStoreOps, "store operation");
}

VkResolveModeFlagBits resolve_mode_named(const std::string& name) {
  return static_cast<VkResolveModeFlagBits>(1u << vkrun::index_of(name, kResolveModes, "resolve mode"));
}

VkImageViewType view_type_named(const std::string& name) {
  return named<VkImageViewType>(name, kViewTypes, "view type");
}

VkIndexType index_type_named(const std::string& name) {
  if (name == "uint8") return VK_INDEX_TYPE_UINT8_EXT;
  return named<VkIndexType>(name, kIndexTypes, "index type");
}

VkColorComponentFlags component_mask(const std::string& letters) {
  VkColorComponentFlags mask = 0;
  for (const char letter : letters) {
    const size_t at = std::string("rgba").find(letter);
    if (at == std::string::npos) throw Error("a write mask has letters among rgba");
    mask |= 1u << at;
  }
  return mask;
}

}  // namespace spalt::scenes
