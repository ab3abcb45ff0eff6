// SPDX-License-Identifier: MIT
// The public C API of draws: checks what a caller describes and puts it into the terms of emu/draw.
#include <spalt/draw.h>

#include <algorithm>

#include "emu/api/common.h"
#include "emu/api/handles.h"

namespace {

using namespace spalt;
using namespace spalt::api;
using namespace spalt::emu;

/// A number of Vulkan's as an enumerator with the same one.
template <class Enum>
Result<void> read_enum(uint32_t value, Enum last, const char* what, Enum& out) {
  if (value > static_cast<uint32_t>(last)) {
    return bad_argument("there is no " + std::string(what) + " " + std::to_string(value));
  }
  out = static_cast<Enum>(value);
  return {};
}

/// Reads one number after the other, until one is wrong.
class EnumReader {
 public:
  template <class Enum>
  void read(uint32_t value, Enum last, const char* what, Enum& out) {
    if (result_.ok()) result_ = read_enum(value, last, what, out);
  }
  Result<void> result() const { return result_; }

 private:
  Result<void> result_;
};

PixelRect rect_of(const spalt_rect& rect) {
  // Wide enough for every framebuffer, and far from where sums of 32 bits overflow.
  const int64_t kLimit = 1 << 20;
  const auto limited = [kLimit](int64_t value) {
    return static_cast<int32_t>(std::clamp<int64_t>(value, -kLimit, kLimit));
  };
  return {limited(rect.x), limited(rect.y), limited(int64_t{rect.x} + rect.width),
          limited(int64_t{rect.y} + rect.height)};
}

Result<void> fill_viewports(const spalt_raster_state& info, DrawState& state) {
  if (info.viewport_count > kMaxViewports) return bad_argument("there are too many viewports");
  if (info.viewport_count != 0 && (info.viewports == nullptr || info.scissors == nullptr)) {
    return bad_argument("the viewports or scissors are missing");
  }
  for (uint32_t i = 0; i < info.viewport_count; ++i) {
    const spalt_viewport& v = info.viewports[i];
    state.viewports.push_back({v.x, v.y, v.width, v.height, v.min_depth, v.max_depth});
    state.scissors.push_back(rect_of(info.scissors[i]));
  }
  state.render_area = rect_of(info.render_area);
  return {};
}

Result<void> fill_primitives(const spalt_raster_state& info, DrawState& state) {
  EnumReader reader;
  RasterizationState& raster = state.raster;
  reader.read(info.topology, Topology::triangle_strip_with_adjacency, "topology", state.topology);
  reader.read(info.polygon_mode, PolygonMode::point, "polygon mode", raster.polygon_mode);
  reader.read(info.front_face, FrontFace::clockwise, "front face", raster.front_face);
  reader.read(info.line_mode, LineMode::bresenham, "line mode", raster.line.mode);
  if (!reader.result().ok()) return reader.result();
  if (info.cull_mode > (kCullFront | kCullBack)) return bad_argument("there is no such cull mode");
  state.provoking = info.provoking_last != 0 ? ProvokingVertex::last : ProvokingVertex::first;
  state.primitive_restart = info.primitive_restart != 0;
  state.rasterizer_discard = info.rasterizer_discard != 0;
  raster.cull = static_cast<uint8_t>(info.cull_mode);
  raster.negative_one_to_one = info.negative_one_to_one != 0;
  raster.depth_clip = info.depth_clip != 0;
  raster.depth_clamp = info.depth_clamp != 0;
  raster.depth_bias = {info.depth_bias != 0, info.depth_bias_constant, info.depth_bias_clamp, info.depth_bias_slope,
                       DepthBiasRepresentation::least_representable};
  raster.depth_format = info.depth.address != 0 ? info.depth.format : 0;
  raster.line.width = info.line_width;
  raster.line.stippled = info.line_stipple != 0;
  raster.line.stipple_factor = std::clamp(info.line_stipple_factor, 1u, 256u);
  raster.line.stipple_pattern = static_cast<uint16_t>(info.line_stipple_pattern);
  return {};
}

Result<void> fill_samples(const spalt_raster_state& info, DrawState& state) {
  const uint32_t samples = info.samples == 0 ? 1 : info.samples;
  if (samples > kMaxSamples || (samples & (samples - 1)) != 0)
    return bad_argument("there is no such number of samples");
  state.raster.samples = static_cast<uint8_t>(samples);
  state.raster.sample_positions = standard_sample_positions(samples);
  state.multisample = {info.sample_mask, info.alpha_to_coverage != 0, info.alpha_to_one != 0};
  return {};
}

Result<StencilFace> stencil_face(const spalt_stencil_face& info) {
  EnumReader reader;
  StencilFace face;
  reader.read(info.fail_op, StencilOp::decrement_and_wrap, "stencil operation", face.fail);
  reader.read(info.pass_op, StencilOp::decrement_and_wrap, "stencil operation", face.pass);
  reader.read(info.depth_fail_op, StencilOp::decrement_and_wrap, "stencil operation", face.depth_fail);
  reader.read(info.compare_op, Compare::always, "comparison", face.compare);
  if (!reader.result().ok()) return reader.result().error();
  face.compare_mask = static_cast<uint8_t>(info.compare_mask);
  face.write_mask = static_cast<uint8_t>(info.write_mask);
  face.reference = static_cast<uint8_t>(info.reference);
  return face;
}

Result<void> fill_tests(const spalt_raster_state& info, DrawState& state) {
  DepthStencilState& tests = state.depth_stencil;
  tests.depth_test = info.depth_test != 0;
  tests.depth_write = info.depth_write != 0;
  tests.bounds_test = info.depth_bounds_test != 0;
  tests.min_bounds = info.min_depth_bounds;
  tests.max_bounds = info.max_depth_bounds;
  tests.stencil_test = info.stencil_test != 0;
  if (tests.depth_test) {
    Result<void> done = read_enum(info.depth_compare_op, Compare::always, "comparison", tests.depth_compare);
    if (!done) return done;
  }
  if (!tests.stencil_test) return {};
  const Result<StencilFace> front = stencil_face(info.stencil_front);
  if (!front) return front.error();
  const Result<StencilFace> back = stencil_face(info.stencil_back);
  if (!back) return back.error();
  tests.front = *front;
  tests.back = *back;
  return {};
}

Result<BlendState> blend_state(const spalt_color_blend& info) {
  BlendState blend;
  blend.enabled = info.enable != 0;
  blend.write_mask = static_cast<uint8_t>(info.write_mask & 0xf);
  if (!blend.enabled) return blend;
  EnumReader reader;
  constexpr BlendFactor kLastFactor = BlendFactor::one_minus_src1_alpha;
  reader.read(info.src_color_factor, kLastFactor, "blend factor", blend.color.source);
  reader.read(info.dst_color_factor, kLastFactor, "blend factor", blend.color.destination);
  reader.read(info.color_op, BlendOp::maximum, "blend operation", blend.color.op);
  reader.read(info.src_alpha_factor, kLastFactor, "blend factor", blend.alpha.source);
  reader.read(info.dst_alpha_factor, kLastFactor, "blend factor", blend.alpha.destination);
  reader.read(info.alpha_op, BlendOp::maximum, "blend operation", blend.alpha.op);
  if (!reader.result().ok()) return reader.result().error();
  return blend;
}

DrawAttachment attachment_of(const spalt_attachment& info) {
  return {info.address,   info.format,     info.width, info.height, info.layers, std::max(info.samples, 1u),
          info.row_bytes, info.slice_bytes};
}

Result<void> fill_colors(const spalt_raster_state& info, DrawState& state) {
  if (info.color_target_count > kMaxColorTargets) return bad_argument("there are too many colour targets");
  if (info.color_target_count != 0 && (info.blends == nullptr || info.color_targets == nullptr)) {
    return bad_argument("the colour targets or how they are blended are missing");
  }
  state.color.logic_op_enabled = info.logic_op_enable != 0;
  if (state.color.logic_op_enabled) {
    Result<void> done = read_enum(info.logic_op, LogicOp::set, "logic operation", state.color.logic_op);
    if (!done) return done;
  }
  std::copy(std::begin(info.blend_constants), std::end(info.blend_constants), state.color.blend_constants.begin());
  for (uint32_t i = 0; i < info.color_target_count; ++i) {
    const Result<BlendState> blend = blend_state(info.blends[i]);
    if (!blend) return blend.error();
    state.blends.push_back(*blend);
    state.targets.push_back(attachment_of(info.color_targets[i]));
  }
  state.depth = attachment_of(info.depth);
  state.stencil = attachment_of(info.stencil);
  return {};
}

Result<void> fill_state(const spalt_raster_state& info, const abi::VertexOutputs& outputs, DrawState& state) {
  if (Result<void> done = fill_viewports(info, state); !done) return done;
  if (Result<void> done = fill_primitives(info, state); !done) return done;
  if (Result<void> done = fill_samples(info, state); !done) return done;
  if (Result<void> done = fill_tests(info, state); !done) return done;
  if (Result<void> done = fill_colors(info, state); !done) return done;
  state.raster.clip_distances = outputs.clip_distances;
  state.raster.cull_distances = outputs.cull_distances;
  state.view_mask = info.view_mask;
  return {};
}

Result<void> fill(const spalt_device& device, const spalt_draw_info& info, GraphicsDraw& draw) {
  if (info.program == nullptr) return bad_argument("no program was given");
  if (info.program->graphics == nullptr) return bad_argument("the program is of a compute pipeline");
  if (info.user_data == nullptr && info.user_data_count != 0) return bad_argument("the user data is missing");
  if (!is_given(info.state)) return bad_argument("no state was described");
  draw.program = info.program->graphics;
  const char* target = draw.program->target().name;
  if (!device.target.empty() && device.target != target) {
    return bad_argument("the program was made for " + std::string(target) + ", the device is a " + device.target);
  }
  draw.user_data = {info.user_data, info.user_data_count};
  draw.vertex_buffer_table = info.vertex_buffer_table;
  draw.indexed = info.indexed != 0;
  if (draw.indexed && info.index_size != 1 && info.index_size != 2 && info.index_size != 4) {
    return bad_argument("indices have 1, 2 or 4 bytes");
  }
  draw.index_address = info.index_address;
  draw.index_bytes = info.index_bytes;
  if (draw.indexed) draw.index_size = static_cast<IndexSize>(info.index_size);
  draw.first = info.first;
  draw.count = info.count;
  draw.vertex_offset = info.vertex_offset;
  draw.first_instance = info.first_instance;
  draw.instance_count = info.instance_count;
  draw.draw_index = info.draw_index;
  if (info.step_limit != 0) draw.step_limit = info.step_limit;
  draw.border_colors = info.border_colors;
  return fill_state(read_struct(info.state), draw.program->outputs(), draw.state);
}

spalt_draw_counters draw_counters_of(const DrawOutcome& outcome) {
  spalt_draw_counters value{};
  value.input_vertices = outcome.counters.input_vertices;
  value.input_primitives = outcome.counters.input_primitives;
  value.vertex_invocations = outcome.counters.vertex_invocations;
  value.clip_invocations = outcome.counters.clip_invocations;
  value.clip_primitives = outcome.counters.clip_primitives;
  value.fragment_invocations = outcome.counters.fragment_invocations;
  value.samples_passed = outcome.counters.samples_passed;
  value.waves = counters_of(outcome.statistics);
  value.waves.struct_size = sizeof(value.waves);
  return value;
}

}  // namespace

extern "C" spalt_result spalt_device_draw(spalt_device* device, const spalt_draw_info* info,
                                          spalt_draw_counters* counters, spalt_fault* fault) {
  spalt_draw_counters counted{};
  spalt_fault report = fault_of({});
  FaultKind kind = FaultKind::none;
  spalt_result result = guarded(report.message, [&]() -> Result<void> {
    if (device == nullptr) return bad_argument("no device was given");
    if (!is_given(info)) return bad_argument("no draw was described");
    GraphicsDraw draw;
    if (Result<void> done = fill(*device, read_struct(info), draw); !done) return done;
    Debugging debugging(*device);
    draw.observer = debugging.observer();
    const Result<DrawOutcome> outcome = device->device->draw(draw);
    if (!outcome) return outcome.error();
    counted = draw_counters_of(*outcome);
    report = fault_of(outcome->fault);
    kind = outcome->fault.kind;
    if (kind != FaultKind::none && !is_fault(kind)) copy_text(report.message, outcome->fault.violation);
    return {};
  });
  if (result == SPALT_SUCCESS) result = result_of(kind);
  if (counters != nullptr) write_struct(counted, counters);
  if (fault != nullptr) write_struct(report, fault);
  return result;
}
