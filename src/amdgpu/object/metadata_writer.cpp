// SPDX-License-Identifier: MIT
// The PAL metadata document (PAL pipeline ABI, section 2). Keys are written in the fixed order of this file, so that
// equal facts give equal bytes. Everything goes straight to its place in the file; nothing takes memory besides.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/byte_stream.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/msgpack_config.h"
#include "amdgpu/object/register_fields.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

using Packer = msgpack::packer<ByteStream>;
/// More than most documents have, most of all those of graphics pipelines.
constexpr size_t kUsualBytes = 3072;

/// Writes one map. MessagePack wants the number of entries in front, in one byte up to 15 and in three above: one byte
/// is left free, and close() makes room for the other two where they are needed.
class MapWriter {
 public:
  explicit MapWriter(ByteStream& stream) : stream_(stream), start_(stream.position()) { stream.write("", 1); }

  template <class T>
  void put(std::string_view key, const T& value) {
    Packer(stream_).pack(key).pack(value);
    ++count_;
  }
  template <class T>
  void put(uint32_t key, const T& value) {
    Packer(stream_).pack(key).pack(value);
    ++count_;
  }
  /// A map under that key, to be closed before anything else is put into this one.
  MapWriter put_map(std::string_view key) {
    Packer(stream_).pack(key);
    ++count_;
    return MapWriter(stream_);
  }
  void put_array(std::string_view key, std::span<const uint32_t> values) {
    begin_array(key, static_cast<uint32_t>(values.size()));
    for (uint32_t value : values) Packer(stream_).pack(value);
  }
  /// As many elements must follow before anything else is put into this map.
  void begin_array(std::string_view key, uint32_t size) {
    Packer(stream_).pack(key).pack_array(size);
    ++count_;
  }
  /// A map as the next element, to be closed before anything else.
  MapWriter element_map() { return MapWriter(stream_); }
  /// The same as the only element of an array.
  MapWriter put_single_map_array(std::string_view key) {
    Packer(stream_).pack(key).pack_array(1);
    ++count_;
    return MapWriter(stream_);
  }
  void close() {
    constexpr uint32_t kShortCount = 15;
    constexpr uint8_t kFixMap = 0x80, kMap16 = 0xde;
    if (count_ <= kShortCount) {
      stream_[start_] = static_cast<uint8_t>(kFixMap | count_);
      return;
    }
    stream_[start_] = kMap16;
    stream_.insert(start_ + 1, {static_cast<char>(count_ >> 8), static_cast<char>(count_)});
  }

 private:
  ByteStream& stream_;
  uint32_t start_;  ///< of the map in the file
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
  std::string_view key;
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
// In the order of HardwareStage.
constexpr StageNames kStageNames[] = {{".cs", ".compute"}, {".vs", ".vertex"}, {".gs", ".vertex"}, {".ps", ".pixel"}};

const StageNames& names_of(const StageObject& stage) {
  return kStageNames[static_cast<unsigned>(stage.hardware_stage)];
}

void put_hardware_stage(MapWriter map, const StageObject& stage, const PipelineFacts& pipeline) {
  for (const EntryPointKey& name : kEntryPointKeys) {
    const bool known = name.generations.has(pipeline.target->generation);
    if (known && pipeline.version >= name.first && pipeline.version <= name.last)
      map.put(name.key, std::string_view(stage.entry_symbol));
  }
  for (const RegisterField& field : register_fields()) {
    const bool here = field.place == FieldPlace::stage ||
                      (field.place == FieldPlace::stage_named && pipeline.version != MetadataVersion::v2_6);
    if (here && exists(field, stage.hardware_stage, *pipeline.target)) put_field(map, field, stage);
  }
  if (stage.hardware_stage == abi::HardwareStage::cs) map.put(".threadgroup_dimensions", stage.threadgroup_dims);
  if (pipeline.version != MetadataVersion::v2_6) {
    map.put(".user_data_reg_map", stage.user_data_reg_map);
    map.put(".checksum_value", 0u);
  }
  map.close();
}

/// Register values by number. There are few: a sorted list.
class RegisterValues {
 public:
  uint32_t& operator[](uint32_t reg) {
    auto* at = std::lower_bound(values_.begin(), values_.end(), reg,
                                [](const Entry& entry, uint32_t number) { return entry.reg < number; });
    if (at != values_.end() && at->reg == reg) return at->value;
    const auto index = at - values_.begin();
    values_.push_back({reg, 0});
    std::rotate(values_.begin() + index, values_.end() - 1, values_.end());
    return values_[static_cast<size_t>(index)].value;
  }
  void put(MapWriter map) const {
    for (const Entry& entry : values_) map.put(entry.reg, entry.value);
    map.close();
  }

 private:
  struct Entry {
    uint32_t reg, value;
  };
  SmallVector<Entry, 64> values_;
};

void add_stage(const StageObject& stage, const isa::Target& target, RegisterValues& values) {
  const StageRegisters& registers = *find_stage_registers(stage.hardware_stage, target);
  for (const RegisterField& field : register_fields()) {
    if (field.reg == StageRegister::none || !exists(field, stage.hardware_stage, target)) continue;
    uint32_t& value = values[registers.offsets[static_cast<size_t>(field.reg)]];
    value = static_cast<uint32_t>(with_bits(value, field.low, field.width, encode_field(field, stage, target)));
  }
  for (uint32_t i = 0; i < registers.user_sgprs; ++i) {
    const uint32_t content = stage.user_data_reg_map[i];
    if (content != abi::kNotMapped) values[registers.first_user_data + i] = content;
  }
}

void add_graphics(const PipelineFacts& pipeline, RegisterValues& values) {
  const isa::Target& target = *pipeline.target;
  for (const GraphicsFieldRow& field : graphics_fields()) {
    const uint32_t offset = offset_of(field.reg, target);
    if (offset == 0 || !field.exists(vertex_stage_of(pipeline.type), target)) continue;
    uint32_t& value = values[offset];
    value = static_cast<uint32_t>(with_bits(value, field.low, field.width, pipeline.graphics[field.id]));
  }
  uint32_t offset = offset_of(GraphicsRegister::SPI_PS_INPUT_CNTL_0, target);
  for (const ParameterSource& source : pipeline.graphics.sources) {
    uint32_t value = 0;
    for (const ParameterFieldRow& field : parameter_fields()) {
      value = static_cast<uint32_t>(with_bits(value, field.low, field.width, field.get(source)));
    }
    values[offset++] = value;
  }
}

RegisterValues raw_registers(std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  RegisterValues values;
  for (const StageObject& stage : stages) add_stage(stage, *pipeline.target, values);
  if (pipeline.type != PipelineType::compute) add_graphics(pipeline, values);
  return values;
}

void put_compute_registers(MapWriter map, const StageObject& stage, const PipelineFacts& pipeline) {
  for (const RegisterField& field : register_fields()) {
    const bool here = field.place == FieldPlace::compute_registers;
    if (here && exists(field, stage.hardware_stage, *pipeline.target)) put_field(map, field, stage);
  }
  map.close();
}

void put_value(MapWriter& map, std::string_view key, GraphicsKind kind, uint32_t value) {
  const std::span<const std::string_view> names = names_of(kind);
  if (!names.empty()) {
    map.put(key, names[value]);
  } else if (kind == GraphicsKind::flag) {
    map.put(key, value != 0);
  } else {
    map.put(key, value);
  }
}

/// All elements of an array, of which `first` is the first.
void put_elements(MapWriter& map, const GraphicsFieldRow* first, const GraphicsFieldRow* end,
                  const PipelineFacts& pipeline) {
  SmallVector<uint32_t, 8> elements;
  for (const GraphicsFieldRow* field = first; field != end && field->key == first->key; ++field) {
    if (field->generations.has(pipeline.target->generation)) elements.push_back(pipeline.graphics[field->id]);
  }
  map.put_array(first->key, elements.span());
}

/// Fields with the same map follow each other.
void put_graphics_fields(MapWriter& registers, const PipelineFacts& pipeline) {
  const abi::HardwareStage stage = vertex_stage_of(pipeline.type);
  const std::span<const GraphicsFieldRow> fields = graphics_fields();
  const auto* const end = fields.data() + fields.size();
  for (const GraphicsFieldRow* field = fields.data(); field != end;) {
    const std::string_view name = field->map;
    std::optional<MapWriter> nested;
    for (; field != end && field->map == name; ++field) {
      if (field->key.empty() || !field->exists(stage, *pipeline.target)) continue;
      if (field->kind == GraphicsKind::element) {
        if (field->element() == 0) put_elements(registers, field, end, pipeline);
        continue;
      }
      if (!name.empty() && !nested) nested.emplace(registers.put_map(name));
      put_value(nested ? *nested : registers, field->key, field->kind, pipeline.graphics[field->id]);
    }
    if (nested) nested->close();
  }
}

void put_parameters(MapWriter& registers, const PipelineFacts& pipeline) {
  const SmallVector<ParameterSource, 8>& sources = pipeline.graphics.sources;
  registers.begin_array(".spi_ps_input_cntl", sources.size());
  for (const ParameterSource& source : sources) {
    MapWriter map = registers.element_map();
    for (const ParameterFieldRow& field : parameter_fields()) put_value(map, field.key, field.kind, field.get(source));
    map.close();
  }
}

void put_graphics_registers(MapWriter map, std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  for (const StageObject& stage : stages) {
    for (const RegisterField& field : register_fields()) {
      const bool here = field.place == FieldPlace::graphics_registers;
      if (here && exists(field, stage.hardware_stage, *pipeline.target)) put_field(map, field, stage);
    }
  }
  put_graphics_fields(map, pipeline);
  put_parameters(map, pipeline);
  map.close();
}

void put_shaders(MapWriter shaders, std::span<const StageObject> stages) {
  for (const StageObject& stage : stages) {
    MapWriter shader = shaders.put_map(names_of(stage).api);
    shader.put(".api_shader_hash", stage.api_shader_hash);
    shader.put(".hardware_mapping", std::array<std::string_view, 1>{names_of(stage).hardware});
    shader.close();
  }
  shaders.close();
}

void put_hardware_stages(MapWriter map, std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  for (const StageObject& stage : stages) {
    put_hardware_stage(map.put_map(names_of(stage).hardware), stage, pipeline);
  }
  map.close();
}

/// What loaders want to know of graphics pipelines besides registers.
void put_graphics_facts(MapWriter& map, std::span<const StageObject> stages) {
  for (const StageObject& stage : stages) {
    if (const auto* outputs = std::get_if<abi::VertexOutputs>(&stage.facts)) {
      map.put(".uses_viewport_array_index", outputs->viewport_index);
      const uint32_t most = std::max(stage.subgroup_vertices, stage.subgroup_primitives);
      if (stage.hardware_stage == abi::HardwareStage::gs) map.put(".nggSubgroupSize", most);
    } else if (const auto* facts = std::get_if<abi::PixelFacts>(&stage.facts)) {
      map.put(".num_interpolants", facts->parameters.size());
      map.put(".ps_dummy_export", facts->dummy_export);
      map.put(".ps_sample_mask", facts->writes_sample_mask);
    }
  }
}

void put_pipeline(MapWriter map, std::span<const StageObject> stages, const PipelineFacts& pipeline) {
  const bool graphics = pipeline.type != PipelineType::compute;
  map.put(".type", name_of(pipeline.type));
  map.put(".api", std::string_view(stages[0].api));
  map.put(".internal_pipeline_hash", pipeline.hash);
  put_shaders(map.put_map(".shaders"), stages);
  put_hardware_stages(map.put_map(".hardware_stages"), stages, pipeline);
  if (pipeline.version == MetadataVersion::v2_6) {
    raw_registers(stages, pipeline).put(map.put_map(".registers"));
  } else if (graphics) {
    put_graphics_registers(map.put_map(".graphics_registers"), stages, pipeline);
  } else {
    put_compute_registers(map.put_map(".compute_registers"), stages[0], pipeline);
  }
  if (graphics) put_graphics_facts(map, stages);
  map.put(".user_data_limit", pipeline.user_data_limit);
  map.put(".spill_threshold", pipeline.spill_threshold);
  map.close();
}

}  // namespace

std::string_view name_of(PipelineType type) {
  constexpr std::string_view kNames[] = {"Cs", "VsPs", "Ngg"};
  return kNames[static_cast<unsigned>(type)];
}

abi::HardwareStage vertex_stage_of(PipelineType type) {
  return type == PipelineType::primitive_pixel ? abi::HardwareStage::gs : abi::HardwareStage::vs;
}

void write_metadata(std::span<const StageObject> stages, const PipelineFacts& pipeline, Bytes& out) {
  constexpr std::array<uint32_t, 2> kNumbers[] = {{2, 6}, {3, 0}, {3, 6}};  // in the order of MetadataVersion
  ByteStream stream(out, kUsualBytes);
  MapWriter root(stream);
  root.put("amdpal.version", kNumbers[static_cast<unsigned>(pipeline.version)]);
  put_pipeline(root.put_single_map_array("amdpal.pipelines"), stages, pipeline);
  root.close();
  stream.finish();
}

}  // namespace spalt::object
