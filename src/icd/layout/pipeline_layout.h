// SPDX-License-Identifier: MIT
//
// Pipeline layouts, and how they become user data: the dwords with which a dispatch starts.
//
//   for each set:  the low half of the address of its table, if it has one
//                  the low half of the address of its table of dynamic buffers, if it has one
//   then the push constants, a dword each
//
// Where shaders print, one entry comes before all of them: the table of the buffer to which they do.
//
// A layout for pipeline libraries (VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) does not know the sets of other
// libraries, so that no place may depend on a set: the push constants come first, then two entries for each set.
//
// A dynamic buffer's descriptor depends on the offset that is bound, so it is not in the set's own table: each bind
// writes a small table of them.
#pragma once

#include <memory>
#include <vector>

#include "icd/layout/set_layout.h"
#include "spalt/spalt.h"

namespace spalt::icd {

inline constexpr uint32_t kMaxBoundSets = 32;
inline constexpr uint32_t kMaxDescriptorBuffers = 32;
inline constexpr uint32_t kMaxPushConstantBytes = 256;
inline constexpr uint32_t kNoEntry = UINT32_MAX;

struct SetEntries {
  uint32_t table = kNoEntry;
  uint32_t dynamic_table = kNoEntry;
  bool operator==(const SetEntries&) const = default;
};

struct PipelineLayoutContents {
  std::vector<SetLayoutRef> sets;  // nullptr: none at that number
  bool independent_sets = false;
  bool prints = false;  // the first entry is the low half of the address of the table of PrintfLog
  std::vector<SetEntries> entries;
  uint32_t push_constant_entry = 0;
  uint32_t push_constant_dwords = 0;
  uint32_t entry_count = 0;
  std::vector<spalt_binding_location> locations;

  /// What the compiler gets; points into this.
  spalt_user_data_layout user_data() const;
};
using PipelineLayoutRef = std::shared_ptr<const PipelineLayoutContents>;

/// `prints`: with a place for what shaders print.
PipelineLayoutContents make_pipeline_layout(const VkPipelineLayoutCreateInfo& info, bool prints = false);
/// Of a pipeline made from two libraries: each set from the one that has it. Where one has independent sets, everything
/// is where it is in that one.
PipelineLayoutContents merge_pipeline_layouts(const PipelineLayoutContents& a, const PipelineLayoutContents& b);

/// Whether what `part` has is at the same places in `whole`, so that code for one runs with the other.
bool is_part_of(const PipelineLayoutContents& part, const PipelineLayoutContents& whole);

class PipelineLayout : public Object {
 public:
  using Handle = VkPipelineLayout;
  PipelineLayout(const VkPipelineLayoutCreateInfo& info, bool prints)
      : contents(std::make_shared<PipelineLayoutContents>(make_pipeline_layout(info, prints))) {}
  PipelineLayoutRef contents;
};

}  // namespace spalt::icd
