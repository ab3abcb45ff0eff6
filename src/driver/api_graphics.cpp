// SPDX-License-Identifier: MIT
// The state of graphics pipelines as the C API has it (spalt/graphics.h).
#include "driver/api_graphics.h"

#include <algorithm>
#include <string>

#include "amdgpu/abi/vertex_format.h"
#include "amdgpu/object/stage_bytes.h"
#include "driver/api_options.h"

namespace spalt::driver {
namespace {

using api::bad_argument;
using api::CallerArray;

// Of VkFormat and VkPrimitiveTopology.
constexpr uint32_t kRgba8Unorm = 37;
constexpr uint32_t kFirstAdjacency = 6, kTopologies = 11;
constexpr uint32_t kAllChannels = 0xf;

struct Bindings {
  std::array<spalt_vertex_binding, SPALT_MAX_VERTEX_BINDINGS> by_number{};
  std::array<bool, SPALT_MAX_VERTEX_BINDINGS> given{};
};

std::string named(const char* what, uint32_t number) {
  return std::string(what) + " " + std::to_string(number);
}

Result<Bindings> read_bindings(const spalt_graphics_state& state) {
  const CallerArray<spalt_vertex_binding> given(state.vertex_bindings, state.vertex_binding_count,
                                                state.vertex_binding_size);
  if (!given.valid()) return bad_argument("vertex bindings without their array or its element size");
  Bindings bindings;
  for (size_t i = 0; i < given.size(); ++i) {
    const spalt_vertex_binding b = given[i];
    if (b.binding >= SPALT_MAX_VERTEX_BINDINGS) {
      return bad_argument(named("vertex binding", b.binding) + " is not below " +
                          std::to_string(SPALT_MAX_VERTEX_BINDINGS));
    }
    if (bindings.given[b.binding]) return bad_argument(named("vertex binding", b.binding) + " is there twice");
    bindings.given[b.binding] = true;
    bindings.by_number[b.binding] = b;
  }
  return bindings;
}

/// Components of 64 bits are two words each to the shader: up to four at the attribute's location, and the rest at the
/// next one. The numbers of the formats are Vulkan's.
uint32_t wide_components(uint32_t format) {
  constexpr uint32_t kR64Uint = 110, kR64G64B64A64Sfloat = 121, kNumbers = 3;
  return format < kR64Uint || format > kR64G64B64A64Sfloat ? 0 : (format - kR64Uint) / kNumbers + 1;
}
void add_words(abi::VertexAttribute attribute, uint32_t components, abi::GraphicsState& out) {
  constexpr uint32_t kR32G32Uint = 101, kR32G32B32A32Uint = 107;
  for (uint32_t at = 0; at < components; at += 2) {
    attribute.format = components - at == 1 ? kR32G32Uint : kR32G32B32A32Uint;
    out.attributes.push_back(attribute);
    ++attribute.location;
    attribute.offset += 16;
  }
}

Result<void> read_attributes(const spalt_graphics_state& state, abi::GraphicsState& out) {
  const Result<Bindings> bindings = read_bindings(state);
  if (!bindings) return bindings.error();
  const CallerArray<spalt_vertex_attribute> given(state.vertex_attributes, state.vertex_attribute_count,
                                                  state.vertex_attribute_size);
  if (!given.valid()) return bad_argument("vertex attributes without their array or its element size");
  for (size_t i = 0; i < given.size(); ++i) {
    const spalt_vertex_attribute a = given[i];
    const std::string name = named("the vertex attribute at location", a.location);
    if (a.location >= SPALT_MAX_VERTEX_ATTRIBUTES) {
      return bad_argument(name + " is not below " + std::to_string(SPALT_MAX_VERTEX_ATTRIBUTES));
    }
    const uint32_t wide = wide_components(a.format);
    if (wide > 2 && a.location + 1 >= SPALT_MAX_VERTEX_ATTRIBUTES) {
      return bad_argument(name + " takes the next location, which there is not");
    }
    if (a.binding >= SPALT_MAX_VERTEX_BINDINGS || !bindings->given[a.binding]) {
      return bad_argument(name + " is in " + named("binding", a.binding) + ", which is not described");
    }
    if (a.format == 0) return bad_argument(name + " has no format");
    const spalt_vertex_binding& b = bindings->by_number[a.binding];
    const abi::VertexAttribute attribute = {
        a.location, a.binding, a.format, a.offset, b.stride, b.per_instance != 0, b.per_instance != 0 ? b.divisor : 1};
    if (wide == 0) {
      out.attributes.push_back(attribute);
    } else {
      add_words(attribute, wide, out);
    }
  }
  const auto by_location = [](const abi::VertexAttribute& a, const abi::VertexAttribute& b) {
    return a.location < b.location;
  };
  std::sort(out.attributes.begin(), out.attributes.end(), by_location);
  for (uint32_t i = 1; i < out.attributes.size(); ++i) {
    if (out.attributes[i - 1].location != out.attributes[i].location) continue;
    return bad_argument(named("the vertex attribute at location", out.attributes[i].location) + " is there twice");
  }
  return {};
}

Result<void> read_targets(const spalt_graphics_state& state, abi::GraphicsState& out) {
  const CallerArray<spalt_color_target> given(state.color_targets, state.color_target_count, state.color_target_size);
  if (!given.valid()) return bad_argument("colour targets without their array or its element size");
  if (given.size() > SPALT_MAX_COLOR_TARGETS) {
    return bad_argument("there are more than " + std::to_string(SPALT_MAX_COLOR_TARGETS) + " colour targets");
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const spalt_color_target t = given[i];
    if (t.write_mask > kAllChannels) {
      return bad_argument(named("colour target", static_cast<uint32_t>(i)) + " writes channels that do not exist");
    }
    out.targets[i] = {t.format, static_cast<uint8_t>(t.write_mask), t.blend != 0, t.blend_reads_alpha != 0};
  }
  return {};
}

Result<void> read_topology(uint32_t topology) {
  if (topology >= kTopologies) return bad_argument("topology is no VkPrimitiveTopology");
  if (topology < kFirstAdjacency) return {};
  return Error{Status::unsupported, "primitives with adjacency and patches need stages that are not supported"};
}

Result<abi::GraphicsState> read_state(const spalt_graphics_state& state) {
  abi::GraphicsState out;
  if (Result<void> done = read_attributes(state, out); !done) return done.error();
  if (Result<void> done = read_targets(state, out); !done) return done.error();
  if (Result<void> done = read_topology(state.topology); !done) return done.error();
  out.topology = state.topology;
  out.provoking_last = state.provoking_last != 0;
  out.rasterizer_discard = state.rasterizer_discard != 0;
  out.samples = std::max(state.samples, 1u);
  if (!std::has_single_bit(out.samples) || out.samples > 16) return bad_argument("samples must be 1, 2, 4, 8 or 16");
  out.min_sample_shading = state.min_sample_shading;
  // Not a number is no fraction either.
  if (!(out.min_sample_shading >= 0 && out.min_sample_shading <= 1)) {
    return bad_argument("min_sample_shading is not between 0 and 1");
  }
  out.alpha_to_coverage = state.alpha_to_coverage != 0;
  out.alpha_to_one = state.alpha_to_one != 0;
  out.dual_source_blend = state.dual_source_blend != 0;
  return out;
}

/// Vulkan's defaults, and targets that take whatever is written.
abi::GraphicsState default_state() {
  abi::GraphicsState state;
  state.topology = 3;
  for (abi::ColorTarget& target : state.targets) target.format = kRgba8Unorm;
  return state;
}

Result<abi::GraphicsState> read_given_state(const spalt_graphics_state* given) {
  if (given == nullptr) return default_state();
  if (!api::is_given(given)) return bad_argument("graphics has no struct_size");
  return read_state(api::read_struct(given));
}

// ---- what bodies and pieces depend on ----

abi::GraphicsState state_of_body(const abi::GraphicsState& state, ir::ShaderStage stage, bool knows_samples) {
  abi::GraphicsState kept;
  if (stage == ir::ShaderStage::vertex) {
    kept.provoking_last = state.provoking_last;
    kept.rasterizer_discard = state.rasterizer_discard;
  } else {
    kept.samples = knows_samples ? state.samples : 0;
    kept.min_sample_shading = state.min_sample_shading;
  }
  return kept;
}

/// `derived`: attributes are vectors of 32-bit numbers, as where a whole shader is compiled without a state.
abi::GraphicsState state_of_prolog(const abi::GraphicsState& state, const abi::VertexSeam& seam, bool derived) {
  abi::GraphicsState kept;
  kept.topology = state.topology;
  for (const abi::AttributeRead& read : seam.reads) {
    if (derived) kept.attributes.push_back(abi::derived_attribute(read.location, read.integer));
    for (const abi::VertexAttribute& attribute : state.attributes) {
      if (attribute.location == read.location) kept.attributes.push_back(attribute);
    }
  }
  return kept;
}

abi::GraphicsState state_of_epilog(const abi::GraphicsState& state, const abi::PixelSeam& seam) {
  abi::GraphicsState kept;
  for (const abi::PixelResult& result : seam.results) {
    if (result.kind == abi::PixelResultKind::color) kept.targets[result.location] = state.targets[result.location];
    if (result.kind == abi::PixelResultKind::second_source) kept.targets[0] = state.targets[0];
  }
  kept.alpha_to_coverage = state.alpha_to_coverage;
  kept.alpha_to_one = state.alpha_to_one;
  kept.dual_source_blend = state.dual_source_blend;
  if (kept.alpha_to_coverage && kept.alpha_to_one) kept.samples = state.samples;
  return kept;
}

/// One without bytes is none at all: nothing is read.
Result<abi::PixelFacts> read_next_stage(const spalt_stage_object& given, const isa::Target& target) {
  if (given.data == nullptr && given.size == 0) return abi::PixelFacts();
  if (given.data == nullptr) return bad_argument("next_stage has no bytes");
  const auto stage = object::read_stage({static_cast<const uint8_t*>(given.data), given.size});
  if (!stage) return stage.error();
  if (stage->target_name != target.name) {
    return bad_argument("next_stage is for " + stage->target_name + ", not for " + target.name);
  }
  const auto* facts = std::get_if<abi::PixelFacts>(&stage->facts);
  if (facts == nullptr || stage->part == abi::Part::epilog) return bad_argument("next_stage is no fragment stage");
  return *facts;
}

/// Of a request for a vertex shader. Without a state nothing is known of any attribute.
Result<Vector<spirv::KnownAttribute>> read_known_attributes(const spalt_compile_info& info, Arena& arena) {
  Vector<spirv::KnownAttribute> known(arena);
  if (info.graphics == nullptr || info.body_only != 0) return known;
  const auto state = read_given_state(info.graphics);
  if (!state) return state.error();
  for (const abi::VertexAttribute& attribute : state->attributes) {
    const uint8_t missing = abi::missing_components(attribute.format);
    if (missing == 0 && !attribute.per_instance) continue;
    known.push_back({static_cast<uint8_t>(attribute.location), missing, attribute.per_instance});
  }
  return known;
}

Result<PreviousStage> read_previous_stage(const spalt_compile_info* given, Arena& arena) {
  if (!api::is_given(given)) return bad_argument("previous_stage has no struct_size");
  const spalt_compile_info info = api::read_struct(given);
  if (info.words == nullptr) return bad_argument("previous_stage has no words");
  auto specialization = read_specialization(
      {info.specialization_entries, info.specialization_entry_count, info.specialization_entry_size},
      info.specialization_data, info.specialization_data_size, &arena);
  if (!specialization) return specialization.error();
  auto attributes = read_known_attributes(info, arena);
  if (!attributes) return attributes.error();
  const std::string_view entry_point = info.entry_point != nullptr ? info.entry_point : "";
  return PreviousStage{{info.words, info.word_count}, entry_point, std::move(*specialization), std::move(*attributes)};
}

}  // namespace

Result<GraphicsPipelineFacts> read_graphics(const spalt_compiler& compiler, const spalt_compile_info& info,
                                            ir::ShaderStage stage, Arena& arena) {
  GraphicsPipelineFacts facts;
  facts.derive_attributes = info.graphics == nullptr && info.body_only == 0;
  auto state = read_given_state(info.graphics);
  if (!state) return state.error();
  facts.state = std::move(*state);
  facts.body_only = info.body_only != 0;
  if (facts.body_only) {
    facts.state =
        state_of_body(facts.state, stage, info.graphics == nullptr || api::read_struct(info.graphics).samples != 0);
    if (facts.state.samples == 0 && facts.state.min_sample_shading != 0) {
      return bad_argument("min_sample_shading says nothing where the number of samples is not known");
    }
  }
  if (info.previous_stage != nullptr) {
    if (stage != ir::ShaderStage::fragment) return bad_argument("previous_stage is for fragment shaders");
    auto previous = read_previous_stage(info.previous_stage, arena);
    if (!previous) return previous.error();
    facts.previous_stage = std::move(*previous);
  }
  if (info.next_stage == nullptr) return facts;
  if (stage != ir::ShaderStage::vertex) return bad_argument("next_stage is for vertex shaders");
  auto next = read_next_stage(*info.next_stage, *compiler.target);
  if (!next) return next.error();
  facts.next_stage = std::move(*next);
  return facts;
}

Result<PieceFacts> read_piece(const spalt_compiler& compiler, const spalt_piece_info& info) {
  if (info.body.data == nullptr) return bad_argument("a piece without the body that it is for");
  const auto body = object::read_stage({static_cast<const uint8_t*>(info.body.data), info.body.size});
  if (!body) return body.error();
  if (body->target_name != compiler.target->name) {
    return bad_argument("the body is for " + body->target_name + ", not for " + compiler.target->name);
  }
  if (body->part != abi::Part::body) return bad_argument("the stage object is no body: it was not compiled as one");
  PieceFacts facts;
  facts.wave_size = body->wave_size;
  facts.float_mode = static_cast<uint8_t>(body->float_mode);
  facts.graphics.piece = body->seam;
  facts.graphics.primitive_shader = body->hardware_stage == abi::HardwareStage::gs;
  auto state = read_given_state(info.graphics);
  if (!state) return state.error();
  if (const auto* seam = std::get_if<abi::VertexSeam>(&body->seam)) {
    facts.graphics.state = state_of_prolog(*state, *seam, info.graphics == nullptr);
  } else {
    facts.stage = ir::ShaderStage::fragment;
    facts.graphics.state = state_of_epilog(*state, std::get<abi::PixelSeam>(body->seam));
  }
  return facts;
}

}  // namespace spalt::driver
