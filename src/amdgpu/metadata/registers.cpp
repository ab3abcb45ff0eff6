// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/registers.h"

#include <algorithm>

namespace spalt::metadata {
namespace {

struct UserDataRow {
  Stage stage;
  isa::GenerationSet generations;
  UserDataRegisters registers;
};

/// Merged stages have one set: LS-HS that of HS, ES-GS that of GS, which is called ES on GFX9.
constexpr UserDataRow kUserData[] = {
    {Stage::ps, isa::kGfx9To12, {0x2c0c, 32}},  {Stage::vs, isa::kGfx9To10, {0x2c4c, 32}},
    {Stage::gs, isa::kGfx10To12, {0x2c8c, 32}}, {Stage::gs, isa::kGfx9, {0x2ccc, 32}},
    {Stage::hs, isa::kGfx9To12, {0x2d0c, 32}},  {Stage::cs, isa::kGfx9To12, {0x2e40, 16}},
};

const Register* find_in(std::span<const Register> registers, uint32_t offset, isa::Generation generation) {
  auto at = std::lower_bound(registers.begin(), registers.end(), offset,
                             [](const Register& reg, uint32_t wanted) { return reg.offset < wanted; });
  for (; at != registers.end() && at->offset == offset; ++at) {
    if (at->generations.has(generation)) return &*at;
  }
  return nullptr;
}

}  // namespace

const std::string_view kStageNames[kStageCount] = {".ls", ".hs", ".es", ".gs", ".vs", ".ps", ".cs"};

const Register* find_register(uint32_t offset, isa::Generation generation) {
  const Register* found = find_in(shader_registers(), offset, generation);
  return found != nullptr ? found : find_in(context_registers(), offset, generation);
}

const Register* find_register(std::string_view name, isa::Generation generation) {
  for (const std::span<const Register> registers : {shader_registers(), context_registers()}) {
    for (const Register& reg : registers) {
      if (reg.name == name && reg.generations.has(generation)) return &reg;
    }
  }
  return nullptr;
}

const RegisterField* find_field(const Register& reg, std::string_view name, isa::Generation generation) {
  for (const RegisterField& field : reg.fields) {
    if (field.name == name && field.generations.has(generation)) return &field;
  }
  return nullptr;
}

uint32_t field_of(const Register& reg, std::string_view name, uint32_t value, isa::Generation generation) {
  const RegisterField* field = find_field(reg, name, generation);
  return field != nullptr ? field->of(value) : 0;
}

UserDataRegisters user_data_registers(Stage stage, isa::Generation generation) {
  for (const UserDataRow& row : kUserData) {
    if (row.stage == stage && row.generations.has(generation)) return row.registers;
  }
  return {};
}

bool user_data_register(uint32_t offset, isa::Generation generation, Stage& stage, unsigned& index) {
  for (const UserDataRow& row : kUserData) {
    if (!row.generations.has(generation) || offset - row.registers.first >= row.registers.count) continue;
    stage = row.stage;
    index = offset - row.registers.first;
    return true;
  }
  return false;
}

}  // namespace spalt::metadata
