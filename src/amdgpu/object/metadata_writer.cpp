// SPDX-License-Identifier: MIT
// The PAL metadata document (PAL pipeline ABI, section 2). Keys are written in the fixed order of this file, so that
// equal facts give equal bytes.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/msgpack_config.h"
#include "amdgpu/object/register_fields.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

using Buffer = msgpack::sbuffer;
using Packer = msgpack::packer<Buffer>;

/// Collects the entries of one map; MessagePack wants their number in front.
class MapWriter {
 public:
  template <class T>
  void put(std::string_view key, const T& value) {
    Packer packer(body_);
    packer.pack(key);
    packer.pack(value);
    ++count_;
  }
  template <class T>
  void put_number_key(uint32_t key, const T& value) {
    Packer packer(body_);
    packer.pack(key);
    packer.pack(value);
    ++count_;
  }
  void put_map(std::string_view key, const MapWriter& value) {
    Packer(body_).pack(key);
    value.append_to(body_);
    ++count_;
  }
  /// An array with this map as its only element.
  void put_single_map_array(std::string_view key, const MapWriter& value) {
    Packer packer(body_);
    packer.pack(key);
    packer.pack_array(1);
    value.append_to(body_);
    ++count_;
  }
  void append_to(Buffer& out) const {
    Packer(out).pack_map(count_);
    out.write(body_.data(), body_.size());
  }

 private:
  Buffer body_;
  uint32_t count_ = 0;
};

void put_field(MapWriter& map, const RegisterField& field, const StageObject& shader) {
  if (field.is_bool) {
    map.put(field.key, field.get(shader) != 0);
  } else {
    map.put(field.key, field.get(shader));
  }
}

/// The symbol of the program has two names: which versions know each, and whose loaders (PAL pipeline ABI, 2.3).
struct EntryPointKey {
  const char* key;
  MetadataVersion first, last;
  isa::GenerationSet generations;
};
constexpr EntryPointKey kEntryPointKeys[] = {
    {".entry_point_symbol", MetadataVersion::v3_0, MetadataVersion::v3_6, isa::kGfx9To12},
    {".entry_point", MetadataVersion::v2_6, MetadataVersion::v3_0, isa::kGfx9To11}};

/// Names of a stage in `.hardware_stages` and in `.shaders`.
struct StageNames {
  std::string_view hardware, api;
};
constexpr StageNames kStageNames[] = {{".cs", ".compute"}};  // in the order of HardwareStage

const StageNames& names_of(const StageObject& stage) {
  return kStageNames[static_cast<unsigned>(stage.hardware_stage)];
}

MapWriter hardware_stage(const StageObject& stage, const PipelineFacts& pipeline) {
  MapWriter map;
  for (const EntryPointKey& name : kEntryPointKeys) {
    const bool known = name.generations.has(pipeline.target->generation);
    if (known && pipeline.version >= name.first && pipeline.version <= name.last) map.put(name.key, stage.entry_symbol);
  }
  for (const RegisterField& field : register_fields()) {
    const bool here = field.place == FieldPlace::stage ||
                      (field.place == FieldPlace::stage_named && pipeline.version != MetadataVersion::v2_6);
    if (here && exists(field, stage.hardware_stage, *pipeline.target)) put_field(map, field, stage);
  }
  map.put(".threadgroup_dimensions", stage.threadgroup_dims);
  if (pipeline.version != MetadataVersion::v2_6) {
    map.put(".user_data_reg_map", stage.user_data_reg_map);
    map.put(".checksum_value", 0u);
  }
  return map;
}

/// Register values by number. There are few: a sorted vector.
class RegisterValues {
 public:
  uint32_t& operator[](uint32_t reg) {
    const auto at = std::lower_bound(values_.begin(), values_.end(), reg,
                                     [](const auto& entry, uint32_t number) { return entry.first < number; });
    if (at != values_.end() && at->first == reg) return at->second;
    return values_.insert(at, {reg, 0})->second;
  }
  MapWriter write() const {
    MapWriter map;
    for (const auto& [reg, value] : values_) map.put_number_key(reg, value);
    return map;
  }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> values_;
};

MapWriter raw_registers(std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  RegisterValues values;
  for (const StageObject& stage : stages) {
    for (const RegisterField& field : register_fields()) {
      if (field.reg == kNoRegister || !exists(field, stage.hardware_stage, *pipeline.target)) continue;
      uint32_t& value = values[field.reg];
      const uint32_t bits = encode_field(field, stage, *pipeline.target);
      value = static_cast<uint32_t>(with_bits(value, field.low, field.width, bits));
    }
    for (uint32_t i = 0; i < kComputeUserDataRegisters; ++i) {
      if (stage.user_data_reg_map[i] != abi::kNotMapped) values[kComputeUserData0 + i] = stage.user_data_reg_map[i];
    }
  }
  return values.write();
}

MapWriter compute_registers(const StageObject& stage, const PipelineFacts& pipeline) {
  MapWriter map;
  for (const RegisterField& field : register_fields()) {
    const bool here = field.place == FieldPlace::compute_registers;
    if (here && exists(field, stage.hardware_stage, *pipeline.target)) put_field(map, field, stage);
  }
  return map;
}

MapWriter pipeline_map(std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  MapWriter shaders, hardware_stages, map;
  for (const StageObject& stage : stages) {
    MapWriter shader;
    shader.put(".api_shader_hash", stage.api_shader_hash);
    shader.put(".hardware_mapping", std::array<std::string_view, 1>{names_of(stage).hardware});
    shaders.put_map(names_of(stage).api, shader);
    hardware_stages.put_map(names_of(stage).hardware, hardware_stage(stage, pipeline));
  }
  map.put(".type", std::string_view("Cs"));
  map.put(".api", stages[0].api);
  map.put(".internal_pipeline_hash", pipeline.hash);
  map.put_map(".shaders", shaders);
  map.put_map(".hardware_stages", hardware_stages);
  if (pipeline.version != MetadataVersion::v2_6) {
    map.put_map(".compute_registers", compute_registers(stages[0], pipeline));
  } else {
    map.put_map(".registers", raw_registers(stages, pipeline));
  }
  map.put(".user_data_limit", pipeline.user_data_limit);
  map.put(".spill_threshold", pipeline.spill_threshold);
  return map;
}

}  // namespace

std::vector<uint8_t> write_metadata(std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  constexpr std::array<uint32_t, 2> kNumbers[] = {{2, 6}, {3, 0}, {3, 6}};  // in the order of MetadataVersion
  MapWriter root;
  root.put("amdpal.version", kNumbers[static_cast<unsigned>(pipeline.version)]);
  root.put_single_map_array("amdpal.pipelines", pipeline_map(stages, pipeline));
  Buffer out;
  root.append_to(out);
  return {out.data(), out.data() + out.size()};
}

}  // namespace spalt::object
