// SPDX-License-Identifier: MIT
// What the parts of a graphics pipeline say of each other: exports and their formats, parameters and their slots
// (docs/abi/pal.md#graphics-registers). Both versions of the metadata, by one description of each value. A rule holds
// where the document gives all that it compares; formats in which a driver writes less are not its business.
#include <algorithm>

#include "amdgpu/abi/graphics_interface.h"
#include "amdgpu/metadata/checks.h"
#include "amdgpu/metadata/structure.h"

namespace spalt::metadata {
namespace {

using object::Object;

/// A value of `.graphics_registers`, and of a raw register in version 2.
struct Place {
  std::string_view map, key, reg, field;
};

constexpr Place kPrimitiveGenerator{".vgt_shader_stages_en", ".primgen_en", "VGT_SHADER_STAGES_EN", "PRIMGEN_EN"};
constexpr Place kExportCount{".spi_vs_out_config", ".vs_export_count", "SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT"};
constexpr Place kNoParameters{".spi_vs_out_config", ".no_pc_export", "SPI_VS_OUT_CONFIG", "NO_PC_EXPORT"};
constexpr Place kMiscVector{".pa_cl_vs_out_cntl", ".vs_out_misc_vec_ena", "PA_CL_VS_OUT_CNTL", "VS_OUT_MISC_VEC_ENA"};
constexpr Place kDistances[] = {
    {".pa_cl_vs_out_cntl", ".vs_out_cc_dist0_vec_ena", "PA_CL_VS_OUT_CNTL", "VS_OUT_CCDIST0_VEC_ENA"},
    {".pa_cl_vs_out_cntl", ".vs_out_cc_dist1_vec_ena", "PA_CL_VS_OUT_CNTL", "VS_OUT_CCDIST1_VEC_ENA"}};
constexpr Place kInterpolants{".spi_ps_in_control", ".num_interps", "SPI_PS_IN_CONTROL", "NUM_INTERP"};
constexpr Place kDepthFormat{"", ".spi_shader_z_format", "SPI_SHADER_Z_FORMAT", "Z_EXPORT_FORMAT"};
constexpr Place kDepthExports[] = {
    {".db_shader_control", ".z_export_enable", "DB_SHADER_CONTROL", "Z_EXPORT_ENABLE"},
    {".db_shader_control", ".stencil_test_val_export_enable", "DB_SHADER_CONTROL", "STENCIL_TEST_VAL_EXPORT_ENABLE"},
    {".db_shader_control", ".mask_export_enable", "DB_SHADER_CONTROL", "MASK_EXPORT_ENABLE"}};
constexpr Place kVertices{".vgt_gs_onchip_cntl", ".es_verts_per_subgroup", "VGT_GS_ONCHIP_CNTL", "ES_VERTS_PER_SUBGRP"};
constexpr Place kPrimitives{".vgt_gs_onchip_cntl", ".gs_prims_per_subgroup", "VGT_GS_ONCHIP_CNTL",
                            "GS_PRIMS_PER_SUBGRP"};
constexpr std::string_view kFormatKeys[] = {".col_0_export_format", ".col_1_export_format", ".col_2_export_format",
                                            ".col_3_export_format", ".col_4_export_format", ".col_5_export_format",
                                            ".col_6_export_format", ".col_7_export_format"};
constexpr std::string_view kFormatFields[] = {"COL0_EXPORT_FORMAT", "COL1_EXPORT_FORMAT", "COL2_EXPORT_FORMAT",
                                              "COL3_EXPORT_FORMAT", "COL4_EXPORT_FORMAT", "COL5_EXPORT_FORMAT",
                                              "COL6_EXPORT_FORMAT", "COL7_EXPORT_FORMAT"};
constexpr std::string_view kMaskKeys[] = {".output0_enable", ".output1_enable", ".output2_enable", ".output3_enable",
                                          ".output4_enable", ".output5_enable", ".output6_enable", ".output7_enable"};
constexpr std::string_view kMaskFields[] = {"OUTPUT0_ENABLE", "OUTPUT1_ENABLE", "OUTPUT2_ENABLE", "OUTPUT3_ENABLE",
                                            "OUTPUT4_ENABLE", "OUTPUT5_ENABLE", "OUTPUT6_ENABLE", "OUTPUT7_ENABLE"};
constexpr unsigned kTargets = 8, kPositions = 5, kMaxSubgroup = 256;
constexpr uint32_t kNoSlot = 0x20;  ///< bit of an offset: a default value

constexpr std::string_view kPrimitiveTypes[] = {"Ngg", "NggTess", "Mesh", "TaskMesh"};

class LinkageCheck {
 public:
  LinkageCheck(const PipelineFacts& facts, const isa::Target& target, Report& report)
      : facts_(facts), target_(target), report_(report) {}

  void run() {
    check_type();
    check_positions();
    check_parameters();
    check_colors();
    check_depth();
    check_subgroups();
  }

 private:
  std::optional<uint32_t> value(const Place& place) const {
    if (facts_.major == 3) {
      return number_at(place.map.empty() ? facts_.graphics : object::find(facts_.graphics, place.map), place.key);
    }
    const auto raw = facts_.raw_register(place.reg, target_.generation);
    const Register* reg = find_register(place.reg, target_.generation);
    if (!raw || find_field(*reg, place.field, target_.generation) == nullptr) return std::nullopt;
    return field_of(*reg, place.field, *raw, target_.generation);
  }
  bool flag(const Place& place) const { return value(place).value_or(0) != 0; }
  std::string path(const Place& place) const {
    if (facts_.major == 2) return ".registers/" + std::string(place.reg);
    const std::string map = place.map.empty() ? "" : "/" + std::string(place.map);
    return ".graphics_registers" + map + "/" + std::string(place.key);
  }
  void error(std::string_view rule, const Place& place, std::string message) {
    report_.error(rule, path(place), std::move(message));
  }

  void check_type() {
    const auto generator = value(kPrimitiveGenerator);
    if (!generator || facts_.type.empty()) return;
    const bool primitive =
        std::find(std::begin(kPrimitiveTypes), std::end(kPrimitiveTypes), facts_.type) != std::end(kPrimitiveTypes);
    if (primitive == (*generator != 0)) return;
    error("primitive_generator", kPrimitiveGenerator,
          "the value is " + std::to_string(*generator) + ", but the type is \"" + std::string(facts_.type) + "\"");
  }

  std::optional<uint32_t> position_format(unsigned index) const {
    if (facts_.major == 2) {
      const auto raw = facts_.raw_register("SPI_SHADER_POS_FORMAT", target_.generation);
      return raw ? std::optional<uint32_t>(*raw >> 4 * index & 0xf) : std::nullopt;
    }
    const Object* formats = object::find(facts_.graphics, ".spi_shader_pos_format");
    const Object* element = object::element(formats, index);
    uint64_t number = 0;
    if (!object::is_array(formats)) return std::nullopt;
    return element != nullptr && whole_number(element, number) ? static_cast<uint32_t>(number) : 0;
  }

  /// The position, then the vectors that are enabled, without a gap.
  void check_positions() {
    if (!position_format(0) || !value(kMiscVector)) return;
    unsigned expected = 1 + (flag(kMiscVector) ? 1 : 0);
    for (const Place& place : kDistances) expected += flag(place) ? 1 : 0;
    for (unsigned i = 0; i < kPositions; ++i) {
      if ((position_format(i) != 0u) == (i < expected)) continue;
      error("position_exports", {"", ".spi_shader_pos_format", "SPI_SHADER_POS_FORMAT", ""},
            "there are " + std::to_string(expected) + " position exports, but the format of number " +
                std::to_string(i) + (i < expected ? " is 0" : " is not 0"));
      return;
    }
  }

  std::optional<uint32_t> offset_of_parameter(unsigned index) const {
    if (facts_.major == 3) {
      return number_at(object::element(object::find(facts_.graphics, ".spi_ps_input_cntl"), index), ".offset");
    }
    const Register* first = find_register("SPI_PS_INPUT_CNTL_0", target_.generation);
    uint32_t raw = 0;
    if (first == nullptr) return std::nullopt;
    if (!object::number32_of(object::find_number(facts_.registers, first->offset + index), raw)) return std::nullopt;
    return field_of(*first, "OFFSET", raw, target_.generation);
  }

  /// Parameters come from slots that the last vertex stage writes.
  void check_parameters() {
    const bool has_vertex_stage = facts_.find(Stage::vs) != nullptr || facts_.find(Stage::gs) != nullptr;
    const auto count = value(kInterpolants), exports = value(kExportCount);
    if (!has_vertex_stage || !count || !exports) return;
    const uint32_t slots = flag(kNoParameters) ? 0 : *exports + 1;
    for (uint32_t i = 0; i < std::min<uint32_t>(*count, abi::kMaxParameters); ++i) {
      const auto offset = offset_of_parameter(i);
      if (!offset || (*offset & kNoSlot) != 0 || *offset < slots) continue;
      error("parameter_slot", {".spi_ps_input_cntl", std::to_string(i), "SPI_PS_INPUT_CNTL_0", ""},
            "parameter " + std::to_string(i) + " comes from slot " + std::to_string(*offset) +
                ", but the vertex stage writes " + std::to_string(slots));
      return;
    }
  }

  /// Targets that are exported follow each other, and whatever is written is exported.
  void check_colors() {
    unsigned formats = 0, masks = 0;
    for (unsigned i = 0; i < kTargets; ++i) {
      const Place format{".spi_shader_col_format", kFormatKeys[i], "SPI_SHADER_COL_FORMAT", kFormatFields[i]};
      const Place mask{".cb_shader_mask", kMaskKeys[i], "CB_SHADER_MASK", kMaskFields[i]};
      if (!value(format) || !value(mask)) return;
      masks += flag(mask) ? 1 : 0;
      if (!flag(format)) continue;
      if (formats++ == i) continue;
      error("color_formats", format, "the formats of exported colours follow each other, but one before this is 0");
      return;
    }
    if (masks <= formats) return;
    error("color_formats", {".cb_shader_mask", "", "CB_SHADER_MASK", ""},
          std::to_string(masks) + " colour targets are written, but " + std::to_string(formats) + " exported");
  }

  void check_depth() {
    if (value(kDepthFormat) != 0u) return;
    for (const Place& place : kDepthExports) {
      if (flag(place)) error("depth_format", place, "the value is exported, but the format of the export is 0");
    }
  }

  /// Without tessellation and geometry shaders, which have limits of their own.
  void check_subgroups() {
    if (facts_.type != "Ngg") return;
    for (const Place& place : {kVertices, kPrimitives}) {
      const auto size = value(place);
      if (!size || (*size != 0 && *size <= kMaxSubgroup)) continue;
      error("subgroup_size", place, "the value is " + std::to_string(*size) + ", but must be 1 to 256");
      return;
    }
    const auto vertices = value(kVertices), primitives = value(kPrimitives);
    const auto most = number_at(facts_.pipeline, ".nggSubgroupSize");
    if (!vertices || !primitives || !most || *most == std::max(*vertices, *primitives)) return;
    report_.error("subgroup_size", ".nggSubgroupSize",
                  "the value is " + std::to_string(*most) + ", but subgroups have up to " + std::to_string(*vertices) +
                      " vertices and " + std::to_string(*primitives) + " primitives");
  }

  const PipelineFacts& facts_;
  const isa::Target& target_;
  Report& report_;
};

}  // namespace

void check_linkage(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  const bool readable = facts.major == 3 ? object::is_map(facts.graphics) : facts.major == 2;
  if (readable) LinkageCheck(facts, target, report).run();
}

}  // namespace spalt::metadata
