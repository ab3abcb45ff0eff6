// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "icd/graphics/render_targets.h"

namespace spalt::icd {

/// vkCmdBeginRendering to vkCmdEndRendering while they are recorded. An instance that is suspended resolves nothing,
/// and one that resumes clears nothing: the first and the last one do.
class DynamicRendering {
 public:
  void begin(CommandBuffer& commands, const VkRenderingInfo& info);
  void end(CommandBuffer& commands);
  void clear() { resolves_.clear(); }

 private:
  void keep_resolve(const Attachment& from, const VkRenderingAttachmentInfo& info, const VkRenderingInfo& rendering);

  std::vector<AttachmentResolve> resolves_;  // for the end
};

}  // namespace spalt::icd
