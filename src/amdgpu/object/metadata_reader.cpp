// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <string_view>

#include "amdgpu/object/metadata.h"
#include "amdgpu/object/msgpack_config.h"
#include "amdgpu/object/stage_fields.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

using Object = msgpack::object;
using Type = msgpack::type::object_type;

// Bounds what a hostile document can make the parser reserve before its bytes have to be there.
constexpr size_t kMaxElements = 4096, kMaxBytes = 1u << 24, kMaxDepth = 24;

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

bool is_map(const Object* object) {
  return object != nullptr && object->type == Type::MAP;
}
bool is_array(const Object* object) {
  return object != nullptr && object->type == Type::ARRAY;
}

std::string_view text_of(const Object* object) {
  if (object == nullptr || object->type != Type::STR) return {};
  return {object->via.str.ptr, object->via.str.size};
}

/// The value under `key`, or nullptr when `object` is no map or lacks it.
const Object* find(const Object* object, std::string_view key) {
  if (!is_map(object)) return nullptr;
  for (uint32_t i = 0; i < object->via.map.size; ++i) {
    const auto& entry = object->via.map.ptr[i];
    if (entry.key.type == Type::STR && text_of(&entry.key) == key) return &entry.val;
  }
  return nullptr;
}

const Object* find_number(const Object* object, uint32_t key) {
  if (!is_map(object)) return nullptr;
  for (uint32_t i = 0; i < object->via.map.size; ++i) {
    const auto& entry = object->via.map.ptr[i];
    if (entry.key.type == Type::POSITIVE_INTEGER && entry.key.via.u64 == key) return &entry.val;
  }
  return nullptr;
}

/// Loaders take a number in any integer or boolean encoding.
bool number_of(const Object* object, uint64_t& value) {
  if (object == nullptr) return false;
  if (object->type == Type::POSITIVE_INTEGER) {
    value = object->via.u64;
  } else if (object->type == Type::BOOLEAN) {
    value = object->via.boolean ? 1 : 0;
  } else {
    return false;
  }
  return true;
}

bool number32_of(const Object* object, uint32_t& value) {
  uint64_t wide = 0;
  if (!number_of(object, wide) || wide > 0xffffffffu) return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

template <class T, size_t N>
void read_array(const Object* object, std::array<T, N>& values) {
  if (!is_array(object)) return;
  const size_t count = std::min<size_t>(object->via.array.size, N);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    if (number_of(&object->via.array.ptr[i], value)) values[i] = static_cast<T>(value);
  }
}

void read_register_fields(const Object* registers, ShaderObject& shader) {
  for (const StageField& field : stage_fields()) {
    uint32_t value = 0;
    if (field.reg == kNoRegister || !number32_of(find_number(registers, field.reg), value)) continue;
    decode_field(field, static_cast<uint32_t>(bits_of(value, field.low, field.width)), shader);
  }
  for (uint32_t i = 0; i < abi::kMaxComputeUserSgprs; ++i) {
    number32_of(find_number(registers, kComputeUserData0 + i), shader.user_data_reg_map[i]);
  }
}

void read_named_fields(const Object* stage, const Object* compute, ShaderObject& shader) {
  for (const StageField& field : stage_fields()) {
    if (field.key == nullptr) continue;
    uint32_t value = 0;
    const Object* place = field.place == FieldPlace::compute_registers ? compute : stage;
    if (number32_of(find(place, field.key), value)) field.set(shader, value);
  }
  read_array(find(stage, ".threadgroup_dimensions"), shader.threadgroup_dims);
  read_array(find(stage, ".user_data_reg_map"), shader.user_data_reg_map);
}

Result<void> read_pipeline(const Object* pipeline, uint64_t major, ShaderObject& shader) {
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
    read_register_fields(registers, shader);
  }
  read_named_fields(stage, find(pipeline, ".compute_registers"), shader);
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

Result<void> read_root(const Object& root, ShaderObject& shader) {
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
  return read_pipeline(&pipelines->via.array.ptr[0], version[0], shader);
}

}  // namespace

Result<void> read_metadata(std::span<const uint8_t> document, ShaderObject& shader) {
  try {
    const msgpack::unpack_limit limit(kMaxElements, kMaxElements, kMaxBytes, kMaxBytes, kMaxBytes, kMaxDepth);
    const msgpack::object_handle handle =
        msgpack::unpack(reinterpret_cast<const char*>(document.data()), document.size(), nullptr, nullptr, limit);
    return read_root(handle.get(), shader);
  } catch (const msgpack::unpack_error&) {
    return bad("the metadata is not well-formed MessagePack");
  }
}

}  // namespace spalt::object
