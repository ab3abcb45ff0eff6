// SPDX-License-Identifier: MIT
#include "icd/graphics/render_targets.h"

#include <algorithm>
#include <bit>

#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct BeginTargets {
  const RenderTargets* targets;
  bool execute(Execution& execution) const {
    execution.set_render_targets(targets, std::max(std::popcount(targets->view_mask), 1));
    return true;
  }
};

struct EndTargets {
  bool execute(Execution& execution) const {
    execution.set_render_targets(nullptr, 1);
    return true;
  }
};

struct Clear {
  AttachmentClear clear;
  bool execute(Execution& execution) const {
    if (!execution.settle_memory()) return false;
    if (!execution.can_touch(clear.attachment.texels.grid.range, SPALT_ACCESS_STORE)) return execution.goes_on();
    clear.run();
    return true;
  }
};

struct Resolve {
  AttachmentResolve resolve;
  bool execute(Execution& execution) const {
    if (!execution.settle_memory()) return false;
    if (!execution.can_touch(resolve.from.texels.grid.range, SPALT_ACCESS_LOAD) ||
        !execution.can_touch(resolve.to.texels.grid.range, SPALT_ACCESS_STORE)) {
      return execution.goes_on();
    }
    resolve.run();
    return true;
  }
};

}  // namespace

void begin_targets(CommandBuffer& commands, const RenderTargets& targets) {
  commands.append(BeginTargets{new (commands.arena().allocate(sizeof targets)) RenderTargets(targets)});
}

void record_clear(CommandBuffer& commands, const AttachmentClear& clear) {
  if (clear.attachment.exists()) commands.append(Clear{clear});
}

void record_resolve(CommandBuffer& commands, const AttachmentResolve& resolve) {
  if (resolve.from.exists() && resolve.to.exists()) commands.append(Resolve{resolve});
}

void end_targets(CommandBuffer& commands) {
  commands.append(EndTargets{});
}

SampleMerge color_merge(const Attachment& attachment, VkResolveModeFlagBits mode) {
  auto format = spalt_api::sized<spalt_format_info>();
  if (spalt_query_format(attachment.texels.format, &format) != SPALT_SUCCESS) return SampleMerge::first;
  const bool is_integer = format.number == SPALT_NUMBER_UINT || format.number == SPALT_NUMBER_SINT;
  return is_integer ? SampleMerge::first : merge_of(mode);
}

}  // namespace spalt::icd
