// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {
namespace {

struct DecodeTable {
  Generation generation;
  Format format;
  const uint16_t* opcodes;
};

struct Alternate {
  Generation generation;
  Format format;
  uint16_t number;
  Opcode opcode;
};

#include "amdgpu/isa/opcode_tables.inc"  // generated from tools/gen/isa tables

constexpr unsigned kOpcodeCount = static_cast<unsigned>(Opcode::count);
static_assert(std::size(kOpcodeInfo) >= kOpcodeCount);

constexpr OpcodeInfo kInvalidInfo{"invalid", {}, {}, 0, 0, 0, 0, 0, Feature::none, kNoTiedSource, Opcode::invalid};

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

/// One fact of each opcode under its own name.
template <class T>
constexpr std::array<T, kOpcodeCount> collect(T OpcodeInfo::*fact) {
  std::array<T, kOpcodeCount> facts{};
  for (unsigned i = 0; i < kOpcodeCount; ++i) facts[i] = kOpcodeInfo[i].*fact;
  return facts;
}

constexpr std::array<std::array<int8_t, kOpcodeCount>, kGenerationCount> collect_vopd_numbers() {
  std::array<std::array<int8_t, kOpcodeCount>, kGenerationCount> numbers{};
  for (unsigned generation = 0; generation < kGenerationCount; ++generation) {
    for (unsigned i = 0; i < kOpcodeCount; ++i) {
      numbers[generation][i] = -1;
      for (unsigned n = kNumberStart[generation][i]; n < kNumberStart[generation][i + 1]; ++n) {
        if (kNumbers[n].format == Format::vopd) numbers[generation][i] = static_cast<int8_t>(kNumbers[n].number);
      }
    }
  }
  return numbers;
}

}  // namespace

constexpr std::array<uint32_t, kOpcodeCount> kOpcodeFlags = collect(&OpcodeInfo::flags);
constexpr std::array<uint8_t, kOpcodeCount> kTiedSources = collect(&OpcodeInfo::tied_source);
constexpr std::array<std::array<int8_t, kOpcodeCount>, kGenerationCount> kVopdNumbers = collect_vopd_numbers();

const OpcodeInfo& info(Opcode opcode) {
  const auto index = static_cast<unsigned>(opcode);
  return index < kOpcodeCount ? kOpcodeInfo[index] : kInvalidInfo;
}

const OpcodeInfo& info(Opcode opcode, Generation generation) {
  const auto index = static_cast<unsigned>(opcode);
  return index < kOpcodeCount ? kOpcodeInfo[kInfoIndex[static_cast<unsigned>(generation)][index]] : kInvalidInfo;
}

Opcode find_opcode(std::string_view name) {
  const auto* end = std::end(kByName);
  const auto* found = std::lower_bound(std::begin(kByName), end, name, [](uint16_t index, std::string_view wanted) {
    return kOpcodeInfo[index].name < wanted;
  });
  if (found == end || kOpcodeInfo[*found].name != name) return Opcode::invalid;
  return static_cast<Opcode>(*found);
}

Opcode find_opcode(std::string_view mnemonic, Generation generation) {
  const auto column = static_cast<unsigned>(generation);
  const uint16_t* const index = kInfoIndex[column];
  const uint16_t* const end = kByMnemonic + kByMnemonicStart[column + 1];
  const uint16_t* const found = std::lower_bound(
      kByMnemonic + kByMnemonicStart[column], end, mnemonic,
      [&](uint16_t opcode, std::string_view wanted) { return kOpcodeInfo[index[opcode]].name < wanted; });
  if (found == end || kOpcodeInfo[index[*found]].name != mnemonic) return Opcode::invalid;
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

bool has_opcode(const Target& target, Opcode opcode) {
  return !opcode_encodings(opcode, target.generation).empty() && target.has(info(opcode, target.generation).feature);
}

Opcode opcode_at(Format format, uint32_t number, Generation generation) {
  const uint16_t* table = kDecodeMatrix.tables[static_cast<unsigned>(generation)][static_cast<unsigned>(format)];
  return table != nullptr ? static_cast<Opcode>(table[number]) : Opcode::invalid;
}

Opcode opcode_at(Format format, uint32_t number, const Target& target) {
  const Opcode opcode = opcode_at(format, number, target.generation);
  if (opcode == Opcode::invalid || target.has(info(opcode, target.generation).feature)) return opcode;
  for (const Alternate& other : kAlternates) {
    if (other.generation != target.generation || other.format != format || other.number != number) continue;
    if (target.has(info(other.opcode, target.generation).feature)) return other.opcode;
  }
  return Opcode::invalid;
}

}  // namespace spalt::isa
