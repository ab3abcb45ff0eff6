// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "base/vector.h"

namespace spalt::abi {

/// User-data entries that exist: dwords that a driver may set per bind point. Loaders hold up to 160; LLVM's
/// description of the ABI promises 128.
constexpr uint32_t kUserDataEntries = 160;
/// Entries that a layout may use: what every loader has.
constexpr uint32_t kPortableUserDataEntries = 128;

/// Bytes of descriptors in descriptor-set memory. The sampler of a combined image sampler follows the image.
constexpr uint32_t kBufferDescriptorBytes = 16;
constexpr uint32_t kImageDescriptorBytes = 32;
constexpr uint32_t kSamplerDescriptorBytes = 16;

/// What the driver writes for a binding. The order is that of spalt_binding_kind in the public API.
enum class BindingKind : uint8_t {
  raw_buffer,
  typed_buffer,
  image,
  sampler,
  combined_image_sampler,
  inline_data,
  user_data_buffer
};
const char* kind_name(BindingKind kind);
/// Bytes of one element in the table of its set; not for inline data.
uint32_t descriptor_bytes(BindingKind kind);

/// Where one binding lies: at `offset` in the table whose address the user-data entry holds; of a user_data_buffer the
/// entry is the first of four for each element.
struct BindingLocation {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t offset = 0;                       ///< bytes from the start of the table
  uint32_t stride = kBufferDescriptorBytes;  ///< bytes between array elements
  uint32_t entry = 0;                        ///< user-data entry with the low 32 bits of the table's address
  uint32_t count = 1;                        ///< array elements; of inline_data the bytes
  BindingKind kind = BindingKind::raw_buffer;
  /// Four words for each element, which the table has as well; null where only the table has them. Not owned.
  const uint32_t* immutable_samplers = nullptr;
};
/// By set, binding and kind.
bool comes_before(const BindingLocation& a, const BindingLocation& b);

/// What the driver says about the root of its pipeline layout. One user-data entry is one dword. The bindings are in an
/// arena or, without one, in the heap.
struct UserDataLayout {
  explicit UserDataLayout(Arena* arena = nullptr) : bindings(arena) {}

  uint32_t push_constant_entry = 0;   ///< first entry of the push-constant block
  uint32_t push_constant_dwords = 0;  ///< 0: no push constants
  Vector<BindingLocation> bindings;   ///< sorted by comes_before
  uint32_t entry_count = 0;           ///< size of the whole layout

  /// Null when the layout does not have it.
  const BindingLocation* find_binding(uint32_t set, uint32_t binding, BindingKind kind) const;
  /// The first of all kinds.
  const BindingLocation* find_any(uint32_t set, uint32_t binding) const;
};

/// What a default layout needs to know about a binding.
struct BindingShape {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t count = 1;  ///< array elements; 0 for a runtime array
  BindingKind kind = BindingKind::raw_buffer;
};

/// Elements that the default layout reserves for a runtime array that is not the last binding of its set.
constexpr uint32_t kDefaultRuntimeArrayElements = 1024;

/// The layout for offline compiles: push constants first, then one pointer per used set in set order; inside a set the
/// bindings follow each other in binding order without gaps. `shapes` is sorted by (set, binding, kind). Of the same
/// kind, or images, samplers and both together, what is at one binding gets one place with the larger count. `arena`
/// (the heap if null) has the table.
UserDataLayout default_user_data_layout(std::span<const BindingShape> shapes, uint32_t push_constant_bytes,
                                        Arena* arena = nullptr);

}  // namespace spalt::abi
