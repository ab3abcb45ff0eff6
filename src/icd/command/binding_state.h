// SPDX-License-Identifier: MIT
//
// What is bound while a command buffer is recorded: pipeline, descriptor sets, push constants. A dispatch gets it as
// user data, the dwords that the layout of its pipeline says, resolved when it is recorded.
#pragma once

#include <array>
#include <cstdint>

#include "icd/command/chunks.h"
#include "icd/descriptor/descriptor_set.h"
#include "icd/shader/pipeline.h"

namespace spalt::icd {

/// A pipeline as recorded commands see it; lies in the arena, and outlives the pipeline.
struct BoundPipeline {
  const Program* program;
  const PipelineLayoutContents* layout;
  VkPipeline handle;                           // for messages only
  const char* name;                            // the application's; may be empty
  const GraphicsContents* graphics = nullptr;  // of a graphics pipeline
};

struct UserData {
  const uint32_t* entries = nullptr;
  uint32_t count = 0;
};

class BindingState {
 public:
  void bind_pipeline(const BoundPipeline* pipeline);
  const BoundPipeline* pipeline() const { return pipeline_; }

  /// Binds one set; `dynamic_address` is 0 or the address of its table of dynamic buffers.
  void bind_set(uint32_t number, uint64_t address, uint64_t dynamic_address, std::shared_ptr<DescribedImages> images);
  void push_constants(uint32_t offset, uint32_t size, const void* values);

  /// The table for push descriptors of that set number, with what was pushed before: a copy if a dispatch has been
  /// recorded with it, since that must not change.
  /// `describes_images` says whether the images in it matter.
  DescriptorTable push_table(uint32_t number, const SetLayoutRef& layout, TableArena& tables, bool describes_images);

  /// Of the set with that number, bound or pushed; nullptr: nobody wants to know.
  std::shared_ptr<DescribedImages> described_images(uint32_t number) const {
    return number < sets_.size() ? sets_[number].images : nullptr;
  }

  /// User data for a dispatch with the bound pipeline; valid until the arena is cleared. `printf_log` may be nullptr.
  UserData snapshot(HostArena& arena, const PrintfLog* printf_log);

  void clear() { *this = BindingState(); }

 private:
  struct Set {
    uint32_t table = 0, dynamic_table = 0;  // low halves of addresses
    const SetLayoutContents* pushed_layout = nullptr;
    TableMemory pushed;
    bool used = false;  // by a dispatch, as it is now
    std::shared_ptr<DescribedImages> images;
  };

  const BoundPipeline* pipeline_ = nullptr;
  std::array<Set, kMaxBoundSets> sets_{};
  std::array<uint32_t, kMaxPushConstantBytes / 4> push_constants_{};
  UserData snapshot_;
  bool changed_ = true;  // since the snapshot
};

}  // namespace spalt::icd
