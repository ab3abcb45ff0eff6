// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::isa {
namespace {

struct DecodeTable {
  Generation generation;
  Format format;
  const uint16_t* opcodes;
};

#include "amdgpu/isa/opcode_tables.inc"  // generated from tools/gen/isa tables

constexpr unsigned kOpcodeCount = static_cast<unsigned>(Opcode::count);
static_assert(std::size(kOpcodeInfo) == kOpcodeCount);

constexpr OpcodeInfo kInvalidInfo{"invalid", {}, {}, 0, 0, 0, 0, 0};

/// kDecodeTables as a matrix, so that a lookup is two loads.
struct DecodeMatrix {
  const uint16_t* tables[kGenerationCount][static_cast<unsigned>(Format::count)] = {};

  constexpr DecodeMatrix() {
    for (const DecodeTable& table : kDecodeTables) {
      tables[static_cast<unsigned>(table.generation)][static_cast<unsigned>(table.format)] = table.opcodes;
    }
  }
};
constexpr DecodeMatrix kDecodeMatrix;

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
  const auto index = static_cast<unsigned>(opcode);
  return index < kOpcodeCount ? kOpcodeInfo[index] : kInvalidInfo;
}

Opcode find_opcode(std::string_view mnemonic) {
  const auto* end = std::end(kByName);
  const auto* found = std::lower_bound(std::begin(kByName), end, mnemonic, [](uint16_t index, std::string_view name) {
    return kOpcodeInfo[index].name < name;
  });
  if (found == end || kOpcodeInfo[*found].name != mnemonic) return Opcode::invalid;
  return static_cast<Opcode>(*found);
}

std::span<const NumberEntry> opcode_encodings(Opcode opcode, Generation generation) {
  const auto index = static_cast<unsigned>(opcode);
  if (index >= kOpcodeCount) return {};
  const uint16_t* starts = kNumberStart[static_cast<unsigned>(generation)];
  return {kNumbers + starts[index], kNumbers + starts[index + 1]};
}

int opcode_number(Opcode opcode, Format format, Generation generation) {
  for (const NumberEntry& entry : opcode_encodings(opcode, generation)) {
    if (entry.format == format) return entry.number;
  }
  return -1;
}

Opcode opcode_at(Format format, uint32_t number, Generation generation) {
  const uint16_t* table = kDecodeMatrix.tables[static_cast<unsigned>(generation)][static_cast<unsigned>(format)];
  return table != nullptr ? static_cast<Opcode>(table[number]) : Opcode::invalid;
}

}  // namespace spalt::isa
