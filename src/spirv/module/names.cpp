// SPDX-License-Identifier: MIT
#include "spirv/module/names.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

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

constexpr OpcodeInfo make_info(const OpcodeRow& row) {
  return {true, std::string_view(row.name).starts_with("OpType"), (row.flags & 1) != 0, (row.flags & 2) != 0};
}

/// Of the opcodes below kDenseOpcodes, which are nearly all that occur.
constexpr std::array<OpcodeInfo, kDenseOpcodes> make_dense_infos() {
  std::array<OpcodeInfo, kDenseOpcodes> infos{};
  for (const OpcodeRow& entry : kOpcodes) {
    if (entry.opcode < kDenseOpcodes) infos[entry.opcode] = make_info(entry);
  }
  return infos;
}
constexpr std::array<OpcodeInfo, kDenseOpcodes> kDenseInfos = make_dense_infos();

const OpcodeRow* find_row(uint32_t opcode) {
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
  if (opcode < kDenseOpcodes) return kDenseInfos[opcode];
  const OpcodeRow* row = find_row(opcode);
  return row != nullptr ? make_info(*row) : OpcodeInfo();
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
