// SPDX-License-Identifier: MIT
//
// Stages that are compiled in two parts. What a vertex shader reads of vertex buffers, and how a colour reaches its
// target, is pipeline state that may be unknown while the shader itself is compiled. Then the shader becomes the *body*
// of its stage, and a small *piece* does what the state decides: a *prolog* in front of a vertex body fetches the
// attributes, an *epilog* after a fragment body exports its results. Linking puts the two side by side, and control
// falls through. The *seam* is what they agree upon: values, by number, in VGPRs.
//
// At the seam of a prolog every register that the hardware or the driver has filled is as it was. At the seam of an
// epilog exec has the fragments that count. Nothing that is being loaded is under way at either, and no hazard is open.
#pragma once
#include <cstdint>
#include <variant>

#include "amdgpu/isa/target.h"
#include "base/small_vector.h"

namespace spalt::abi {

/// What of a stage a stage object has.
enum class Part : uint8_t { whole, body, prolog, epilog };

/// An attribute that a vertex body reads.
struct AttributeRead {
  uint8_t location = 0;
  uint8_t components = 0;  ///< bit i: component i is read
  bool integer = false;    ///< of the last component: what it is where the attribute lacks it
  bool operator==(const AttributeRead&) const = default;
};

/// Between a prolog and a vertex body. The values are in the VGPRs from first_attribute_vgpr on, in the order of
/// `reads` and of the components in each.
struct VertexSeam {
  SmallVector<AttributeRead, 8> reads;  ///< by location, each once
  /// SGPRs from s0 on that the prolog leaves alone: those that the body starts with, rounded up so that bodies have
  /// prologs in common.
  uint8_t kept_sgprs = 0;

  unsigned values() const;
  bool operator==(const VertexSeam&) const = default;
};
constexpr unsigned kKeptSgprGranule = 8;
/// The VGPRs below are those that the hardware fills.
unsigned first_attribute_vgpr(bool primitive_shader, const isa::Target& target);

enum class PixelResultKind : uint8_t { color, second_source, depth, stencil_reference, sample_mask };
/// Numbers of 32 bits or, in the lower half of a register, of 16.
enum class ResultType : uint8_t { f32, i32, f16, i16 };

/// A value that a fragment body leaves to its epilog.
struct PixelResult {
  PixelResultKind kind = PixelResultKind::color;
  uint8_t location = 0, component = 0;  ///< of colours
  ResultType type = ResultType::f32;
  bool operator==(const PixelResult&) const = default;
};
constexpr unsigned kMaxPixelResults = 4 * (8 + 1) + 3;

/// Between a fragment body and its epilog.
struct PixelSeam {
  SmallVector<PixelResult, 8> results;  ///< entry i is in VGPR i
  bool kills = false;                   ///< fewer fragments may come to the end than have begun

  bool operator==(const PixelSeam&) const = default;
};

using Seam = std::variant<std::monostate, VertexSeam, PixelSeam>;

}  // namespace spalt::abi
