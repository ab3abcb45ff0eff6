// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <variant>

#include "amdgpu/abi/graphics_interface.h"
#include "amdgpu/abi/seam.h"
#include "amdgpu/abi/user_data.h"
#include "amdgpu/isa/register.h"
#include "base/small_vector.h"

namespace spalt::abi {

/// The part of the hardware that starts a program: the keys of `.hardware_stages` in the metadata.
enum class HardwareStage : uint8_t {
  cs,
  vs,  ///< vertex waves, up to GFX10.3
  gs,  ///< primitive shaders (NGG)
  ps
};
constexpr unsigned kHardwareStages = static_cast<unsigned>(HardwareStage::ps) + 1;

/// Values of a user-data register in the metadata that are not plain entries.
constexpr uint32_t kGlobalTable = 0x10000000;
constexpr uint32_t kSpillTable = 0x10000002;
constexpr uint32_t kBaseVertex = 0x10000003;
constexpr uint32_t kBaseInstance = 0x10000004;  ///< in the register after kBaseVertex
constexpr uint32_t kDrawIndex = 0x10000005;
constexpr uint32_t kWorkgroup = 0x10000006;
constexpr uint32_t kViewId = 0x1000000B;
constexpr uint32_t kVertexBufferTable = 0x1000000F;
constexpr uint32_t kNotMapped = 0xffffffff;

/// StageInterface::spill_threshold when no entry is spilled.
constexpr uint32_t kNoSpillThreshold = 0xffff;
/// User-data registers that the metadata describes for one hardware stage. A stage may have fewer.
constexpr unsigned kUserDataRegisters = 32;
/// Bytes between the descriptors in the global table, which the driver keeps for the whole device.
constexpr uint32_t kGlobalTableSlotBytes = 16;

/// What a register holds when a wave starts, if it is not user data.
enum class EntryRole : uint8_t {
  workgroup_id_x,
  workgroup_id_y,
  workgroup_id_z,
  local_id_x,
  local_id_y,
  local_id_z,
  /// Bytes from the start of all scratch memory to the wave's part.
  scratch_wave_offset,

  // Vertex waves.
  vertex_id,    ///< without the base
  instance_id,  ///< without the base
  primitive_id,

  // Primitive shaders, besides.
  merged_group_info,
  merged_wave_info,
  attribute_ring_offset,  ///< units of 512 bytes, 15 bits
  primitive_word,         ///< what the primitive export of a pass-through shader takes

  // Pixel waves. Pairs are one role for I, the next one for J.
  primitive_mask,  ///< SGPR; what m0 is while parameters are read
  persp_sample_i,
  persp_sample_j,
  persp_center_i,
  persp_center_j,
  persp_centroid_i,
  persp_centroid_j,
  persp_pull_i,
  persp_pull_j,
  persp_pull_w,
  linear_sample_i,
  linear_sample_j,
  linear_center_i,
  linear_center_j,
  linear_centroid_i,
  linear_centroid_j,
  line_stipple,
  position_x,
  position_y,
  position_z,
  position_w,
  front_face,
  ancillary,
  sample_coverage,
  position_fixed
};
/// The role that many places after another: the components of a vector follow each other.
constexpr EntryRole role_of(EntryRole first, unsigned component) {
  return static_cast<EntryRole>(static_cast<unsigned>(first) + component);
}

/// A value that the hardware puts into (a part of) a register before a wave starts.
struct EntryField {
  EntryRole role = EntryRole::workgroup_id_x;
  isa::Reg reg;
  uint8_t shift = 0;
  uint8_t bits = 32;
  bool valid() const { return reg.valid(); }
};

/// Where everything lies that a program of one hardware stage starts with, and what the metadata must say so that the
/// driver and the hardware put it there. One form for all stages; a file for each stage fills it (compute_interface.h).
/// Made by lowering, before selection; the object writer and the loader of the emulator mean the same registers.
struct StageInterface {
  HardwareStage hardware_stage = HardwareStage::cs;

  /// Meaning of each user-data register: a plain entry or one of the constants above. Register i is SGPR
  /// first_user_sgpr + i.
  std::array<uint32_t, kUserDataRegisters> user_data = nothing_mapped();
  uint8_t user_sgpr_count = 0;
  uint8_t first_user_sgpr = 0;                   ///< 8 where stages are merged
  uint32_t user_data_limit = 0;                  ///< last used entry + 1; the size of the whole layout when spilling
  uint32_t spill_threshold = kNoSpillThreshold;  ///< lowest entry that is read through the spill table

  /// Bytes from the global table to the descriptor of the stage's scratch memory, where scratch has one.
  uint32_t scratch_descriptor_offset = 0;

  /// System SGPRs, trap registers that hold the same, and VGPRs: one for each role that the program wants.
  SmallVector<EntryField, 8> fields;

  /// Of graphics stages: what their registers and the next stage must know.
  std::variant<std::monostate, VertexOutputs, PixelFacts> facts;
  /// Of a body or a piece.
  Seam seam;

  /// The (first) user SGPR with that content, or isa::kNoReg.
  isa::Reg user_register(uint32_t content) const;
  /// Not valid when the program does without.
  EntryField field(EntryRole role) const;
  bool has(EntryRole role) const { return field(role).valid(); }

  static constexpr std::array<uint32_t, kUserDataRegisters> nothing_mapped() {
    std::array<uint32_t, kUserDataRegisters> map{};
    map.fill(kNotMapped);
    return map;
  }
};

/// What a program of any stage reads of the user data.
struct UserDataNeeds {
  bool push_constants_indexed = false;  ///< by a value known only at run time: the block must lie in memory
  /// Entries of the push-constant dwords that are read at constant offsets, and of the descriptor-set pointers that are
  /// used; sorted, each once.
  SmallVector<uint32_t, 32> push_entries;
  SmallVector<uint32_t, 8> set_entries;
  /// Those of push_entries with which a value of 64 bits begins; sorted, each once.
  SmallVector<uint32_t, 8> push_pairs;
  /// The upper half of the addresses of tables is a constant, which the code moves beside the lower one.
  bool tables_in_pairs = false;
  /// Those of set_entries that hold addresses of tables, where that is so; sorted, each once.
  SmallVector<uint32_t, 8> tables;
};

/// Hands out the user SGPRs of an interface: first what has a fixed place, then the entries of the user data.
class UserSgprs {
 public:
  /// `count`: user SGPRs that the stage has.
  UserSgprs(StageInterface& interface, unsigned count) : interface_(interface), count_(count) {}

  /// Puts `content` into `registers` SGPRs from `first` on.
  isa::Reg place(unsigned first, uint32_t content, unsigned registers = 1);
  /// Puts the address of a table into a register with an even number and keeps the next one free for its upper half.
  /// False if no such two are free.
  bool place_table(uint32_t content);
  /// Set pointers before push constants, because a load through a pointer that itself must be loaded costs two
  /// latencies. Values of 64 bits begin at even registers, as instructions want them, while there are such, and
  /// so do addresses of tables, if nothing has to do without a register for that. What does not fit is read through the
  /// spill table, whose address takes a register then.
  void place_user_data(const UserDataNeeds& needs, const UserDataLayout& layout);

 private:
  isa::Reg place_next(uint32_t content);
  bool place_next_pair(uint32_t content);
  unsigned free_count() const;

  StageInterface& interface_;
  unsigned count_;
  std::array<bool, kUserDataRegisters> taken_{};
};

}  // namespace spalt::abi
