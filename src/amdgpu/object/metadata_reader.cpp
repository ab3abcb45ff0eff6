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

void read_register_fields(const Object* registers, const isa::Target& target, StageObject& shader) {
  for (const RegisterField& field : register_fields()) {
    uint32_t value = 0;
    if (field.reg == kNoRegister || !exists(field, shader.hardware_stage, target)) continue;
    if (!number32_of(find_number(registers, field.reg), value)) continue;
    decode_field(field, static_cast<uint32_t>(bits_of(value, field.low, field.width)), shader, target);
  }
  for (uint32_t i = 0; i < kComputeUserDataRegisters; ++i) {
    number32_of(find_number(registers, kComputeUserData0 + i), shader.user_data_reg_map[i]);
  }
}

void read_named_fields(const Object* stage, const Object* compute, const isa::Target& target, StageObject& shader) {
  for (const RegisterField& field : register_fields()) {
    if (field.key.empty() || !exists(field, shader.hardware_stage, target)) continue;
    uint32_t value = 0;
    const Object* place = field.place == FieldPlace::compute_registers ? compute : stage;
    if (number32_of(find(place, field.key), value)) field.set(shader, value);
  }
  read_array(find(stage, ".threadgroup_dimensions"), shader.threadgroup_dims);
  read_array(find(stage, ".user_data_reg_map"), shader.user_data_reg_map);
}

Result<void> read_pipeline(const Object* pipeline, uint64_t major, const isa::Target& target, StageObject& shader) {
  if (text_of(find(pipeline, ".type")) != "Cs") {
    return Error{Status::unsupported, "the pipeline is not a compute pipeline (\".type\" is not \"Cs\")"};
  }
  const Object* stage = find(find(pipeline, ".hardware_stages"), ".cs");
  if (!is_map(stage)) return bad("the metadata has no \".cs\" hardware stage");
  // A loader may leave system registers out, so the absent ones are off.
  shader.tgid_x_en = shader.tgid_y_en = shader.tgid_z_en = false;
  number32_of(find(stage, ".wavefront_size"), shader.wave_size);
  if (shader.wave_size != 32 && shader.wave_size != 64) return bad("\".wavefront_size\" is neither 32 nor 64");
  if (major == 2) {
    const Object* registers = find(pipeline, ".registers");
    if (!is_map(registers)) return bad("metadata version 2 without a \".registers\" map");
    read_register_fields(registers, target, shader);
  }
  read_named_fields(stage, find(pipeline, ".compute_registers"), target, shader);
  std::string_view symbol = text_of(find(stage, ".entry_point_symbol"));
  if (symbol.empty()) symbol = text_of(find(stage, ".entry_point"));
  if (!symbol.empty()) shader.entry_symbol = symbol;
  number32_of(find(pipeline, ".user_data_limit"), shader.user_data_limit);
  number32_of(find(pipeline, ".spill_threshold"), shader.spill_threshold);
  if (const std::string_view api = text_of(find(pipeline, ".api")); !api.empty()) shader.api = api;
  read_array(find(pipeline, ".internal_pipeline_hash"), shader.pipeline_hash);
  read_array(find(find(find(pipeline, ".shaders"), ".compute"), ".api_shader_hash"), shader.api_shader_hash);
  return {};
}

Result<void> read_root(const Object& root, const isa::Target& target, StageObject& shader) {
  if (!is_map(&root)) return bad("the metadata is not a map");
  std::array<uint64_t, 2> version{};
  read_array(find(&root, "amdpal.version"), version);
  if (version[0] != 2 && version[0] != 3) {
    return Error{Status::unsupported,
                 "metadata version " + std::to_string(version[0]) + " is not supported, only 2 and 3 are"};
  }
  const Object* pipelines = find(&root, "amdpal.pipelines");
  if (!is_array(pipelines) || pipelines->via.array.size != 1) {
    return bad("\"amdpal.pipelines\" is not an array with exactly one pipeline");
  }
  return read_pipeline(&pipelines->via.array.ptr[0], version[0], target, shader);
}

}  // namespace

Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, StageObject& shader) {
  return with_document(document, [&](const Object& root) { return read_root(root, target, shader); });
}

}  // namespace spalt::object
