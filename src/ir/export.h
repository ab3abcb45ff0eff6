// SPDX-License-Identifier: MIT
// What graphics stages exchange with the fixed functions in the lowered stage: the immediates of `export_to` and
// `fetch`.
#pragma once
#include <bit>
#include <cstdint>

namespace spalt::ir {

/// Targets of exports, numbered as in the hardware.
constexpr uint8_t kExportColor = 0, kExportColors = 8;
constexpr uint8_t kExportDepth = 8;  ///< depth, stencil reference, sample mask
constexpr uint8_t kExportNull = 9;
constexpr uint8_t kExportPosition = 12, kExportPositions = 5;
constexpr uint8_t kExportPrimitive = 20;
constexpr uint8_t kExportDual = 21, kExportDuals = 2;  ///< two sources of a blend
constexpr uint8_t kExportParameter = 32, kExportParameters = 32;

/// The immediate of `export_to`.
struct ExportAccess {
  uint8_t target = kExportNull;
  uint8_t mask = 0xf;       ///< which of the four channels
  bool done = false;        ///< the last export of its kind
  bool compressed = false;  ///< an operand holds two channels of 16 bits
  bool valid_mask = false;  ///< exec says which pixels are left
  uint8_t reserved[3] = {};

  /// Operands: one for each channel, or for each pair of which there is one.
  constexpr unsigned operands() const {
    if (!compressed) return static_cast<unsigned>(std::popcount(mask));
    return ((mask & 3) != 0 ? 1 : 0) + ((mask & 12) != 0 ? 1 : 0);
  }
  uint64_t pack() const { return std::bit_cast<uint64_t>(*this); }
  static ExportAccess unpack(uint64_t bits) { return std::bit_cast<ExportAccess>(bits); }
};
static_assert(sizeof(ExportAccess) == sizeof(uint64_t));

/// How `pack_export` makes 16 bits of each operand, operand 0 the low half: the number of the export format in
/// hardware.
enum class PackKind : uint8_t {
  half = 4,     ///< f32 to f16, toward zero
  unorm16 = 5,  ///< f32 in [0, 1]
  snorm16 = 6,  ///< f32 in [-1, 1]
  uint16 = 7,   ///< i32, saturating
  sint16 = 8
};

/// The immediate of `fetch`: elements of a vertex buffer, one for each index.
struct FetchAccess {
  uint32_t offset = 0;  ///< bytes from the start of the element
  uint8_t format = 0;   ///< number in the hardware's field, which converts; 0: dwords as they are
  uint8_t reserved[3] = {};

  uint64_t pack() const { return std::bit_cast<uint64_t>(*this); }
  static FetchAccess unpack(uint64_t bits) { return std::bit_cast<FetchAccess>(bits); }
};
static_assert(sizeof(FetchAccess) == sizeof(uint64_t));

}  // namespace spalt::ir
