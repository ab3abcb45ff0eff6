// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "base/short_name.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::ir {

/// What the module may contain; raised by passes, checked by the verifier.
enum class Stage : uint8_t {
  core,    ///< what the SPIR-V reader builds: resources, built-ins, any width
  lowered  ///< target lowering done: no `resource`, push storage, nor `builtin` but those of is_lowered_builtin; entry
           ///< registers are `arg`
};

enum class BuiltIn : uint8_t {
#define SPALT_BUILTIN(name, type, components, shaders, rate) name,
#include "ir/builtins.def"
#undef SPALT_BUILTIN
};
constexpr unsigned kBuiltInCount = 0
#define SPALT_BUILTIN(name, type, components, shaders, rate) +1
#include "ir/builtins.def"
#undef SPALT_BUILTIN
    ;
constexpr uint64_t builtin_imm(BuiltIn builtin, unsigned component = 0) {
  return static_cast<uint64_t>(builtin) | static_cast<uint64_t>(component) << 8;
}
constexpr BuiltIn builtin_of(uint64_t imm) {
  return static_cast<BuiltIn>(imm & 0xff);
}
constexpr unsigned builtin_component(uint64_t imm) {
  return static_cast<unsigned>(imm >> 8);
}

/// What no entry register holds.
constexpr bool is_lowered_builtin(BuiltIn builtin) {
  return builtin == BuiltIn::subgroup_invocation_id || builtin == BuiltIn::address_high;
}

/// What the API calls a stage: which kind of shader the module is.
enum class ShaderStage : uint8_t { compute, vertex, fragment };

/// Which invocations of a workgroup are the four neighbours whose differences are derivatives.
enum class DerivativeGroup : uint8_t {
  none,    ///< there are no derivatives
  linear,  ///< four that follow each other by index
  quads    ///< squares of two by two
};

/// What is true of a compute shader beside its code.
struct ComputeFacts {
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  DerivativeGroup derivatives = DerivativeGroup::none;

  uint64_t invocations() const { return uint64_t{workgroup_size[0]} * workgroup_size[1] * workgroup_size[2]; }
};

/// What is true of a vertex shader beside its code.
struct VertexFacts {
  /// Lowered stage: all lanes of a wave run from the start, whether there is something for them to do or not.
  bool all_lanes = false;
};

/// A row of builtins.def.
struct BuiltInInfo {
  std::string_view name;
  Type type;  ///< of each component
  uint8_t components;
  uint8_t shaders;  ///< bits by ShaderStage
  bool per_lane;    ///< may differ from lane to lane

  bool in(ShaderStage stage) const { return (shaders >> static_cast<unsigned>(stage) & 1) != 0; }
};
const BuiltInInfo& builtin_info(BuiltIn builtin);

/// How a depth that a fragment shader writes compares with the one that it would have without.
enum class DepthBound : uint8_t { any, greater, less, unchanged };

/// What is true of a fragment shader beside its code.
struct FragmentFacts {
  bool early_tests = false;          ///< depth and stencil tests before the shader, whatever it does
  bool post_depth_coverage = false;  ///< sample_mask_in knows the early tests
  bool per_sample = false;  ///< declares something that differs from sample to sample, whether or not it is read
  DepthBound depth_bound = DepthBound::any;
  /// Lowered stage: lanes join at the start so that quads are complete.
  bool whole_quads = false;
};

/// The facts of the stage; the alternatives are in the order of ShaderStage. A further stage adds one to both.
using StageFacts = std::variant<ComputeFacts, VertexFacts, FragmentFacts>;

/// What the shader believes a binding to be.
enum class BindingKind : uint8_t {
  uniform_buffer,
  storage_buffer,
  texel_buffer,
  image,
  sampler,
  combined  ///< an image and its sampler
};

/// A descriptor binding that the entry point uses.
struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t count = 1;  ///< array elements; 0 for a runtime array of descriptors
  BindingKind kind = BindingKind::uniform_buffer;
  bool read_only = false;
  /// Another binding that is aliased as well may be the same memory; without it, no other binding is.
  bool aliased = false;
  /// A physical pointer may lead into it: what is written through one is not apart from it, and neither are others.
  bool addressed = false;

  bool may_be_shared() const { return aliased || addressed; }
  bool is_buffer() const { return kind <= BindingKind::storage_buffer; }
  bool is_storage_buffer() const { return kind == BindingKind::storage_buffer; }
};

/// Lowered stage: registers the hardware or the driver fills before the first instruction.
struct EntryArg {
  enum class File : uint8_t { sgpr, vgpr };
  ShortName name;  ///< for dumps: "user_data_0", "workgroup_id_x"
  File file = File::sgpr;
  uint16_t reg = 0;  ///< first register of the file
  uint8_t dwords = 1;
  uint32_t max = 0xffffffff;  ///< largest value, for registers of one dword
};

/// Lowered stage: a register in which code that is linked after it finds a value.
struct HandedRegister {
  ShortName name;  ///< for dumps: "location_0_x"
  EntryArg::File file = EntryArg::File::vgpr;
  uint16_t reg = 0;
};

/// A variable in scratch memory. Each access stays in the variables that its constant offset lies in; variables whose
/// lifetimes do not meet may share memory.
struct ScratchVariable {
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

/// Workgroup memory that is zero when a workgroup starts. Begins at a multiple of 16; up to the next such multiple
/// after its end there is nothing else.
struct SharedRange {
  uint32_t begin = 0;
  uint32_t bytes = 0;
};

/// Alignment of the constant tables, in bytes: that of the widest load.
constexpr uint32_t kTableAlignment = 16;

/// Module::float_mode where nobody says anything else: round to nearest, denormals of f16 and f64 kept.
inline constexpr uint8_t kDefaultFloatMode = 0xC0;

/// One entry point with everything it calls inlined.
struct Module {
  /// Its tables are in the arena, or without one on the heap.
  explicit Module(Arena* arena = nullptr)
      : functions(arena),
        bindings(arena),
        args(arena),
        vertex_work(arena),
        handed(arena),
        zeroed_shared(arena),
        scratch_variables(arena),
        tables(arena) {}

  Stage stage = Stage::core;
  Vector<Function> functions;  ///< the entry point is functions[0]
  Vector<Binding> bindings;    ///< sorted by (set, binding, kind), each once
  Vector<EntryArg> args;
  /// What the vertex shader of the pipeline does with its outputs at its end (ir/vertex_work.h). No blocks: nothing. Of
  /// fragment shaders, core stage, and of vertex shaders before passes/add_vertex_work.h.
  Function vertex_work;
  Vector<HandedRegister> handed;  ///< lowered stage: what `hand_over` fills
  StageFacts shader;
  uint32_t shared_bytes = 0;
  Vector<SharedRange> zeroed_shared;          ///< core stage: in order, without overlap
  uint32_t scratch_bytes = 0;                 ///< per invocation
  Vector<ScratchVariable> scratch_variables;  ///< none: accesses may go anywhere in scratch memory
  /// Constant data that loads of StorageClass::table read; whole dwords. It starts at a multiple of kTableAlignment.
  Vector<uint8_t> tables;
  uint32_t push_constant_bytes = 0;
  /// FLOAT_MODE byte of the hardware: [1:0] rounding of f32, [3:2] of f16 and f64 (0: nearest even, 3: to zero), [5:4]
  /// denormals of f32, [7:6] of f16 and f64 (0: flushed, 3: kept).
  uint8_t float_mode = kDefaultFloatMode;
  /// Denormals of a width must be flushed; else a mode that flushes them is only allowed to.
  bool must_flush_f16 = false, must_flush_f32 = false, must_flush_f64 = false;
  /// FastMath of operations that are not precise.
  uint16_t fast_math_f16 = kAllFastMath, fast_math_f32 = kAllFastMath, fast_math_f64 = kAllFastMath;

  /// The reference holds until another function is added.
  Function& add_function() { return functions.emplace_back(functions.arena()); }
  ShaderStage shader_stage() const { return static_cast<ShaderStage>(shader.index()); }
  /// The facts of a compute shader; only for one.
  ComputeFacts& compute() { return std::get<ComputeFacts>(shader); }
  const ComputeFacts& compute() const { return std::get<ComputeFacts>(shader); }
  FragmentFacts& fragment() { return std::get<FragmentFacts>(shader); }
  const FragmentFacts& fragment() const { return std::get<FragmentFacts>(shader); }
  /// Groups of four invocations have derivatives.
  bool has_derivatives() const {
    if (shader_stage() == ShaderStage::compute) return compute().derivatives != DerivativeGroup::none;
    return shader_stage() == ShaderStage::fragment;
  }
  FloatControls float_controls() const {
    const bool cuts_singles = (float_mode & 3) == 3, cuts_others = (float_mode >> 2 & 3) == 3;
    return {{must_flush_f16, cuts_others, fast_math_f16},
            {must_flush_f32, cuts_singles, fast_math_f32},
            {must_flush_f64, cuts_others, fast_math_f64}};
  }
};

}  // namespace spalt::ir
