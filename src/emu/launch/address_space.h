// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "amdgpu/object/shader_object.h"
#include "emu/launch/dispatch.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

/// What the driver side of a dispatch puts into guest memory, and where it lies.
class AddressSpace {
 public:
  /// Lays out code, buffers, descriptor tables, user-data tables and a scratch ring of `scratch_bytes`.
  static Result<AddressSpace> build(const object::ShaderObject& shader, const DispatchInfo& info,
                                    uint64_t scratch_bytes);

  const Memory& memory() const { return memory_; }
  uint64_t code() const { return code_; }
  uint64_t global_table() const { return global_table_; }
  uint64_t spill_table() const { return spill_table_; }
  uint64_t grid_dimensions() const { return grid_dimensions_; }
  uint64_t scratch_ring() const { return scratch_ring_; }
  /// User-data entries with the table addresses filled in.
  uint32_t entry(uint32_t index) const { return index < entries_.size() ? entries_[index] : 0; }

 private:
  Result<void> add(std::string name, uint64_t base, std::vector<uint8_t> bytes, bool writable);
  Result<void> add_buffers(const DispatchInfo& info);
  Result<void> add_tables(const DispatchInfo& info, const isa::Target& target);
  Result<void> add_driver_memory(const object::ShaderObject& shader, const DispatchInfo& info,
                                 const isa::Target& target, uint64_t scratch_bytes);

  Memory memory_;
  std::vector<std::unique_ptr<std::vector<uint8_t>>> storage_;
  std::vector<uint64_t> buffer_addresses_;
  std::vector<uint32_t> entries_;
  uint64_t code_ = 0, global_table_ = 0, spill_table_ = 0, grid_dimensions_ = 0, scratch_ring_ = 0;
  uint64_t next_table_ = 0;
};

}  // namespace spalt::emu
