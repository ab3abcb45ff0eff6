// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace spalt::emu {

class Wave;

/// Targets of exports.
enum ExportTarget : uint8_t {
  kExportColor = 0,      ///< to 7
  kExportDepth = 8,      ///< with stencil reference and sample mask
  kExportNull = 9,       ///< up to GFX10.3
  kExportPosition = 12,  ///< to 16
  kExportPrimitive = 20,
  kExportDualSource = 21,  ///< and 22, from GFX11 on
  kExportParameter = 32    ///< to 63, up to GFX10.3
};
constexpr unsigned kPositionExports = 5, kParameterExports = 32;
constexpr bool is_position_export(unsigned target) {
  return target >= kExportPosition && target < kExportPosition + kPositionExports;
}

/// What an export instruction sends.
struct WaveExport {
  uint8_t target = 0;
  uint8_t enable = 0;  ///< bit i: component i, or, compressed, bits 2i and 2i + 1 for the halves of dword i
  bool done = false, compressed = false, valid_mask = false;
  uint64_t lanes = 0;                     ///< exec
  std::array<const uint32_t*, 4> data{};  ///< of each dword all lanes; nullptr: it is not sent
};

/// A component of an attribute at a primitive: of vertex 0, and how much more it is at vertices 1 and 2.
struct ParameterPoints {
  uint32_t p0 = 0, p10 = 0, p20 = 0;
};

/// The fixed-function parts of graphics as one wave sees them. Functions with text return what the wave does wrong, the
/// predicate of a sentence about the current instruction, or nothing.
class GraphicsLink {
 public:
  virtual ~GraphicsLink() = default;

  virtual std::string take(const Wave& wave, const WaveExport& data) = 0;
  /// The message GS_ALLOC_REQ.
  virtual std::string allocate(const Wave& wave) = 0;
  /// Whether the wave may read an attribute now.
  virtual std::string check_attribute(const Wave& wave, unsigned attribute) const = 0;
  /// Of an attribute that it may read: what belongs to the primitive of the quad.
  virtual ParameterPoints parameter(unsigned quad, unsigned attribute, unsigned channel) const = 0;
  /// The wave ends.
  virtual std::string end(const Wave& wave) = 0;
};

}  // namespace spalt::emu
