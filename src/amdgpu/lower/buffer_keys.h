// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: descriptors of buffers that a key chooses (`buffer_key` and `buffer_of` of the IR).
#pragma once
#include <span>

#include "amdgpu/abi/user_data.h"
#include "amdgpu/lower/entry_registers.h"

namespace spalt::lower {

/// The number that `buffer_key` stands for.
ir::Value buffer_key(Inserter& insert, const ir::Inst& inst, ir::Value element);

/// Chooses the descriptor that a uniform key names.
class KeyChoice {
 public:
  KeyChoice(const ir::Module& module, const abi::UserDataLayout& layout, EntryRegisters& entry, Inserter& insert,
            ir::Value key)
      : module_(module), layout_(layout), entry_(entry), insert_(insert), key_(key) {}

  /// Of one of these bindings, in ascending order. Of none: a null descriptor.
  ir::Value descriptor(std::span<const uint32_t> bindings) const;

 private:
  ir::Value descriptor_in_table(std::span<const uint32_t> bindings) const;
  ir::Value words_of(uint32_t binding, ir::Value (&words)[4]) const;
  const abi::BindingLocation& location(uint32_t binding) const;
  ir::Value names(uint32_t binding) const;
  ir::Value byte_offset(uint32_t binding, ir::Value chosen) const;

  const ir::Module& module_;
  const abi::UserDataLayout& layout_;
  EntryRegisters& entry_;
  Inserter& insert_;
  ir::Value key_;
};

}  // namespace spalt::lower
