// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "amdgpu/abi/graphics_state.h"
#include "amdgpu/abi/seam.h"
#include "amdgpu/abi/user_data.h"
#include "amdgpu/encode/encode.h"
#include "amdgpu/isa/codec/encoder.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/stage_object.h"
#include "base/vector.h"
#include "driver/passes.h"
#include "spirv/reader.h"
#include "spirv/reflect/known_outputs.h"

namespace spalt::driver {

/// Receives the text of the IR or machine IR after a pass.
using DumpSink = std::function<void(std::string_view pass, const std::string& text)>;

/// The vertex shader before a fragment shader. Lists are in the arena of the options.
struct PreviousStage {
  std::span<const uint32_t> words;
  std::string_view entry_point;
  Vector<spirv::Specialization> specialization;
  Vector<spirv::KnownAttribute> attributes;
};

/// What is known of the rest of the pipeline before a stage is compiled.
struct GraphicsPipelineFacts {
  abi::GraphicsState state;
  bool derive_attributes = false;               ///< the state has none, the vertex shader's inputs say it
  std::optional<abi::PixelFacts> next_stage;    ///< of a vertex shader
  std::optional<PreviousStage> previous_stage;  ///< of a fragment shader
  bool primitive_shader = false;                ///< vertex shaders: also where the hardware has a vertex stage
  bool body_only = false;                       ///< the stage is completed by a piece (amdgpu/abi/seam.h)
  abi::Seam piece;                              ///< compile_piece: what for
  /// Whether other code of the stage comes in front.
  bool follows_code(ir::ShaderStage stage) const {
    return stage == ir::ShaderStage::vertex ? body_only : std::holds_alternative<abi::PixelSeam>(piece);
  }
};
/// A compute pipeline has one stage, so there is nothing to know.
struct ComputePipelineFacts {};
using PipelineFacts = std::variant<ComputePipelineFacts, GraphicsPipelineFacts>;

/// Everything that compiling one stage depends on besides the words. Lists are in an arena or, without one, in the
/// heap.
struct Options {
  explicit Options(Arena* arena = nullptr) : specialization(arena) {}

  const isa::Target* target = nullptr;
  ir::ShaderStage stage = ir::ShaderStage::compute;
  std::string_view entry_point;  ///< empty: the module's only one of the stage
  Vector<spirv::Specialization> specialization;
  std::optional<abi::UserDataLayout> layout;  ///< none: derived from the module
  std::optional<uint32_t> address_high;       ///< upper half of the addresses of tables; none: that of the code
  unsigned wave_size = 32;
  std::array<uint32_t, 3> max_workgroups{65535, 65535, 65535};  ///< of a dispatch, in each dimension
  bool wgp_mode = false;
  bool require_full_subgroups = false;
  PipelineFacts pipeline;                      ///< GraphicsPipelineFacts for vertex and fragment shaders
  uint8_t float_mode = ir::kDefaultFloatMode;  ///< where the module says nothing
  bool strict_floats = false;                  ///< ir::kValueFreedoms are taken away, whatever it says
  unsigned max_vgprs = ~0u, max_sgprs = ~0u;   ///< of a wave; more than there are means all
  uint32_t max_unroll_instructions = 0;        ///< 0: the passes' own choice
  Tier tier = Tier::full;
  std::optional<spirv::PrintfPlace> printf;  ///< none: nothing is printed
  bool want_assembly = false;
  bool want_part_times = false;
  bool want_origins = false;
  bool verify = false;
  std::optional<Pass> stop_after, dump_after;
  bool dump_all = false;
  DumpSink dump;
  std::function<void(Pass, const ir::Module&)> watch;  ///< sees the IR after each pass; for tests
  isa::EncodeTemplates* templates = nullptr;  ///< of the target, from earlier compilations; they change no result
  const uint32_t* cancel = nullptr;           ///< another thread makes it anything but 0, atomically: end soon

  /// Null for compute shaders.
  const GraphicsPipelineFacts* graphics() const { return std::get_if<GraphicsPipelineFacts>(&pipeline); }
};

/// What is said beside the one error that ends a compilation.
struct Diagnostics {
  std::vector<Error> more_errors, warnings;
};

/// Nanoseconds by Account; zeros unless they are wanted.
using StageTimes = std::array<uint64_t, static_cast<size_t>(Account::count)>;

/// Where one binding of the module lies in the driver's memory.
struct BindingPlace {
  uint32_t set, binding, count, entry, offset, stride;
  abi::BindingKind kind;
};

/// One compiled stage and what its compilation tells besides. In the arena of the compilation.
struct StageOutput {
  explicit StageOutput(Arena* arena = nullptr) : stage(arena), origins(arena), bindings(arena) {}

  bool stopped = false;  ///< stop_after was reached: no stage
  object::StageObject stage;
  std::string assembly;
  Vector<encode::CodeOrigin> origins;
  Vector<BindingPlace> bindings;
  uint32_t push_constant_entry = 0, push_constant_dwords = 0;
  StageTimes times{};
};

}  // namespace spalt::driver
