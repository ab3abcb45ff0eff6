// SPDX-License-Identifier: MIT
// The PAL metadata document (PAL pipeline ABI, section 2). Keys are written in the fixed order of this file, so that
// equal facts give equal bytes.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/msgpack_config.h"
#include "amdgpu/object/stage_fields.h"
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

void put_field(MapWriter& map, const StageField& field, const ShaderObject& shader) {
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

MapWriter compute_stage(const ShaderObject& shader, MetadataVersion version) {
  MapWriter stage;
  const isa::Target* target = isa::find_target(shader.target_name);
  for (const EntryPointKey& name : kEntryPointKeys) {
    const bool known = target != nullptr && name.generations.has(target->generation);
    if (known && version >= name.first && version <= name.last) stage.put(name.key, shader.entry_symbol);
  }
  for (const StageField& field : stage_fields()) {
    const bool here = field.place == FieldPlace::stage ||
                      (field.place == FieldPlace::stage_named && version != MetadataVersion::v2_6);
    if (here && exists_on_target(field, shader)) put_field(stage, field, shader);
  }
  stage.put(".threadgroup_dimensions", shader.threadgroup_dims);
  if (version != MetadataVersion::v2_6) {
    stage.put(".user_data_reg_map", shader.user_data_reg_map);
    stage.put(".checksum_value", 0u);
  }
  return stage;
}

MapWriter raw_registers(const ShaderObject& shader) {
  std::map<uint32_t, uint32_t> values;
  for (const StageField& field : stage_fields()) {
    if (field.reg == kNoRegister || !exists_on_target(field, shader)) continue;
    uint32_t& value = values[field.reg];
    value = static_cast<uint32_t>(with_bits(value, field.low, field.width, encode_field(field, shader)));
  }
  for (uint32_t i = 0; i < abi::kMaxComputeUserSgprs; ++i) {
    if (shader.user_data_reg_map[i] != abi::kNotMapped) values[kComputeUserData0 + i] = shader.user_data_reg_map[i];
  }
  MapWriter map;
  for (const auto& [reg, value] : values) map.put_number_key(reg, value);
  return map;
}

MapWriter compute_registers(const ShaderObject& shader) {
  MapWriter map;
  for (const StageField& field : stage_fields()) {
    if (field.place == FieldPlace::compute_registers && exists_on_target(field, shader)) put_field(map, field, shader);
  }
  return map;
}

MapWriter pipeline(const ShaderObject& shader, MetadataVersion version) {
  MapWriter api_shader;
  api_shader.put(".api_shader_hash", shader.api_shader_hash);
  api_shader.put(".hardware_mapping", std::array<std::string_view, 1>{".cs"});
  MapWriter shaders, stages, map;
  shaders.put_map(".compute", api_shader);
  stages.put_map(".cs", compute_stage(shader, version));

  map.put(".type", std::string_view("Cs"));
  map.put(".api", shader.api);
  map.put(".internal_pipeline_hash", shader.pipeline_hash);
  map.put_map(".shaders", shaders);
  map.put_map(".hardware_stages", stages);
  if (version != MetadataVersion::v2_6) {
    map.put_map(".compute_registers", compute_registers(shader));
  } else {
    map.put_map(".registers", raw_registers(shader));
  }
  map.put(".user_data_limit", shader.user_data_limit);
  map.put(".spill_threshold", shader.spill_threshold);
  return map;
}

}  // namespace

std::vector<uint8_t> write_metadata(const ShaderObject& shader, MetadataVersion version) {
  constexpr std::array<uint32_t, 2> kNumbers[] = {{2, 6}, {3, 0}, {3, 6}};  // in the order of MetadataVersion
  MapWriter root;
  root.put("amdpal.version", kNumbers[static_cast<unsigned>(version)]);
  root.put_single_map_array("amdpal.pipelines", pipeline(shader, version));
  Buffer out;
  root.append_to(out);
  return {out.data(), out.data() + out.size()};
}

}  // namespace spalt::object
