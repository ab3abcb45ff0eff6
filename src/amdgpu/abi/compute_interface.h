// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/abi/user_data.h"
#include "amdgpu/isa/register.h"
#include "amdgpu/isa/target.h"

namespace spalt::abi {

/// Values of a user-data register in the metadata that are not plain entries (docs/abi/pal.md#user-data-codes).
constexpr uint32_t kGlobalTable = 0x10000000;
constexpr uint32_t kSpillTable = 0x10000002;
constexpr uint32_t kWorkgroup = 0x10000006;
constexpr uint32_t kNotMapped = 0xffffffff;

/// No entry is spilled (docs/abi/pal.md#minimal-compute-pipeline).
constexpr uint32_t kNoSpillThreshold = 0xffff;
/// Compute has 16 user SGPRs (docs/abi/pal.md#user-data-registers).
constexpr unsigned kMaxComputeUserSgprs = 16;
/// Byte offset of the compute scratch descriptor in the global table: slot 1 of 16 bytes
/// (docs/abi/pal.md#global-table).
constexpr uint32_t kComputeScratchSlotOffset = 16;

/// What a compute program reads from its surroundings.
struct ComputeNeeds {
  bool num_workgroups = false;
  std::array<bool, 3> workgroup_id{};   ///< x, y, z
  uint8_t local_id_components = 1;      ///< 1..3: the hardware always writes x
  bool push_constants_indexed = false;  ///< by a value known only at run time: the block must lie in memory
  std::vector<uint32_t>
      push_entries;  ///< user-data entries of the push-constant dwords read at constant offsets, sorted
  std::vector<uint32_t> set_entries;  ///< user-data entries of the descriptor-set pointers that are used, sorted
};

/// A value that the hardware puts into (a part of) a register before a wave starts.
struct EntryField {
  isa::Reg reg;
  uint8_t shift = 0;
  uint8_t bits = 32;
  bool valid() const { return reg.valid(); }
};

/// Where everything a compute program starts with lies, and what the metadata must say so that the driver puts it
/// there. Built before selection; the prolog, the object writer and the loader of the emulator mean the same struct.
struct ComputeInterface {
  /// Meaning of each user SGPR: a plain user-data entry or one of the constants above.
  std::array<uint32_t, kMaxComputeUserSgprs> user_data{};
  uint8_t user_sgpr_count = 0;

  uint32_t user_data_limit = 0;                  ///< last used entry + 1; the size of the whole layout when spilling
  uint32_t spill_threshold = kNoSpillThreshold;  ///< lowest entry that is read through the spill table

  isa::Reg global_table;       ///< always s0: low half of the global table's address
  isa::Reg workgroup_pointer;  ///< SGPR pair with the address of three dwords, the grid size; none if not used
  isa::Reg spill_table;        ///< low half of the address of the user data in memory; entry n at 4n; none if not used

  /// System SGPRs, or trap registers that always hold them; none for components that nobody wants.
  std::array<EntryField, 3> workgroup_id;
  /// Set where scratch has a descriptor: the register that the scratch wave offset takes if scratch gets enabled. It
  /// follows all others, so that enabling it (maybe only after register allocation) moves nothing.
  isa::Reg scratch_wave_offset;
  std::array<EntryField, 3> local_id;  ///< VGPRs; none beyond tidig_comp_cnt
  uint8_t tidig_comp_cnt = 0;          ///< COMPUTE_PGM_RSRC2.TIDIG_COMP_CNT: 0 x, 1 xy, 2 xyz

  bool tgid_en(unsigned component) const { return workgroup_id[component].valid(); }
  /// The user SGPR with that content, or isa::kNoReg.
  isa::Reg user_register(uint32_t content) const;
  std::span<const uint32_t> user_data_map() const { return {user_data.data(), user_sgpr_count}; }
};

/// Assigns the registers (docs/abi/pal.md#order-of-user-data). Set pointers come before push constants, because a load
/// through a pointer that itself must be loaded costs two latencies. What does not fit goes to the spill table.
ComputeInterface assign_compute_interface(const ComputeNeeds& needs, const UserDataLayout& layout,
                                          const isa::Target& target, unsigned wave_size);

}  // namespace spalt::abi
