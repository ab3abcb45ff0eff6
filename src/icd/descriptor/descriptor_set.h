// SPDX-License-Identifier: MIT
//
// Descriptor sets: a table in device memory that shaders read, with the bits of the descriptors and nothing else. No
// handle is followed at execution, so that a set may hold dead ones. Fresh tables are zero, which reads as null.
#pragma once

#include <vector>

#include "icd/descriptor/described_images.h"
#include "icd/layout/pipeline_layout.h"
#include "icd/resource/buffer.h"

namespace spalt::icd {

/// A dynamic buffer as it was written; its offset comes with each bind.
struct DynamicBuffer {
  MemoryRange range;
  uint64_t rest = 0;  // bytes from the start of the range to the end of the buffer
};

/// Where descriptors of a layout are written: a set's table, or that of push descriptors.
struct DescriptorTable {
  const SetLayoutContents* layout = nullptr;
  std::byte* host = nullptr;                      // layout->table_bytes, or fewer with a variable count
  uint64_t address = 0;                           // in the window of tables
  std::vector<DynamicBuffer>* dynamic = nullptr;  // layout->dynamic_count; nullptr for push descriptors
  DescribedImages* images = nullptr;              // nullptr: nobody wants to know
};

void write_descriptors(const Device& device, const DescriptorTable& table, const VkWriteDescriptorSet& write);
/// Copies the bits; the sets may be the same.
void copy_descriptors(const DescriptorTable& source, const DescriptorTable& target, const VkCopyDescriptorSet& copy);
void write_with_template(const Device& device, const DescriptorTable& table, VkDescriptorUpdateTemplate handle,
                         const void* data);

/// Of a template for push descriptors.
VkPipelineBindPoint template_bind_point(VkDescriptorUpdateTemplate handle);

class DescriptorPool;

class DescriptorSet : public Object {
 public:
  using Handle = VkDescriptorSet;

  SetLayoutRef layout;
  DescriptorPool* pool = nullptr;
  std::byte* host = nullptr;
  uint64_t address = 0;
  uint32_t table_bytes = 0;
  uint32_t variable_count = 0;  // elements of the layout's binding that has a variable count
  std::vector<DynamicBuffer> dynamic;
  std::shared_ptr<DescribedImages> images;  // nullptr: nobody wants to know (SPALT_ICD_LAYOUTS)

  DescriptorTable table() { return {layout.get(), host, address, &dynamic, images.get()}; }
};

/// Writes the descriptors of dynamic buffers, with their offsets added, as a table of 16 bytes each; `offsets` has one
/// for each of the set's dynamic buffers.
void write_dynamic_table(const Device& device, const DescriptorSet& set, const uint32_t* offsets, std::byte* host);

}  // namespace spalt::icd
