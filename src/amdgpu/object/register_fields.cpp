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

using P = FieldPlace;
using C = FieldCoding;
using S = StageObject;
constexpr StageSet kCs = only(abi::HardwareStage::cs);
constexpr uint32_t kRsrc1 = kComputePgmRsrc1, kRsrc2 = kComputePgmRsrc2, kRsrc3 = kComputePgmRsrc3;

// Names: PAL pipeline ABI, ".hardware_stages" and ".compute_registers". Bits: register catalogue. Loaders compute
// INST_PREF_SIZE and IMAGE_OP themselves (section 2.8); TRAP_PRESENT is theirs on GFX12.
constexpr RegisterField kFields[] = {
    {".sgpr_count", P::stage, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::sgpr_count>,
     set<&S::sgpr_count>},
    {".vgpr_count", P::stage, false, kRsrc1, 0, 6, C::vgpr_granules, kCs, isa::kGfx9To12, get<&S::vgpr_count>,
     set<&S::vgpr_count>},
    {"", P::register_only, false, kRsrc1, 6, 4, C::sgpr_granules, kCs, isa::kGfx9To12, get<&S::sgpr_count>, ignore},
    {".sgpr_limit", P::stage, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::sgpr_limit>,
     set<&S::sgpr_limit>},
    {".vgpr_limit", P::stage, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::vgpr_limit>,
     set<&S::vgpr_limit>},
    {".scratch_memory_size", P::stage, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12,
     get<&S::scratch_bytes_per_lane>, set<&S::scratch_bytes_per_lane>},
    {".lds_size", P::stage, false, kRsrc2, 15, 9, C::lds_granules, kCs, isa::kGfx9To12, get<&S::lds_bytes>,
     set<&S::lds_bytes>},
    {".wavefront_size", P::stage, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::wave_size>,
     set<&S::wave_size>},
    {".uses_uavs", P::stage, true, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::uses_uavs>,
     set<&S::uses_uavs>},
    {".writes_uavs", P::stage, true, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::writes_uavs>,
     set<&S::writes_uavs>},
    {".uses_rovs", P::stage, true, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::uses_rovs>,
     set<&S::uses_rovs>},
    {".uses_append_consume", P::stage, true, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12,
     get<&S::uses_append_consume>, set<&S::uses_append_consume>},

    {".user_sgprs", P::stage_named, false, kRsrc2, 1, 5, C::plain, kCs, isa::kGfx9To12, get<&S::user_sgprs>,
     set<&S::user_sgprs>},
    {".float_mode", P::stage_named, false, kRsrc1, 12, 8, C::plain, kCs, isa::kGfx9To12, get<&S::float_mode>,
     set<&S::float_mode>},
    {"", P::register_only, true, kRsrc1, 21, 1, C::plain, kCs, isa::kGfx9To11, get<&S::dx10_clamp>,
     set<&S::dx10_clamp>},
    {".debug_mode", P::stage_named, true, kRsrc1, 22, 1, C::plain, kCs, isa::kGfx9To12, get<&S::debug_mode>,
     set<&S::debug_mode>},
    {".wg_round_robin", P::stage_named, true, kRsrc1, 21, 1, C::plain, kCs, isa::kGfx12, get<&S::wg_round_robin>,
     set<&S::wg_round_robin>},
    {".ieee_mode", P::stage_named, true, kRsrc1, 23, 1, C::plain, kCs, isa::kGfx9To11, get<&S::ieee_mode>,
     set<&S::ieee_mode>},
    {".fp16_overflow", P::stage_named, true, kRsrc1, 26, 1, C::plain, kCs, isa::kGfx9To12, get<&S::fp16_overflow>,
     set<&S::fp16_overflow>},
    {".wgp_mode", P::stage_named, true, kRsrc1, 29, 1, C::plain, kCs, isa::kGfx10To12, get<&S::wgp_mode>,
     set<&S::wgp_mode>},
    {".mem_ordered", P::stage_named, true, kRsrc1, 30, 1, C::plain, kCs, isa::kGfx10To11, get<&S::mem_ordered>,
     set<&S::mem_ordered>},
    {".forward_progress", P::stage_named, true, kRsrc1, 31, 1, C::plain, kCs, isa::kGfx10To12,
     get<&S::forward_progress>, set<&S::forward_progress>},
    {".scratch_en", P::stage_named, true, kRsrc2, 0, 1, C::plain, kCs, isa::kGfx9To12, get<&S::scratch_en>,
     set<&S::scratch_en>},
    {".trap_present", P::stage_named, true, kRsrc2, 6, 1, C::plain, kCs, isa::kGfx9To11, get<&S::trap_present>,
     set<&S::trap_present>},
    {".excp_en", P::stage_named, false, kNoRegister, 0, 0, C::plain, kCs, isa::kGfx9To12, get<&S::excp_en>,
     set<&S::excp_en>},
    {"", P::register_only, false, kRsrc2, 24, 7, C::plain, kCs, isa::kGfx9To12, get_excp_low, set_excp_low},
    {"", P::register_only, false, kRsrc2, 13, 2, C::plain, kCs, isa::kGfx9To12, get_excp_high, set_excp_high},
    {".shared_vgpr_cnt", P::stage_named, false, kRsrc3, 0, 4, C::shared_granules, kCs, isa::kGfx10To12,
     get<&S::shared_vgpr_count>, set<&S::shared_vgpr_count>},
    {"", P::register_only, false, kComputeNumThreadX, 0, 16, C::plain, kCs, isa::kGfx9To12, get_dim<0>, set_dim<0>},
    {"", P::register_only, false, kComputeNumThreadY, 0, 16, C::plain, kCs, isa::kGfx9To12, get_dim<1>, set_dim<1>},
    {"", P::register_only, false, kComputeNumThreadZ, 0, 16, C::plain, kCs, isa::kGfx9To12, get_dim<2>, set_dim<2>},

    {".tgid_x_en", P::compute_registers, true, kRsrc2, 7, 1, C::plain, kCs, isa::kGfx9To12, get<&S::tgid_x_en>,
     set<&S::tgid_x_en>},
    {".tgid_y_en", P::compute_registers, true, kRsrc2, 8, 1, C::plain, kCs, isa::kGfx9To12, get<&S::tgid_y_en>,
     set<&S::tgid_y_en>},
    {".tgid_z_en", P::compute_registers, true, kRsrc2, 9, 1, C::plain, kCs, isa::kGfx9To12, get<&S::tgid_z_en>,
     set<&S::tgid_z_en>},
    {".tg_size_en", P::compute_registers, true, kRsrc2, 10, 1, C::plain, kCs, isa::kGfx9To12, get<&S::tg_size_en>,
     set<&S::tg_size_en>},
    {".tidig_comp_cnt", P::compute_registers, false, kRsrc2, 11, 2, C::plain, kCs, isa::kGfx9To12,
     get<&S::tidig_comp_cnt>, set<&S::tidig_comp_cnt>},
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
