// SPDX-License-Identifier: MIT
//
// Attachments as draws, clears and resolves see them: one plane of one level of an image, its samples in slices.
#pragma once

#include <vulkan/vulkan.h>

#include "icd/resource/image_view.h"
#include "icd/transfer/image_clear.h"
#include "icd/transfer/image_resolve.h"
#include "spalt/draw.h"
#include "spalt/graphics.h"

namespace spalt::icd {

struct Attachment {
  TexelImage texels;  // in the format of the view
  VkImageAspectFlags aspect = 0;
  uint32_t first_slice = 0;  // sample 0 of the first layer
  uint32_t layers = 0, samples = 1;

  bool exists() const { return layers != 0; }
};

/// None where the view is nullptr or its image lacks the aspect. Which aspects the view has does not matter for
/// attachments (Vulkan, VkImageSubresourceRange).
Attachment make_attachment(const ImageView* view, VkImageAspectFlags aspect);
spalt_attachment describe(const Attachment& attachment);

/// Layers that a command works on: some that follow each other, or those of views.
struct LayerSet {
  uint32_t first = 0, count = 0;
  uint32_t views = 0;  // not 0: bit i is layer i, and the others do not count

  /// Calls `visit(layer)` for each.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t i = 0; i < (views != 0 ? 32 : count); ++i) {
      if (views == 0 || (views >> i & 1) != 0) visit(views != 0 ? i : first + i);
    }
  }
};

/// A rectangle of some layers that all becomes the same.
struct AttachmentClear {
  Attachment attachment;
  VkRect2D area{};
  LayerSet layers;
  spalt_texel value{};

  void run() const;
};

/// Samples of a rectangle of some layers that become texels of another attachment.
struct AttachmentResolve {
  Attachment from, to;
  VkRect2D area{};
  LayerSet layers;
  SampleMerge merge = SampleMerge::first;

  void run() const;
};

spalt_texel clear_texel(const VkClearValue& value, VkImageAspectFlags aspect);
SampleMerge merge_of(VkResolveModeFlagBits mode);

}  // namespace spalt::icd
