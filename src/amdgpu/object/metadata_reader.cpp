// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include "amdgpu/object/metadata.h"
#include "amdgpu/object/msgpack_view.h"
#include "amdgpu/object/register_fields.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}
Error unsupported(std::string message) {
  return {Status::unsupported, std::move(message)};
}

/// Loaders take numbers of any size; more than registers have bits for mean nothing.
uint32_t clipped(uint32_t value, unsigned width) {
  return static_cast<uint32_t>(bits_of(value, 0, width));
}

void read_register_fields(const Object* registers, const isa::Target& target, StageObject& stage) {
  const StageRegisters& places = *find_stage_registers(stage.hardware_stage, target);
  for (const RegisterField& field : register_fields()) {
    uint32_t value = 0;
    if (field.reg == StageRegister::none || !exists(field, stage.hardware_stage, target)) continue;
    if (!number32_of(find_number(registers, places.offsets[static_cast<size_t>(field.reg)]), value)) continue;
    decode_field(field, static_cast<uint32_t>(bits_of(value, field.low, field.width)), stage, target);
  }
  for (uint32_t i = 0; i < places.user_sgprs; ++i) {
    number32_of(find_number(registers, places.first_user_data + i), stage.user_data_reg_map[i]);
  }
}

void read_named_fields(const Object* map, const Object* pipeline, const isa::Target& target, StageObject& stage) {
  const Object* compute = find(pipeline, ".compute_registers");
  const Object* graphics = find(pipeline, ".graphics_registers");
  for (const RegisterField& field : register_fields()) {
    if (field.key.empty() || !exists(field, stage.hardware_stage, target)) continue;
    uint32_t value = 0;
    const Object* place = field.place == FieldPlace::compute_registers    ? compute
                          : field.place == FieldPlace::graphics_registers ? graphics
                                                                          : map;
    if (number32_of(find(place, field.key), value)) field.set(stage, value);
  }
  read_array(find(map, ".threadgroup_dimensions"), stage.threadgroup_dims);
  read_array(find(map, ".user_data_reg_map"), stage.user_data_reg_map);
}

/// Names of a stage in `.hardware_stages` and in `.shaders`, in the order of HardwareStage.
struct StageNames {
  std::string_view hardware, api;
};
constexpr StageNames kStageNames[] = {{".cs", ".compute"}, {".vs", ".vertex"}, {".gs", ".vertex"}, {".ps", ".pixel"}};

/// Everything but what graphics registers say.
Result<void> read_stage(const Object* pipeline, uint64_t major, const isa::Target& target, StageObject& stage) {
  const StageNames& names = kStageNames[static_cast<unsigned>(stage.hardware_stage)];
  const Object* map = find(find(pipeline, ".hardware_stages"), names.hardware);
  if (!is_map(map)) return bad("the metadata has no \"" + std::string(names.hardware) + "\" hardware stage");
  if (find_stage_registers(stage.hardware_stage, target) == nullptr) {
    return bad(std::string(target.name) + " has no \"" + std::string(names.hardware) + "\" hardware stage");
  }
  // A loader may leave system registers out, so the absent ones are off.
  stage.tgid_x_en = stage.tgid_y_en = stage.tgid_z_en = false;
  number32_of(find(map, ".wavefront_size"), stage.wave_size);
  if (stage.wave_size != 32 && stage.wave_size != 64) return bad("\".wavefront_size\" is neither 32 nor 64");
  if (major == 2) read_register_fields(find(pipeline, ".registers"), target, stage);
  read_named_fields(map, pipeline, target, stage);
  stage.entry_symbol = entry_symbol_of(stage.hardware_stage);
  std::string_view symbol = text_of(find(map, ".entry_point_symbol"));
  if (symbol.empty()) symbol = text_of(find(map, ".entry_point"));
  if (!symbol.empty()) stage.entry_symbol = symbol;
  number32_of(find(pipeline, ".user_data_limit"), stage.user_data_limit);
  number32_of(find(pipeline, ".spill_threshold"), stage.spill_threshold);
  if (const std::string_view api = text_of(find(pipeline, ".api")); !api.empty()) stage.api = api;
  read_array(find(pipeline, ".internal_pipeline_hash"), stage.pipeline_hash);
  read_array(find(find(find(pipeline, ".shaders"), names.api), ".api_shader_hash"), stage.api_shader_hash);
  return {};
}

// ---- graphics registers ----

void read_value(const Object* object, GraphicsKind kind, unsigned width, uint32_t& value) {
  const std::span<const std::string_view> names = names_of(kind);
  if (names.empty()) {
    if (number32_of(object, value)) value = kind == GraphicsKind::flag ? (value != 0 ? 1 : 0) : clipped(value, width);
    return;
  }
  const auto at = std::find(names.begin(), names.end(), text_of(object));
  if (at != names.end()) value = static_cast<uint32_t>(at - names.begin());
}

void read_named_graphics(const Object* registers, abi::HardwareStage vertex_stage, const isa::Target& target,
                         GraphicsRegisters& out) {
  for (const GraphicsFieldRow& field : graphics_fields()) {
    if (field.key.empty() || !field.exists(vertex_stage, target)) continue;
    const Object* value = find(field.map.empty() ? registers : find(registers, field.map), field.key);
    if (field.kind == GraphicsKind::element) value = element(value, field.element());
    read_value(value, field.kind, field.width, out[field.id]);
  }
  const Object* parameters = find(registers, ".spi_ps_input_cntl");
  for (uint32_t i = 0; i < abi::kMaxParameters && element(parameters, i) != nullptr; ++i) {
    ParameterSource source;
    for (const ParameterFieldRow& field : parameter_fields()) {
      uint32_t value = 0;
      read_value(find(element(parameters, i), field.key), field.kind, field.width, value);
      field.set(source, value);
    }
    out.sources.push_back(source);
  }
}

void read_raw_graphics(const Object* registers, abi::HardwareStage vertex_stage, const isa::Target& target,
                       GraphicsRegisters& out) {
  for (const GraphicsFieldRow& field : graphics_fields()) {
    uint32_t value = 0;
    const uint32_t offset = offset_of(field.reg, target);
    if (offset == 0 || !field.exists(vertex_stage, target)) continue;
    if (!number32_of(find_number(registers, offset), value)) continue;
    out[field.id] = static_cast<uint32_t>(bits_of(value, field.low, field.width));
  }
  const uint32_t first = offset_of(GraphicsRegister::SPI_PS_INPUT_CNTL_0, target);
  for (uint32_t i = 0, value = 0; i < abi::kMaxParameters; ++i) {
    if (!number32_of(find_number(registers, first + i), value)) break;
    ParameterSource source;
    for (const ParameterFieldRow& field : parameter_fields()) {
      field.set(source, static_cast<uint32_t>(bits_of(value, field.low, field.width)));
    }
    out.sources.push_back(source);
  }
}

/// What is in no register.
void read_graphics_facts(const Object* pipeline, StageObject& stage) {
  auto* facts = std::get_if<abi::PixelFacts>(&stage.facts);
  uint32_t dummy = 0;
  if (facts != nullptr && number32_of(find(pipeline, ".ps_dummy_export"), dummy)) facts->dummy_export = dummy != 0;
}

Result<void> read_graphics(const Object* map, uint64_t major, abi::HardwareStage vertex_stage,
                           const isa::Target& target, PipelineObject& pipeline) {
  GraphicsRegisters registers;
  if (major == 2) {
    read_raw_graphics(find(map, ".registers"), vertex_stage, target, registers);
  } else {
    read_named_graphics(find(map, ".graphics_registers"), vertex_stage, target, registers);
  }
  for (StageObject& stage : pipeline.stages) {
    apply_graphics(registers, stage);
    read_graphics_facts(map, stage);
    if (Result<void> fine = check_facts(stage); !fine) return bad(fine.error().message);
  }
  if (const StageObject* pixel = pipeline.find(abi::HardwareStage::ps)) {
    if (has_gaps(registers)) return unsupported("the pixel stage has registers for inputs that are not loaded");
    const uint32_t parameters = std::get<abi::PixelFacts>(pixel->facts).parameters.size();
    for (uint32_t i = 0; i < parameters; ++i) pipeline.sources.push_back(registers.sources[i]);
  }
  return {};
}

// ---- documents ----

struct Document {
  uint64_t major = 0;
  const Object* pipeline = nullptr;
};

Result<Document> open_document(const Object& root) {
  if (!is_map(&root)) return bad("the metadata is not a map");
  std::array<uint64_t, 2> version{};
  read_array(find(&root, "amdpal.version"), version);
  if (version[0] != 2 && version[0] != 3) {
    return unsupported("metadata version " + std::to_string(version[0]) + " is not supported, only 2 and 3 are");
  }
  const Object* pipelines = find(&root, "amdpal.pipelines");
  if (!is_array(pipelines) || pipelines->via.array.size != 1) {
    return bad("\"amdpal.pipelines\" is not an array with exactly one pipeline");
  }
  const Document document{version[0], &pipelines->via.array.ptr[0]};
  if (document.major == 2 && !is_map(find(document.pipeline, ".registers"))) {
    return bad("metadata version 2 without a \".registers\" map");
  }
  return document;
}

Result<void> read_compute(const Object& root, const isa::Target& target, StageObject& shader) {
  const Result<Document> document = open_document(root);
  if (!document) return document.error();
  if (text_of(find(document->pipeline, ".type")) != name_of(PipelineType::compute)) {
    return unsupported("the pipeline is not a compute pipeline (\".type\" is not \"Cs\")");
  }
  return read_stage(document->pipeline, document->major, target, shader);
}

/// Adds the stage, if the pipeline has it or must have it.
Result<void> add_stage(const Document& document, abi::HardwareStage stage, const isa::Target& target,
                       PipelineObject& pipeline) {
  pipeline.stages.push_back(StageObject());
  StageObject& added = pipeline.stages.back();
  added.hardware_stage = stage;
  added.target_name = target.name;
  return read_stage(document.pipeline, document.major, target, added);
}

Result<void> read_any(const Object& root, const isa::Target& target, PipelineObject& pipeline) {
  const Result<Document> document = open_document(root);
  if (!document) return document.error();
  const std::string_view type = text_of(find(document->pipeline, ".type"));
  if (type == name_of(PipelineType::compute)) return add_stage(*document, abi::HardwareStage::cs, target, pipeline);
  const bool primitive = type == name_of(PipelineType::primitive_pixel);
  if (!primitive && type != name_of(PipelineType::vertex_pixel)) {
    return unsupported("pipelines of type \"" + std::string(type.substr(0, 16)) + "\" are not supported");
  }
  const abi::HardwareStage vertex_stage = primitive ? abi::HardwareStage::gs : abi::HardwareStage::vs;
  const Object* stages = find(document->pipeline, ".hardware_stages");
  for (abi::HardwareStage stage : {vertex_stage, abi::HardwareStage::ps}) {
    if (find(stages, kStageNames[static_cast<unsigned>(stage)].hardware) == nullptr) continue;
    if (Result<void> added = add_stage(*document, stage, target, pipeline); !added) return added;
  }
  if (pipeline.stages.empty()) return bad("the pipeline has no hardware stage");
  return read_graphics(document->pipeline, document->major, vertex_stage, target, pipeline);
}

}  // namespace

Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, StageObject& shader) {
  return with_document(document, [&](const Object& root) { return read_compute(root, target, shader); });
}

Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, PipelineObject& pipeline) {
  return with_document(document, [&](const Object& root) { return read_any(root, target, pipeline); });
}

}  // namespace spalt::object
