// SPDX-License-Identifier: MIT
//
// The names that manifests use for Vulkan's enumerations: those of Vulkan in lower case, without the common prefix.
#pragma once

#include <vulkan/vulkan.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace spalt::scenes {

// Each throws Error for a name that does not exist.
VkPrimitiveTopology topology_named(const std::string& name);
VkPolygonMode polygon_mode_named(const std::string& name);
VkCullModeFlags cull_mode_named(const std::string& name);
VkFrontFace front_face_named(const std::string& name);
VkCompareOp compare_op_named(const std::string& name);
VkStencilOp stencil_op_named(const std::string& name);
VkBlendFactor blend_factor_named(const std::string& name);
VkBlendOp blend_op_named(const std::string& name);
VkLogicOp logic_op_named(const std::string& name);
VkLineRasterizationModeEXT line_mode_named(const std::string& name);
VkAttachmentLoadOp load_op_named(const std::string& name);
VkAttachmentStoreOp store_op_named(const std::string& name);
VkResolveModeFlagBits resolve_mode_named(const std::string& name);
VkImageViewType view_type_named(const std::string& name);
VkIndexType index_type_named(const std::string& name);
/// "rgba", or some of its letters.
VkColorComponentFlags component_mask(const std::string& letters);

}  // namespace spalt::scenes
