// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/vector.h"
#include "spirv/reader.h"

namespace spalt::spirv {

/// What the state of a pipeline says of an attribute of its vertices.
struct KnownAttribute {
  uint8_t location = 0;
  uint8_t missing = 0;        ///< components that the format lacks, as bits: the shader reads (0, 0, 0, 1) there
  bool per_instance = false;  ///< the same in all vertices of a primitive
};

/// What the next stage may know of the outputs of a vertex shader before anything of it is compiled; of those of 32
/// bits that are scalars or vectors with a location. In order of their declaration.
struct KnownOutputs {
  explicit KnownOutputs(Arena& arena) : constants(arena), equal(arena) {}

  Vector<InterfaceConstant> constants;  ///< output_constants.h
  Vector<InterfaceComponent> equal;     ///< equal_outputs.h
};

/// Words that are no valid module, or have no such entry point, give none. Linear in the words; `entry_point` empty:
/// the only one. `attributes`: those of which anything is known, each once.
KnownOutputs known_outputs(std::span<const uint32_t> words, std::string_view entry_point,
                           std::span<const Specialization> specialization, std::span<const KnownAttribute> attributes,
                           Arena& arena);

}  // namespace spalt::spirv
