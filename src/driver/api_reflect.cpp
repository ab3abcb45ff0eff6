// SPDX-License-Identifier: MIT
// The public C API's reflection: the tables of spirv::reflect with strings that live in the handle.
#include <iterator>
#include <optional>
#include <spirv/unified1/spirv.hpp>

#include "driver/api_options.h"
#include "spirv/reflect/reflect.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_reflection {
  explicit spalt_reflection(const Allocation& a)
      : allocation(a),
        text(HandleAllocator<char>(allocation)),
        entry_points(HandleAllocator<spalt_entry_point>(allocation)),
        bindings(HandleAllocator<spalt_reflected_binding>(allocation)),
        inputs(HandleAllocator<spalt_reflected_variable>(allocation)),
        outputs(HandleAllocator<spalt_reflected_variable>(allocation)),
        constants(HandleAllocator<spalt_reflected_constant>(allocation)),
        capabilities(HandleAllocator<uint32_t>(allocation)) {}

  const Allocation allocation;
  std::optional<KeptDiagnostic> diagnostic;
  HandleText text;  ///< all names, each with its zero
  HandleVector<spalt_entry_point> entry_points;
  HandleVector<spalt_reflected_binding> bindings;
  HandleVector<spalt_reflected_variable> inputs, outputs;
  HandleVector<spalt_reflected_constant> constants;
  HandleVector<uint32_t> capabilities;
  spalt_reflection_info info{};
};

namespace {

struct StageOfModel {
  uint32_t model;
  spalt_shader_stage stage;
};
constexpr StageOfModel kStages[] = {
    {spv::ExecutionModelVertex, SPALT_STAGE_VERTEX},
    {spv::ExecutionModelTessellationControl, SPALT_STAGE_TESSELLATION_CONTROL},
    {spv::ExecutionModelTessellationEvaluation, SPALT_STAGE_TESSELLATION_EVALUATION},
    {spv::ExecutionModelGeometry, SPALT_STAGE_GEOMETRY},
    {spv::ExecutionModelFragment, SPALT_STAGE_FRAGMENT},
    {spv::ExecutionModelGLCompute, SPALT_STAGE_COMPUTE},
};

spalt_shader_stage stage_of(uint32_t model) {
  for (const StageOfModel& row : kStages) {
    if (row.model == model) return row.stage;
  }
  return SPALT_STAGE_OTHER;
}

/// By spirv::ResourceType, whose order is that of spalt_resource_type: what a layout has for it.
constexpr uint32_t kKinds[] = {SPALT_BINDING_RAW_BUFFER,
                               SPALT_BINDING_RAW_BUFFER,
                               SPALT_BINDING_TYPED_BUFFER,
                               SPALT_BINDING_TYPED_BUFFER,
                               SPALT_BINDING_IMAGE,
                               SPALT_BINDING_IMAGE,
                               SPALT_BINDING_IMAGE,
                               SPALT_BINDING_SAMPLER,
                               SPALT_BINDING_COMBINED_IMAGE_SAMPLER,
                               UINT32_MAX};
static_assert(static_cast<unsigned>(spirv::ResourceType::acceleration_structure) ==
                  SPALT_RESOURCE_ACCELERATION_STRUCTURE &&
              std::size(kKinds) == SPALT_RESOURCE_ACCELERATION_STRUCTURE + 1);
static_assert(static_cast<unsigned>(spirv::ScalarType::structure) == SPALT_SCALAR_STRUCT);

/// VkImageViewType.
uint32_t view_type_of(const spirv::ReflectedTexels& texels) {
  switch (texels.dimension) {
    case spv::Dim1D:
      return texels.arrayed ? 4 : 0;
    case spv::Dim2D:
    case spv::DimRect:
    case spv::DimSubpassData:
      return texels.arrayed ? 5 : 1;
    case spv::Dim3D:
      return 2;
    case spv::DimCube:
      return texels.arrayed ? 6 : 3;
    default:
      return UINT32_MAX;
  }
}

/// VkFormat of a SpvImageFormat; 0 for none.
uint32_t format_of(uint32_t image_format) {
  // clang-format off
  static constexpr uint8_t kFormats[] = {
      0,
      // rgba32f, rgba16f, r32f, rgba8, rgba8_snorm, rg32f, rg16f, r11f_g11f_b10f, r16f
      109, 97, 100, 37, 38, 103, 83, 122, 76,
      // rgba16, rgb10_a2, rg16, rg8, r16, r8, rgba16_snorm, rg16_snorm, rg8_snorm, r16_snorm, r8_snorm
      91, 64, 77, 16, 70, 9, 92, 78, 17, 71, 10,
      // rgba32i, rgba16i, rgba8i, r32i, rg32i, rg16i, rg8i, r16i, r8i
      108, 96, 42, 99, 102, 82, 21, 75, 14,
      // rgba32ui, rgba16ui, rgba8ui, r32ui, rgb10_a2ui, rg32ui, rg16ui, rg8ui, r16ui, r8ui, r64ui, r64i
      107, 95, 41, 98, 68, 101, 81, 20, 74, 13, 110, 111};
  // clang-format on
  static_assert(std::size(kFormats) == spv::ImageFormatR64i + 1);
  return image_format < std::size(kFormats) ? kFormats[image_format] : 0;
}

/// Fills a handle. Names go into one text, whose size is known first, so that pointers into it stay.
class Filler {
 public:
  Filler(const spirv::Reflection& from, spalt_reflection& to) : from_(from), to_(to) {}

  void run() {
    to_.text.reserve(name_bytes());
    for (const spirv::ReflectedEntryPoint& e : from_.entry_points) {
      to_.entry_points.push_back({keep(e.name), static_cast<uint32_t>(stage_of(e.model))});
    }
    for (const spirv::ReflectedBinding& b : from_.bindings) to_.bindings.push_back(binding(b));
    for (const spirv::ReflectedVariable& v : from_.inputs) to_.inputs.push_back(variable(v));
    for (const spirv::ReflectedVariable& v : from_.outputs) to_.outputs.push_back(variable(v));
    for (const spirv::ReflectedConstant& c : from_.constants) {
      to_.constants.push_back({c.id, static_cast<uint32_t>(c.type), c.bits, c.value, keep(c.name)});
    }
    to_.capabilities.assign(from_.capabilities.begin(), from_.capabilities.end());
    describe();
  }

 private:
  size_t name_bytes() const {
    size_t bytes = 0;
    const auto add = [&bytes](const auto& list) {
      for (const auto& item : list) bytes += item.name.size() + 1;
    };
    add(from_.entry_points), add(from_.bindings), add(from_.inputs), add(from_.outputs), add(from_.constants);
    return bytes;
  }
  const char* keep(const std::string& name) {
    const char* at = to_.text.data() + to_.text.size();
    to_.text.append(name.data(), name.size());
    to_.text.push_back('\0');
    return at;
  }
  spalt_reflected_binding binding(const spirv::ReflectedBinding& b) {
    const auto type = static_cast<uint32_t>(b.type);
    spalt_reflected_binding result{b.set,        b.binding,  type, kKinds[type], b.count, b.bytes,
                                   keep(b.name), UINT32_MAX, 0,    UINT32_MAX,   0};
    if (!b.texels) return result;
    result.view_type = view_type_of(*b.texels);
    result.multisampled = b.texels->multisampled ? 1 : 0;
    result.texel_type = static_cast<uint32_t>(b.texels->component);
    result.texel_format = format_of(b.texels->format);
    return result;
  }
  spalt_reflected_variable variable(const spirv::ReflectedVariable& v) {
    return {v.location, v.component, v.built_in,  static_cast<uint32_t>(v.type), v.bits, v.components,
            v.columns,  v.count,     keep(v.name)};
  }
  void describe() {
    spalt_reflection_info& info = to_.info;
    info.entry_points = to_.entry_points.data();
    info.entry_point_count = to_.entry_points.size();
    info.entry_point_size = sizeof(spalt_entry_point);
    info.entry_point = from_.entry_point;
    std::copy(from_.workgroup_size.begin(), from_.workgroup_size.end(), std::begin(info.workgroup_size));
    info.push_constant_offset = from_.push_constant_offset;
    info.push_constant_bytes = from_.push_constant_bytes;
    info.bindings = to_.bindings.data();
    info.binding_count = to_.bindings.size();
    info.binding_size = sizeof(spalt_reflected_binding);
    info.inputs = to_.inputs.data();
    info.input_count = to_.inputs.size();
    info.input_size = sizeof(spalt_reflected_variable);
    info.outputs = to_.outputs.data();
    info.output_count = to_.outputs.size();
    info.output_size = sizeof(spalt_reflected_variable);
    info.constants = to_.constants.data();
    info.constant_count = to_.constants.size();
    info.constant_size = sizeof(spalt_reflected_constant);
    info.capabilities = to_.capabilities.data();
    info.capability_count = to_.capabilities.size();
  }

  const spirv::Reflection& from_;
  spalt_reflection& to_;
};

Result<void> read(const spalt_reflect_info& info, spalt_reflection& reflection) {
  if (info.words == nullptr) return bad_argument("no SPIR-V words");
  const auto specialization = read_specialization(
      {info.specialization_entries, info.specialization_entry_count, info.specialization_entry_size},
      info.specialization_data, info.specialization_data_size);
  if (!specialization) return specialization.error();
  spirv::ReflectOptions options;
  if (info.entry_point != nullptr) options.entry_point = info.entry_point;
  options.specialization = *specialization;
  if (info.has_stage != 0) {
    if (info.stage >= std::size(kStages)) return bad_argument("stage is no spalt_shader_stage of an entry point");
    options.model = kStages[info.stage].model;
  }
  Arena scratch;
  const Result<spirv::Reflection> made = spirv::reflect({info.words, info.word_count}, options, scratch);
  if (!made) return made.error();
  Filler(*made, reflection).run();
  return {};
}

}  // namespace

spalt_result spalt_reflect(const spalt_reflect_info* info, spalt_reflection** reflection) {
  if (reflection == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *reflection = nullptr;
  if (info == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_reflect_info given = read_struct(info);
  Allocation allocation;
  if (!read_allocation(given.allocation, allocation)) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *reflection = create_handle<spalt_reflection>(allocation);
    const Result<void> done = contain([&] { return read(given, **reflection); });
    if (done) return SPALT_SUCCESS;
    (*reflection)->diagnostic.emplace((*reflection)->allocation, done.error(), SPALT_SEVERITY_ERROR);
    return to_result(done.error().status);
  });
  if (result == SPALT_ERROR_OUT_OF_MEMORY) {
    destroy_handle(*reflection);
    *reflection = nullptr;
  }
  return result;
}

void spalt_reflection_destroy(spalt_reflection* reflection) {
  destroy_handle(reflection);
}

spalt_result spalt_reflection_diagnostic(const spalt_reflection* reflection, spalt_diagnostic* diagnostic) {
  if (reflection == nullptr || diagnostic == nullptr || !reflection->diagnostic) return SPALT_ERROR_INVALID_ARGUMENT;
  return write_struct(reflection->diagnostic->describe(), diagnostic);
}

spalt_result spalt_reflection_get(const spalt_reflection* reflection, spalt_reflection_info* info) {
  if (reflection == nullptr || info == nullptr || reflection->diagnostic) return SPALT_ERROR_INVALID_ARGUMENT;
  return write_struct(reflection->info, info);
}
