// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/generation_set.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// The registers of a stage that its fields are in. Each stage has them at other places.
enum class StageRegister : uint8_t { none, rsrc1, rsrc2, rsrc3, num_thread_x, num_thread_y, num_thread_z };
constexpr unsigned kStageRegisters = static_cast<unsigned>(StageRegister::num_thread_z) + 1;

/// Where a hardware stage's registers are: dword offsets, the keys of `.registers` (PAL pipeline ABI, 3.1 and 4.2).
struct StageRegisters {
  abi::HardwareStage stage;
  isa::GenerationSet generations;                 ///< that have the stage
  std::array<uint32_t, kStageRegisters> offsets;  ///< by StageRegister; 0: none
  uint32_t first_user_data;
  uint8_t user_sgprs;  ///< registers from first_user_data on
};
/// nullptr: the processor has no such stage.
const StageRegisters* find_stage_registers(abi::HardwareStage stage, const isa::Target& target);

/// A set of hardware stages: which of them have a field.
struct StageSet {
  uint8_t bits = 0;
  constexpr bool has(abi::HardwareStage stage) const { return (bits >> static_cast<unsigned>(stage) & 1) != 0; }
};
template <class... Stages>
constexpr StageSet stages(Stages... all) {
  return {static_cast<uint8_t>((0u | ... | (1u << static_cast<unsigned>(all))))};
}

/// Which metadata map names the field.
enum class FieldPlace : uint8_t {
  register_only,      ///< no name: version 3 loaders know the value
  stage,              ///< the stage's in `.hardware_stages`, in both versions
  stage_named,        ///< the same map, but from version 3 on
  compute_registers,  ///< `.compute_registers`, from version 3 on
  graphics_registers  ///< `.graphics_registers`, from version 3 on
};

/// How the value stands in its register.
enum class FieldCoding : uint8_t {
  plain,
  vgpr_granules,   ///< ceil(n / granule) - 1, the granule depends on the wave size
  sgpr_granules,   ///< 2 * (ceil(n / granule) - 1) with the registers that waves have besides, 0 without a granule
  lds_granules,    ///< units of 512 bytes, rounded up
  shared_granules  ///< units of 8 registers
};

/// One fact about a hardware stage: its name in version 3 and its bits in the raw registers of version 2.6. Both
/// writers and both readers walk the same list.
struct RegisterField {
  std::string_view key;  ///< empty for register_only
  FieldPlace place;
  bool is_bool;
  StageRegister reg;  ///< none when the fact is in no register
  uint8_t low, width;
  FieldCoding coding;
  StageSet stages;                 ///< whose registers have the bits, and whose maps the name
  isa::GenerationSet generations;  ///< whose loaders know the name and whose registers have the bits
  uint32_t (*get)(const StageObject&);
  void (*set)(StageObject&, uint32_t);
};

/// The fields of all generations.
std::span<const RegisterField> register_fields();
/// Whether the stage has the field on that processor.
inline bool exists(const RegisterField& field, abi::HardwareStage stage, const isa::Target& target) {
  return field.stages.has(stage) && field.generations.has(target.generation);
}

uint32_t encode_field(const RegisterField& field, const StageObject& shader, const isa::Target& target);
/// Sets the fact from register bits; granulated facts become the upper bound that the bits allow.
void decode_field(const RegisterField& field, uint32_t bits, StageObject& shader, const isa::Target& target);

}  // namespace spalt::object
