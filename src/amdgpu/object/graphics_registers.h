// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/generation_set.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/register_fields.h"

namespace spalt::object {

/// The fields of graphics_fields.def.
enum class GraphicsField : uint8_t {
#define FIELD(id, map, key, kind, reg, low, width, pipelines, generations) id,
#define PARAMETER(member, key, kind, low, width, generations)
#include "amdgpu/object/graphics_fields.def"
#undef PARAMETER
#undef FIELD
  count
};

/// What the value of a key is.
enum class GraphicsKind : uint8_t { flag, number, element, primitive, sprite, coverage };
/// The texts of a kind that has texts, by value; else empty.
std::span<const std::string_view> names_of(GraphicsKind kind);

/// The registers of graphics_register_offsets.def.
enum class GraphicsRegister : uint8_t {
  NONE,
#define REGISTER(name, gfx10, gfx11) name,
#include "amdgpu/object/graphics_register_offsets.def"
#undef REGISTER
  count
};
/// The key in `.registers`; 0 when there is none.
uint32_t offset_of(GraphicsRegister reg, const isa::Target& target);

/// A row of graphics_fields.def. Both writers and both readers walk the same list.
struct GraphicsFieldRow {
  GraphicsField id;
  std::string_view map, key;
  GraphicsKind kind;
  GraphicsRegister reg;
  uint8_t low, width;
  StageSet pipelines;  ///< by the hardware stage of the vertices
  isa::GenerationSet generations;

  bool exists(abi::HardwareStage vertex_stage, const isa::Target& target) const {
    return pipelines.has(vertex_stage) && generations.has(target.generation);
  }
  /// Which element of the array it is.
  unsigned element() const { return low / width; }
};
std::span<const GraphicsFieldRow> graphics_fields();

/// A PARAMETER row: a field of SPI_PS_INPUT_CNTL_n.
struct ParameterFieldRow {
  std::string_view key;
  GraphicsKind kind;
  uint8_t low, width;
  isa::GenerationSet generations;
  uint32_t (*get)(const ParameterSource&);
  void (*set)(ParameterSource&, uint32_t);
};
std::span<const ParameterFieldRow> parameter_fields();

/// What the graphics registers of a pipeline say, field by field.
struct GraphicsRegisters {
  std::array<uint32_t, static_cast<size_t>(GraphicsField::count)> values{};
  SmallVector<ParameterSource, 8> sources;  ///< SPI_PS_INPUT_CNTL_n

  uint32_t& operator[](GraphicsField field) { return values[static_cast<size_t>(field)]; }
  uint32_t operator[](GraphicsField field) const { return values[static_cast<size_t>(field)]; }
};

/// The hardware stage of a pipeline's vertices: that of `vertex`, or without one what the processor has.
abi::HardwareStage vertex_stage_of(const StageObject* vertex, const isa::Target& target);

/// What the stages want. Without a stage the fields of its part say what one without inputs and outputs wants; without
/// a vertex stage parameter i of the pixel stage comes from slot i.
GraphicsRegisters describe_graphics(const StageObject* vertex, const StageObject* pixel, const isa::Target& target);

/// Whether pixel inputs have VGPRs that are not loaded, or are loaded without a place.
bool has_gaps(const GraphicsRegisters& registers);

/// Fills what `registers` say of the stage: facts, and the members that belong to graphics registers.
void apply_graphics(const GraphicsRegisters& registers, StageObject& stage);

}  // namespace spalt::object
