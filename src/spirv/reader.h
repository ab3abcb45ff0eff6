// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/compile_context.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::spirv {

/// The value of one specialization constant, by its SpecId decoration.
struct Specialization {
  uint32_t id = 0;
  uint64_t value = 0;  ///< the bits, zero extended; booleans: zero or not
  uint32_t size = 4;   ///< bytes that were given; must be those of the type, 4 for booleans
};

/// Bounds on what one module may make the reader do. They exist because a few words of SPIR-V can stand for very much
/// work: nested arrays, and calls that are all inlined.
struct Limits {
  uint32_t id_bound = 4'194'303;          ///< universal limit of the SPIR-V specification
  uint32_t composite_scalars = 65'536;    ///< scalars in one value, function or private variable
  uint32_t variable_scalars = 1'048'576;  ///< scalars in all function and private variables together
  uint32_t instructions = 2'097'152;      ///< IR values created
  uint64_t work = 64'000'000;             ///< scalar steps while reading
  uint32_t type_depth = 255;              ///< nesting of types, universal limit
  uint32_t shared_bytes = 65'536;
  /// In all dimensions together: more than any hardware generation can run, but products stay within 32 bits.
  uint32_t workgroup_invocations = 1024;
};

/// Numbers beside those of 32 bits that the stages after the reader can do. A value of any other is refused by name.
struct Widths {
  bool int8 = false, int16 = false, int64 = false;
  bool float16 = false, float64 = false;
};

/// A component of an input or output with a location that has the same 32 bits in all invocations.
struct InterfaceConstant {
  uint8_t location = 0, component = 0;
  uint32_t bits = 0;
};

/// A component of an input or output with a location.
struct InterfaceComponent {
  uint8_t location = 0, component = 0;
};

/// The storage buffer that instructions of NonSemantic.DebugPrintf write to (printf/printf.h), and the number of the
/// first of them.
struct PrintfPlace {
  uint32_t set = 0, binding = 0;
  uint32_t first_message = 0;
};

struct ReadOptions {
  ir::ShaderStage stage = ir::ShaderStage::compute;
  std::string_view entry_point;  ///< empty: the only entry point of the module for this stage
  std::span<const Specialization> specialization;
  Limits limits;
  Widths widths;
  uint8_t float_mode = ir::kDefaultFloatMode;  ///< where no execution mode says something else
  bool strict_floats = false;                  ///< no width has ir::kValueFreedoms, whatever the module says
  /// Inputs that are constants, whatever the stage before it is.
  std::span<const InterfaceConstant> known_inputs;
  /// Inputs that are the same at all vertices of a primitive, so that interpolating them would change nothing.
  std::span<const InterfaceComponent> equal_inputs;
  bool points = false;  ///< a fragment shader of points alone, which have one vertex: all its inputs are like that
  /// Where the entries of `specialization` go, in their order, that the module has no constant for. May be null.
  std::vector<Specialization>* unknown_constants = nullptr;
  const PrintfPlace* printf = nullptr;  ///< null: nothing is printed
  bool want_origins = false;            ///< fill in ir::Inst::origin
};

/// Translates an entry point of a SPIR-V module into IR at Stage::core: called functions are inlined,
/// composites are taken apart into scalars, and variables that are not indexed dynamically are in SSA form.
///
/// The words are untrusted. Any defect is an Error whose offset is the word offset of the instruction; the same goes
/// for what is well-formed but not supported. Time and memory are bounded by the number of words and by the limits.
/// The
/// module is in `context.arena`; what the reader needs while it runs is in `context.scratch`.
Result<ir::Module> read(std::span<const uint32_t> words, const ReadOptions& options, CompileContext& context);

}  // namespace spalt::spirv
