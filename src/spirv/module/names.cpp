// SPDX-License-Identifier: MIT
#include "spirv/module/names.h"

#include <algorithm>
#include <array>
#include <span>

namespace spalt::spirv {
namespace {

struct OpcodeRow {
  uint16_t opcode;
  uint8_t flags;  ///< bit 0: has a result type, bit 1: has a result
  const char* name;
};
struct Name {
  uint32_t value;
  const char* name;
};

#include "spirv_names.inc"

constexpr uint32_t kDenseOpcodes = 512;

/// Row index + 1 of the opcodes below kDenseOpcodes, which are nearly all that occur.
constexpr std::array<uint16_t, kDenseOpcodes> make_dense_index() {
  std::array<uint16_t, kDenseOpcodes> index{};
  uint16_t row = 1;
  for (const OpcodeRow& entry : kOpcodes) {
    if (entry.opcode < kDenseOpcodes) index[entry.opcode] = row;
    ++row;
  }
  return index;
}
constexpr std::array<uint16_t, kDenseOpcodes> kDenseIndex = make_dense_index();

const OpcodeRow* find_row(uint32_t opcode) {
  if (opcode < kDenseOpcodes) return kDenseIndex[opcode] != 0 ? &kOpcodes[kDenseIndex[opcode] - 1] : nullptr;
  const auto* row = std::lower_bound(std::begin(kOpcodes), std::end(kOpcodes), opcode,
                                     [](const OpcodeRow& entry, uint32_t wanted) { return entry.opcode < wanted; });
  return row != std::end(kOpcodes) && row->opcode == opcode ? row : nullptr;
}

std::string find_name(std::span<const Name> names, uint32_t value) {
  const auto row = std::lower_bound(names.begin(), names.end(), value,
                                    [](const Name& entry, uint32_t wanted) { return entry.value < wanted; });
  if (row != names.end() && row->value == value) return row->name;
  return "unknown (" + std::to_string(value) + ")";
}

}  // namespace

OpcodeInfo opcode_info(uint32_t opcode) {
  const OpcodeRow* row = find_row(opcode);
  if (row == nullptr) return {};
  return {row->name, (row->flags & 1) != 0, (row->flags & 2) != 0};
}

std::string opcode_name(uint32_t opcode) {
  const OpcodeRow* row = find_row(opcode);
  return row != nullptr ? row->name : "unknown opcode " + std::to_string(opcode);
}

std::string glsl_name(uint32_t instruction) {
  return find_name(kGlslNames, instruction);
}
std::string capability_name(uint32_t capability) {
  return find_name(kCapabilities, capability);
}
std::string storage_class_name(uint32_t storage_class) {
  return find_name(kStorageClasses, storage_class);
}
std::string built_in_name(uint32_t built_in) {
  return find_name(kBuiltIns, built_in);
}
std::string decoration_name(uint32_t decoration) {
  return find_name(kDecorations, decoration);
}
std::string execution_mode_name(uint32_t mode) {
  return find_name(kExecutionModes, mode);
}

}  // namespace spalt::spirv
