// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/checks.h"

namespace spalt::metadata {
namespace {

using object::Object;

constexpr std::string_view kInterpolants[] = {".persp_sample_ena",     ".persp_center_ena",    ".persp_centroid_ena",
                                              ".persp_pull_model_ena", ".linear_sample_ena",   ".linear_center_ena",
                                              ".linear_centroid_ena",  ".line_stipple_tex_ena"};
constexpr std::string_view kPositions[] = {".pos_x_float_ena",     ".pos_y_float_ena", ".pos_z_float_ena",
                                           ".pos_w_float_ena",     ".front_face_ena",  ".ancillary_ena",
                                           ".sample_coverage_ena", ".pos_fixed_pt_ena"};
/// Fields of `.vgt_shader_stages_en` that not every generation has bits for. The loader of one that lacks them asserts
/// that they are 0.
struct StageField {
  std::string_view key, field;
};
constexpr StageField kStageFields[] = {
    {".vs_stage_en", "VS_EN"}, {".dynamic_hs", "DYNAMIC_HS"}, {".ordered_id_mode", "ORDERED_ID_MODE"}};

/// ENA loads, ADDR lays out: what is loaded must have a place.
void check_pixel_inputs(const Object* graphics, Report& report) {
  const Object* ena = object::find(graphics, ".spi_ps_input_ena");
  const Object* addr = object::find(graphics, ".spi_ps_input_addr");
  if (!object::is_map(ena)) return;
  bool interpolates = false;
  for (std::string_view name : kInterpolants) interpolates = interpolates || flag_at(ena, name);
  if (!interpolates) {
    report.error("ps_input_ena", ".graphics_registers/.spi_ps_input_ena",
                 "none of the interpolants is loaded, and the hardware needs one");
  }
  const auto check = [&](std::string_view name) {
    if (!flag_at(ena, name) || flag_at(addr, name)) return;
    report.error("ps_input_addr", ".graphics_registers/.spi_ps_input_addr",
                 std::string(name) + " is loaded, but has no place");
  };
  for (std::string_view name : kInterpolants) check(name);
  for (std::string_view name : kPositions) check(name);
}

void check_stage_fields(const Object* graphics, const isa::Target& target, Report& report) {
  const Object* stages = object::find(graphics, ".vgt_shader_stages_en");
  const Register& reg = *find_register("VGT_SHADER_STAGES_EN", target.generation);
  for (const StageField& field : kStageFields) {
    if (!flag_at(stages, field.key) || find_field(reg, field.field, target.generation) != nullptr) continue;
    report.error("shader_stages_en", ".graphics_registers/.vgt_shader_stages_en/" + std::string(field.key),
                 "the value must be 0 on " + std::string(target.name));
  }
}

}  // namespace

void check_graphics(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  if (facts.major != 3 || !object::is_map(facts.graphics)) return;
  if (facts.find(Stage::ps) != nullptr) {
    check_pixel_inputs(facts.graphics, report);
    const Object* inputs = object::find(facts.graphics, ".spi_ps_input_cntl");
    if (!object::is_array(inputs) || inputs->via.array.size == 0) {
      report.error("ps_input_cntl", ".graphics_registers/.spi_ps_input_cntl",
                   "a pixel stage needs at least one element");
    }
  }
  check_stage_fields(facts.graphics, target, report);
}

}  // namespace spalt::metadata
