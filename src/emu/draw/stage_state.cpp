// SPDX-License-Identifier: MIT
#include "emu/draw/stage_state.h"

#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// Merged stages have eight system SGPRs before the user SGPRs.
constexpr unsigned kMergedSystemSgprs = 8;

/// False: nothing is put into the register.
bool user_value(uint32_t source, const DrawUserData& data, uint32_t& value) {
  switch (source) {
    case abi::kGlobalTable:
      value = data.global_table;
      return true;
    case abi::kSpillTable:
      value = data.spill_table;
      return true;
    case abi::kBaseVertex:
      value = data.base_vertex;
      return true;
    case abi::kBaseInstance:
      value = data.base_instance;
      return true;
    case abi::kDrawIndex:
      value = data.draw_index;
      return true;
    case abi::kViewId:
      value = data.view;
      return true;
    case abi::kVertexBufferTable:
      value = data.vertex_buffer_table;
      return true;
    default:
      value = source < data.entries.size() ? data.entries[source] : 0;
      return source < object::kUserDataEntryLimit;
  }
}

}  // namespace

StageState::StageState(const object::StageObject& stage, const GraphicsFacts& graphics, const isa::Target& target,
                       uint32_t entry, const DrawUserData& user_data)
    : facts(graphics), entry_step(entry), wave_size(stage.wave_size) {
  mode_bits = stage.float_mode | (stage.dx10_clamp ? 1u << 8 : 0u) | (stage.ieee_mode ? 1u << 9 : 0u);
  flat_scratch_is_set = target.architected_flat_scratch;
  scratch_offset_enabled = stage.scratch_en && !target.architected_flat_scratch;
  first_user_sgpr = stage.hardware_stage == abi::HardwareStage::gs ? kMergedSystemSgprs : 0;
  user_sgpr_count = stage.user_sgprs;
  for (unsigned i = 0; i < stage.user_sgprs && i < object::kUserDataRegisters; ++i) {
    uint32_t value = 0;
    if (user_value(stage.user_data_reg_map[i], user_data, value)) user_sgprs.push_back({first_user_sgpr + i, value});
  }
}

unsigned StageState::start(Wave& wave) const {
  wave.start_at(entry_step);
  wave.mode.bits = mode_bits;
  if (flat_scratch_is_set) wave.flat_scratch = wave.scratch_base;
  for (const UserSgpr& sgpr : user_sgprs) wave.write_s32(sgpr.reg, sgpr.value);
  return first_user_sgpr + user_sgpr_count;
}

void StageState::set_scratch_offset(Wave& wave, unsigned sgpr) const {
  if (scratch_offset_enabled) wave.write_s32(sgpr, static_cast<uint32_t>(wave.scratch_base - scratch_ring));
}

}  // namespace spalt::emu
