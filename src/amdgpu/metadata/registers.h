// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/generation_set.h"

namespace spalt::metadata {

/// Bits [low, low + width) of a register, on some generations.
struct RegisterField {
  std::string_view name;
  uint8_t low, width;
  isa::GenerationSet generations = isa::kGfx9To12;

  uint32_t of(uint32_t value) const { return value >> low & static_cast<uint32_t>((uint64_t{1} << width) - 1); }
};

/// A register of the metadata's `.registers`, on the generations that have it at this offset.
struct Register {
  uint32_t offset;  ///< in dwords
  std::string_view name;
  isa::GenerationSet generations;
  std::span<const RegisterField> fields;  ///< empty: the whole register is one number
};

/// The hardware stages, in the order of their names in the metadata.
enum class Stage : uint8_t { ls, hs, es, gs, vs, ps, cs };
constexpr unsigned kStageCount = 7;
extern const std::string_view kStageNames[kStageCount];  ///< ".ls", ...

/// Sorted by offset.
std::span<const Register> shader_registers();
std::span<const Register> context_registers();

/// nullptr when the generation has no such register, or this table does not know it.
const Register* find_register(uint32_t offset, isa::Generation generation);
const Register* find_register(std::string_view name, isa::Generation generation);
/// nullptr when the register has no such field there.
const RegisterField* find_field(const Register& reg, std::string_view name, isa::Generation generation);
/// The bits of the field; 0 when the register does not have it there.
uint32_t field_of(const Register& reg, std::string_view name, uint32_t value, isa::Generation generation);

/// User-data registers of a stage, which carry what the loader puts into its first SGPRs
/// (docs/abi/pal.md#user-data-registers).
struct UserDataRegisters {
  uint32_t first = 0;
  unsigned count = 0;
};
UserDataRegisters user_data_registers(Stage stage, isa::Generation generation);
/// The stage and the number of a user-data register, or false.
bool user_data_register(uint32_t offset, isa::Generation generation, Stage& stage, unsigned& index);

}  // namespace spalt::metadata
