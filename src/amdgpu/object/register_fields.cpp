// SPDX-License-Identifier: MIT
#include "amdgpu/object/register_fields.h"

#include <algorithm>

#include "amdgpu/isa/target.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

template <auto Member>
uint32_t get(const StageObject& shader) {
  return static_cast<uint32_t>(shader.*Member);
}

template <auto Member>
void set(StageObject& shader, uint32_t value) {
  shader.*Member = static_cast<std::remove_reference_t<decltype(shader.*Member)>>(value);
}

template <unsigned Index>
uint32_t get_dim(const StageObject& shader) {
  return shader.threadgroup_dims[Index];
}
template <unsigned Index>
void set_dim(StageObject& shader, uint32_t value) {
  shader.threadgroup_dims[Index] = value;
}

uint32_t get_excp_low(const StageObject& shader) {
  return static_cast<uint32_t>(bits_of(shader.excp_en, 0, 7));
}
void set_excp_low(StageObject& shader, uint32_t value) {
  shader.excp_en = static_cast<uint32_t>(with_bits(shader.excp_en, 0, 7, value));
}
uint32_t get_excp_high(const StageObject& shader) {
  return static_cast<uint32_t>(bits_of(shader.excp_en, 7, 2));
}
void set_excp_high(StageObject& shader, uint32_t value) {
  shader.excp_en = static_cast<uint32_t>(with_bits(shader.excp_en, 7, 2, value));
}

/// `.sgpr_count` beside it says the number exactly.
void ignore(StageObject&, uint32_t) {}

/// USER_SGPR has five bits, and another elsewhere for stages with 32 registers.
constexpr unsigned kUserSgprBits = 5;
uint32_t get_user_sgprs_low(const StageObject& shader) {
  return static_cast<uint32_t>(bits_of(shader.user_sgprs, 0, kUserSgprBits));
}
void set_user_sgprs_low(StageObject& shader, uint32_t value) {
  shader.user_sgprs = static_cast<uint32_t>(with_bits(shader.user_sgprs, 0, kUserSgprBits, value));
}
uint32_t get_user_sgprs_high(const StageObject& shader) {
  return shader.user_sgprs >> kUserSgprBits;
}
void set_user_sgprs_high(StageObject& shader, uint32_t value) {
  shader.user_sgprs = static_cast<uint32_t>(with_bits(shader.user_sgprs, kUserSgprBits, 1, value));
}

using P = FieldPlace;
using C = FieldCoding;
using S = StageObject;
using R = StageRegister;
using abi::HardwareStage;
using namespace isa;
constexpr StageSet kCs = stages(HardwareStage::cs), kVs = stages(HardwareStage::vs), kGs = stages(HardwareStage::gs),
                   kPs = stages(HardwareStage::ps), kVsGs = stages(HardwareStage::vs, HardwareStage::gs),
                   kVsPs = stages(HardwareStage::vs, HardwareStage::ps),
                   kGsPs = stages(HardwareStage::gs, HardwareStage::ps),
                   kGraphics = stages(HardwareStage::vs, HardwareStage::gs, HardwareStage::ps),
                   kAll = stages(HardwareStage::cs, HardwareStage::vs, HardwareStage::gs, HardwareStage::ps);

constexpr StageRegisters kStageRegisterRows[] = {
    {HardwareStage::cs, kGfx9To12, {0, 0x2e12, 0x2e13, 0x2e28, 0x2e07, 0x2e08, 0x2e09}, 0x2e40, 16},
    {HardwareStage::vs, kGfx9To10, {0, 0x2c4a, 0x2c4b}, 0x2c4c, 32},
    {HardwareStage::gs, kGfx10_3To12, {0, 0x2c8a, 0x2c8b}, 0x2c8c, 32},
    {HardwareStage::ps, kGfx9To12, {0, 0x2c0a, 0x2c0b}, 0x2c0c, 32},
};

template <class T>
constexpr bool is_bool(T StageObject::*) {
  return std::is_same_v<T, bool>;
}
/// The row of a member: its name, its bits, and who has them.
template <auto Member>
constexpr RegisterField row(std::string_view key, FieldPlace place, StageRegister reg, uint8_t low, uint8_t width,
                            StageSet who, GenerationSet generations = kGfx9To12, FieldCoding coding = C::plain) {
  return {key, place, is_bool(Member), reg, low, width, coding, who, generations, get<Member>, set<Member>};
}
/// The row of a member that is in no register.
template <auto Member>
constexpr RegisterField name(std::string_view key, FieldPlace place, StageSet who = kAll) {
  return row<Member>(key, place, R::none, 0, 0, who);
}
/// The row of bits that have no name.
constexpr RegisterField bits(StageRegister reg, uint8_t low, uint8_t width, StageSet who, GenerationSet generations,
                             uint32_t (*get_bits)(const S&), void (*set_bits)(S&, uint32_t),
                             FieldCoding coding = C::plain) {
  return {{}, P::register_only, false, reg, low, width, coding, who, generations, get_bits, set_bits};
}

// Names: PAL pipeline ABI, ".hardware_stages", ".compute_registers" and ".graphics_registers". Bits: register
// catalogue. Loaders compute INST_PREF_SIZE and IMAGE_OP themselves (section 2.8); TRAP_PRESENT is theirs on GFX12. A
// fact that stages have in different bits has a row for each.
constexpr RegisterField kFields[] = {
    name<&S::sgpr_count>(".sgpr_count", P::stage),
    row<&S::vgpr_count>(".vgpr_count", P::stage, R::rsrc1, 0, 6, kAll, kGfx9To12, C::vgpr_granules),
    bits(R::rsrc1, 6, 4, kAll, kGfx9To12, get<&S::sgpr_count>, ignore, C::sgpr_granules),
    name<&S::sgpr_limit>(".sgpr_limit", P::stage),
    name<&S::vgpr_limit>(".vgpr_limit", P::stage),
    name<&S::scratch_bytes_per_lane>(".scratch_memory_size", P::stage),
    row<&S::lds_bytes>(".lds_size", P::stage, R::rsrc2, 15, 9, kCs, kGfx9To12, C::lds_granules),
    row<&S::lds_bytes>(".lds_size", P::stage, R::rsrc2, 19, 8, kGs, kGfx9To12, C::lds_granules),
    name<&S::lds_bytes>(".lds_size", P::stage, kVsPs),
    name<&S::wave_size>(".wavefront_size", P::stage),
    name<&S::uses_uavs>(".uses_uavs", P::stage),
    name<&S::writes_uavs>(".writes_uavs", P::stage),
    name<&S::uses_rovs>(".uses_rovs", P::stage),
    name<&S::uses_append_consume>(".uses_append_consume", P::stage),

    name<&S::user_sgprs>(".user_sgprs", P::stage_named),
    bits(R::rsrc2, 1, 5, kAll, kGfx9To12, get_user_sgprs_low, set_user_sgprs_low),
    bits(R::rsrc2, 28, 1, kGraphics, kGfx9, get_user_sgprs_high, set_user_sgprs_high),
    bits(R::rsrc2, 27, 1, kGraphics, kGfx10To12, get_user_sgprs_high, set_user_sgprs_high),
    row<&S::float_mode>(".float_mode", P::stage_named, R::rsrc1, 12, 8, kAll),
    bits(R::rsrc1, 21, 1, kAll, kGfx9To11, get<&S::dx10_clamp>, set<&S::dx10_clamp>),
    row<&S::debug_mode>(".debug_mode", P::stage_named, R::rsrc1, 22, 1, kAll),
    row<&S::wg_round_robin>(".wg_round_robin", P::stage_named, R::rsrc1, 21, 1, kAll, kGfx12),
    row<&S::ieee_mode>(".ieee_mode", P::stage_named, R::rsrc1, 23, 1, kAll, kGfx9To11),
    row<&S::fp16_overflow>(".fp16_overflow", P::stage_named, R::rsrc1, 26, 1, kCs),
    row<&S::fp16_overflow>(".fp16_overflow", P::stage_named, R::rsrc1, 29, 1, kPs),
    row<&S::fp16_overflow>(".fp16_overflow", P::stage_named, R::rsrc1, 31, 1, kVsGs),
    row<&S::wgp_mode>(".wgp_mode", P::stage_named, R::rsrc1, 29, 1, kCs, kGfx10To12),
    row<&S::wgp_mode>(".wgp_mode", P::stage_named, R::rsrc1, 27, 1, kGs, kGfx10To12),
    row<&S::mem_ordered>(".mem_ordered", P::stage_named, R::rsrc1, 30, 1, kCs, kGfx10To11),
    row<&S::mem_ordered>(".mem_ordered", P::stage_named, R::rsrc1, 27, 1, kVs, kGfx10To11),
    row<&S::mem_ordered>(".mem_ordered", P::stage_named, R::rsrc1, 25, 1, kGsPs, kGfx10To11),
    row<&S::forward_progress>(".forward_progress", P::stage_named, R::rsrc1, 31, 1, kCs, kGfx10To12),
    row<&S::forward_progress>(".forward_progress", P::stage_named, R::rsrc1, 28, 1, kVs, kGfx10To12),
    row<&S::forward_progress>(".forward_progress", P::stage_named, R::rsrc1, 26, 1, kGsPs, kGfx10To12),
    row<&S::scratch_en>(".scratch_en", P::stage_named, R::rsrc2, 0, 1, kAll),
    row<&S::trap_present>(".trap_present", P::stage_named, R::rsrc2, 6, 1, kAll, kGfx9To11),
    name<&S::excp_en>(".excp_en", P::stage_named, kCs),
    bits(R::rsrc2, 24, 7, kCs, kGfx9To12, get_excp_low, set_excp_low),
    bits(R::rsrc2, 13, 2, kCs, kGfx9To12, get_excp_high, set_excp_high),
    row<&S::excp_en>(".excp_en", P::stage_named, R::rsrc2, 13, 9, kVs),
    row<&S::excp_en>(".excp_en", P::stage_named, R::rsrc2, 7, 9, kGs),
    row<&S::excp_en>(".excp_en", P::stage_named, R::rsrc2, 16, 9, kPs),
    row<&S::shared_vgpr_count>(".shared_vgpr_cnt", P::stage_named, R::rsrc3, 0, 4, kCs, kGfx10To12, C::shared_granules),
    row<&S::shared_vgpr_count>(".shared_vgpr_cnt", P::stage_named, R::rsrc2, 28, 4, kGraphics, kGfx10To12,
                               C::shared_granules),
    bits(R::num_thread_x, 0, 16, kCs, kGfx9To12, get_dim<0>, set_dim<0>),
    bits(R::num_thread_y, 0, 16, kCs, kGfx9To12, get_dim<1>, set_dim<1>),
    bits(R::num_thread_z, 0, 16, kCs, kGfx9To12, get_dim<2>, set_dim<2>),

    row<&S::tgid_x_en>(".tgid_x_en", P::compute_registers, R::rsrc2, 7, 1, kCs),
    row<&S::tgid_y_en>(".tgid_y_en", P::compute_registers, R::rsrc2, 8, 1, kCs),
    row<&S::tgid_z_en>(".tgid_z_en", P::compute_registers, R::rsrc2, 9, 1, kCs),
    row<&S::tg_size_en>(".tg_size_en", P::compute_registers, R::rsrc2, 10, 1, kCs),
    row<&S::tidig_comp_cnt>(".tidig_comp_cnt", P::compute_registers, R::rsrc2, 11, 2, kCs),

    row<&S::vertex_vgpr_comp_cnt>(".vs_vgpr_comp_cnt", P::graphics_registers, R::rsrc1, 24, 2, kVs, kGfx9To10),
    row<&S::vertex_vgpr_comp_cnt>(".es_vgpr_comp_cnt", P::graphics_registers, R::rsrc2, 16, 2, kGs, kGfx10To12),
    row<&S::primitive_vgpr_comp_cnt>(".gs_vgpr_comp_cnt", P::graphics_registers, R::rsrc1, 29, 2, kGs, kGfx10To12),
};

uint32_t encode_sgprs(uint32_t count, const isa::Target& target) {
  if (target.sgpr_granule == 0) return 0;
  const auto granules =
      static_cast<uint32_t>(align_up(count + target.extra_sgprs, target.sgpr_granule)) / target.sgpr_granule;
  return 2 * (granules - 1);
}

constexpr uint32_t kLdsGranuleBytes = 512;
constexpr uint32_t kSharedGranule = 8;

}  // namespace

std::span<const RegisterField> register_fields() {
  return kFields;
}

const StageRegisters* find_stage_registers(abi::HardwareStage stage, const isa::Target& target) {
  for (const StageRegisters& row : kStageRegisterRows) {
    if (row.stage == stage && row.generations.has(target.generation)) return &row;
  }
  return nullptr;
}

uint32_t encode_field(const RegisterField& field, const StageObject& shader, const isa::Target& target) {
  const uint32_t value = field.get(shader);
  switch (field.coding) {
    case FieldCoding::plain:
      return value;
    case FieldCoding::vgpr_granules: {
      const uint32_t granule = target.vgpr_encoding_granule(shader.wave_size);
      return static_cast<uint32_t>(align_up(std::max(value, 1u), granule)) / granule - 1;
    }
    case FieldCoding::sgpr_granules:
      return encode_sgprs(value, target);
    case FieldCoding::lds_granules:
      return static_cast<uint32_t>(align_up(value, kLdsGranuleBytes)) / kLdsGranuleBytes;
    case FieldCoding::shared_granules:
      return value / kSharedGranule;
  }
  return value;
}

void decode_field(const RegisterField& field, uint32_t bits, StageObject& shader, const isa::Target& target) {
  switch (field.coding) {
    case FieldCoding::plain:
      field.set(shader, bits);
      break;
    case FieldCoding::vgpr_granules:
      field.set(shader, (bits + 1) * target.vgpr_encoding_granule(shader.wave_size));
      break;
    case FieldCoding::sgpr_granules:
      break;
    case FieldCoding::lds_granules:
      field.set(shader, bits * kLdsGranuleBytes);
      break;
    case FieldCoding::shared_granules:
      field.set(shader, bits * kSharedGranule);
      break;
  }
}

}  // namespace spalt::object
