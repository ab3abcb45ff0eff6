// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>

#include "amdgpu/abi/graphics_state.h"
#include "amdgpu/abi/seam.h"
#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/abi/user_data.h"
#include "amdgpu/isa/target.h"
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::lower {

struct LowerConfig {
  const isa::Target* target = nullptr;
  unsigned wave_size = 32;                      ///< 32 or 64
  const abi::UserDataLayout* layout = nullptr;  ///< where the driver keeps descriptors and push constants
  std::optional<uint32_t> address_high;         ///< upper half of the addresses of all tables; none: that of the code
  std::array<uint32_t, 3> max_workgroups{65535, 65535, 65535};  ///< of a dispatch, in each dimension
  const abi::GraphicsState* graphics = nullptr;                 ///< of graphics stages; never null for them
  /// What the fragment shader reads of the outputs of a vertex shader; null: not known, all outputs are kept.
  const abi::PixelFacts* next_stage = nullptr;
  /// Vertex shaders: a primitive shader also where the hardware has a vertex stage.
  bool primitive_shader = false;
  /// The shader is the body of its stage (abi/seam.h): what `graphics` says of attributes and of targets does not
  /// count.
  bool body_only = false;
  /// The module is a piece: a shader without code that becomes the prolog or the epilog of bodies with this seam.
  const abi::VertexSeam* prolog = nullptr;
  const abi::PixelSeam* epilog = nullptr;
};

/// The layout for offline compiles of this module. `arena` (the heap if null) has its table.
abi::UserDataLayout default_user_data_layout(const ir::Module& module, Arena* arena = nullptr);

/// The state for offline compiles of this module: each attribute is a vector of 32-bit numbers in a buffer of its own,
/// whose binding is the location.
abi::GraphicsState default_graphics_state(const ir::Module& module);

/// Where a binding of the shader lies; an Error that says why the layout has no place for it.
Result<const abi::BindingLocation*> find_location(const abi::UserDataLayout& layout, const ir::Binding& binding);

/// Takes the module from Stage::core to Stage::lowered: the target passes of this folder in their order,
/// zero_workgroup_memory, reduce_uniform_atomics, lower_scans, lower_doubles, lower_wide_integers, lower_samples,
/// make_descriptors_uniform, lower_interface, lower_shuffles, lower_float_atomics,
/// lower_images, lower_image_halves, lower_arithmetic, trim_loads, split_memory, for who does not want to look in
/// between. Fails when the layout lacks something that the module uses.
Result<abi::StageInterface> lower_module(ir::Module& module, CompileContext& context, const LowerConfig& config);

}  // namespace spalt::lower
