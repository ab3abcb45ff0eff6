// SPDX-License-Identifier: MIT
#pragma once

#include "icd/shader/shader_cache.h"
#include "spalt/graphics.h"

namespace spalt::icd {

/// The prologs and epilogs of a device: what completes stages that were compiled without a part of their state. They
/// are few, since many shaders read the same attributes in the same state, and small, so that none is ever given up.
class PieceCache : public DevicePieces {
 public:
  static PieceCache& of(Device& device) { return static_cast<PieceCache&>(*device.pieces); }

  /// The piece that completes the body for the state; compiled when it is asked for first. nullptr: there is none for
  /// this state, and a compilation of the whole stage will say why. Safe to call from all threads.
  CompiledShaderRef find_or_make(const Device& device, const CompiledShader& body, const spalt_graphics_state& state);

 private:
  ShaderCache pieces_;
};

}  // namespace spalt::icd
