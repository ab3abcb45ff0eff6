// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/generation_set.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// Dword offsets of the compute registers, the keys of `.registers` (PAL pipeline ABI, register catalogue).
enum ComputeRegister : uint32_t {
  kComputeNumThreadX = 0x2e07,
  kComputeNumThreadY = 0x2e08,
  kComputeNumThreadZ = 0x2e09,
  kComputePgmRsrc1 = 0x2e12,
  kComputePgmRsrc2 = 0x2e13,
  kComputePgmRsrc3 = 0x2e28,
  kComputeUserData0 = 0x2e40
};
/// Registers from kComputeUserData0 on.
constexpr unsigned kComputeUserDataRegisters = 16;

/// A set of hardware stages: which of them have a field.
struct StageSet {
  uint8_t bits = 0;
  constexpr bool has(abi::HardwareStage stage) const { return (bits >> static_cast<unsigned>(stage) & 1) != 0; }
};
constexpr StageSet only(abi::HardwareStage stage) {
  return {static_cast<uint8_t>(1u << static_cast<unsigned>(stage))};
}

/// Which metadata map names the field.
enum class FieldPlace : uint8_t {
  register_only,      ///< no name: version 3 loaders know the value
  stage,              ///< `.hardware_stages` / `.cs`, in both versions
  stage_named,        ///< the same map, but from version 3 on
  compute_registers,  ///< `.compute_registers`, from version 3 on
};

/// How the value stands in its register.
enum class FieldCoding : uint8_t {
  plain,
  vgpr_granules,   ///< ceil(n / granule) - 1, the granule depends on the wave size
  sgpr_granules,   ///< 2 * (ceil(n / granule) - 1) with the registers that waves have besides, 0 without a granule
  lds_granules,    ///< units of 512 bytes, rounded up
  shared_granules  ///< units of 8 registers
};

constexpr uint32_t kNoRegister = 0;

/// One fact about a hardware stage: its name in version 3 and its bits in the raw registers of version 2.6. Both
/// writers and both readers walk the same list.
struct RegisterField {
  std::string_view key;  ///< empty for register_only
  FieldPlace place;
  bool is_bool;
  uint32_t reg;  ///< kNoRegister when the fact is in no register
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
