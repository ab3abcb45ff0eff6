// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace spalt::abi {

/// Bytes of a buffer descriptor in descriptor-set memory (docs/abi/pal.md#descriptor-set-memory).
constexpr uint32_t kBufferDescriptorBytes = 16;

/// One binding inside the memory of its descriptor set.
struct BindingLocation {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t offset = 0;                       ///< bytes from the start of the set
  uint32_t stride = kBufferDescriptorBytes;  ///< bytes between array elements
};

/// One descriptor set: which user-data entry holds the low 32 bits of its address.
struct SetLocation {
  uint32_t set = 0;
  uint32_t entry = 0;
};

/// What the driver says about the root of its pipeline layout (docs/abi/pal.md#root-layout). One user-data entry is
/// one dword.
struct UserDataLayout {
  uint32_t push_constant_entry = 0;       ///< first entry of the push-constant block
  uint32_t push_constant_dwords = 0;      ///< 0: no push constants
  std::vector<SetLocation> sets;          ///< sorted by set
  std::vector<BindingLocation> bindings;  ///< sorted by (set, binding)
  uint32_t entry_count = 0;               ///< size of the whole layout

  /// Null when the layout does not have it.
  const SetLocation* find_set(uint32_t set) const;
  const BindingLocation* find_binding(uint32_t set, uint32_t binding) const;
};

/// What a default layout needs to know about a binding.
struct BindingShape {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t count = 1;  ///< array elements; 0 for a runtime array
};

/// Elements that the default layout reserves for a runtime array that is not the last binding of its set.
constexpr uint32_t kDefaultRuntimeArrayElements = 1024;

/// The layout for offline compiles: push constants first, then one pointer per used set in set order; inside a set the
/// bindings follow each other in binding order, 16 bytes per element. `bindings` is sorted by (set, binding).
UserDataLayout default_user_data_layout(std::span<const BindingShape> bindings, uint32_t push_constant_bytes);

}  // namespace spalt::abi
