// SPDX-License-Identifier: MIT
// From the tables of a module (declarations.h) to the interface of one entry point.
#include "spirv/reflect/reflect.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <tuple>

#include "spirv/reflect/declarations.h"

namespace spalt::spirv {
namespace {

using Kind = DeclaredType::Kind;

constexpr uint32_t kMagic = 0x07230203, kSwappedMagic = 0x03022307;
/// An interface has at most some hundred variables; members of blocks are variables, too.
constexpr size_t kMaxVariables = 65'536;

ScalarType scalar_type(const DeclaredType& type) {
  switch (type.kind) {
    case Kind::boolean:
      return ScalarType::boolean;
    case Kind::integer:
      return type.is_signed ? ScalarType::signed_integer : ScalarType::unsigned_integer;
    case Kind::floating:
      return ScalarType::floating;
    default:
      return ScalarType::structure;
  }
}

class Reflector {
 public:
  Reflector(std::span<const uint32_t> words, const ReflectOptions& options, Arena& scratch)
      : options_(options), scratch_(scratch), in_(words, options.specialization, scratch) {}

  bool run();
  const Error& error() const { return in_.error(); }
  Reflection& result() { return out_; }

 private:
  bool choose_entry_point();
  void read_workgroup_size();
  bool read_variables();
  bool read_variable(const DeclaredVariable& variable);
  void add_binding(const DeclaredVariable& variable, uint32_t type);
  void add_push_constants(uint32_t type);
  bool add_variable(const DeclaredVariable& variable, uint32_t type, std::vector<ReflectedVariable>& list);
  void add_constants();
  void sort();

  bool resource_type(const DeclaredVariable& variable, uint32_t type, ResourceType& result) const;
  std::optional<ReflectedTexels> texels_of(uint32_t type) const;
  void shape(uint32_t type, ReflectedVariable& variable) const;
  uint32_t locations_of(uint32_t type) const;

  const ReflectOptions& options_;
  Arena& scratch_;
  Declarations in_;
  Reflection out_;
};

bool Reflector::run() {
  if (!in_.read() || !choose_entry_point()) return false;
  out_.capabilities.assign(in_.capabilities.begin(), in_.capabilities.end());
  read_workgroup_size();
  if (!read_variables()) return false;
  add_constants();
  sort();
  return true;
}

bool Reflector::choose_entry_point() {
  bool found = false;
  for (const DeclaredEntryPoint& entry : in_.entry_points) {
    const bool wanted = (options_.entry_point.empty() || options_.entry_point == entry.name) &&
                        (!options_.model || *options_.model == entry.model);
    if (wanted && !found) out_.entry_point = static_cast<uint32_t>(out_.entry_points.size());
    found |= wanted;
    out_.entry_points.push_back({std::string(entry.name), entry.model});
  }
  if (found) return true;
  return in_.fail(Status::invalid_argument, options_.entry_point.empty()
                                                ? "the module has no such entry point"
                                                : concat("no entry point '", options_.entry_point, "'"));
}

void Reflector::read_workgroup_size() {
  const DeclaredEntryPoint& entry = in_.entry_points[out_.entry_point];
  for (const Instruction& mode : in_.execution_modes) {
    const bool literal = mode[2] == spv::ExecutionModeLocalSize, ids = mode[2] == spv::ExecutionModeLocalSizeId;
    if (mode[1] != entry.function || (!literal && !ids) || mode.count < 6) continue;
    for (unsigned i = 0; i < 3; ++i) {
      uint64_t value = mode[3 + i];
      if (ids && !in_.constant(mode[3 + i], value)) value = 0;
      out_.workgroup_size[i] = static_cast<uint32_t>(value);
    }
  }
  // A constant decorated WorkgroupSize overrides every LocalSize.
  const std::span<const uint32_t> parts = in_.constituents(in_.workgroup_size_id);
  if (entry.model != spv::ExecutionModelGLCompute || parts.size() != 3) return;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t value = 0;
    in_.constant(parts[i], value);
    out_.workgroup_size[i] = static_cast<uint32_t>(value);
  }
}

bool Reflector::read_variables() {
  const DeclaredEntryPoint& entry = in_.entry_points[out_.entry_point];
  Vector<uint32_t> interface(entry.interface, &scratch_);
  std::sort(interface.begin(), interface.end());
  for (const DeclaredVariable& variable : in_.variables) {
    // Before version 1.4 the list has inputs and outputs alone.
    const bool is_port =
        variable.storage_class == spv::StorageClassInput || variable.storage_class == spv::StorageClassOutput;
    const bool listed = std::binary_search(interface.begin(), interface.end(), variable.id);
    if (!listed && (is_port || in_.version() >= 0x10400)) continue;
    if (!read_variable(variable)) return false;
  }
  return true;
}

bool Reflector::read_variable(const DeclaredVariable& variable) {
  const DeclaredType& pointer = in_.type(variable.type);
  if (pointer.kind != Kind::pointer) return in_.fail(Status::invalid_input, "a variable whose type is no pointer");
  const uint32_t type = variable.data_type != 0 ? variable.data_type : pointer.element;
  switch (variable.storage_class) {
    case spv::StorageClassUniformConstant:
    case spv::StorageClassUniform:
    case spv::StorageClassStorageBuffer:
      add_binding(variable, type);
      return true;
    case spv::StorageClassPushConstant:
      add_push_constants(type);
      return true;
    case spv::StorageClassInput:
      return add_variable(variable, type, out_.inputs);
    case spv::StorageClassOutput:
      return add_variable(variable, type, out_.outputs);
    default:
      return true;
  }
}

bool Reflector::resource_type(const DeclaredVariable& variable, uint32_t type, ResourceType& result) const {
  const DeclaredType& what = in_.type(type);
  switch (what.kind) {
    case Kind::structure: {
      const bool storage =
          variable.storage_class == spv::StorageClassStorageBuffer || in_.has(type, spv::DecorationBufferBlock);
      result = storage ? ResourceType::storage_buffer : ResourceType::uniform_buffer;
      return true;
    }
    case Kind::image:
      result = what.dimension == spv::DimSubpassData ? ResourceType::input_attachment
               : what.dimension == spv::DimBuffer
                   ? (what.sampled == 2 ? ResourceType::storage_texel_buffer : ResourceType::uniform_texel_buffer)
                   : (what.sampled == 2 ? ResourceType::storage_image : ResourceType::sampled_image);
      return true;
    case Kind::sampler:
      result = ResourceType::sampler;
      return true;
    case Kind::sampled_image:
      result = ResourceType::combined_image_sampler;
      // A sampled texel buffer has no sampler.
      if (in_.type(what.element).dimension == spv::DimBuffer) result = ResourceType::uniform_texel_buffer;
      return true;
    case Kind::acceleration_structure:
      result = ResourceType::acceleration_structure;
      return true;
    default:
      return false;
  }
}

/// Of an image type, alone or with a sampler.
std::optional<ReflectedTexels> Reflector::texels_of(uint32_t type) const {
  if (in_.type(type).kind == Kind::sampled_image) type = in_.type(type).element;
  const DeclaredType& image = in_.type(type);
  if (image.kind != Kind::image) return std::nullopt;
  return ReflectedTexels{image.dimension, image.arrayed, image.multisampled, scalar_type(in_.type(image.element)),
                         image.format};
}

void Reflector::add_binding(const DeclaredVariable& variable, uint32_t type) {
  ReflectedBinding binding;
  const uint32_t element = in_.type(type).base;
  binding.count = in_.type(type).total;
  if (!resource_type(variable, element, binding.type)) return;
  binding.set = in_.argument(variable.id, spv::DecorationDescriptorSet);
  binding.binding = in_.argument(variable.id, spv::DecorationBinding);
  if (binding.set == kNotGiven || binding.binding == kNotGiven) return;
  if (in_.type(element).kind == Kind::structure) binding.bytes = in_.type(element).bytes;
  binding.name = in_.name(variable.id);
  if (binding.name.empty()) binding.name = in_.name(element);
  binding.texels = texels_of(element);
  out_.bindings.push_back(std::move(binding));
}

void Reflector::add_push_constants(uint32_t type) {
  const DeclaredType& block = in_.type(type);
  if (block.kind != Kind::structure) return;
  out_.push_constant_offset = block.first_offset;
  out_.push_constant_bytes = std::max(block.bytes, block.first_offset) - block.first_offset;
}

/// Fills the type of a variable from outside inward: arrays, matrix, vector, scalar.
void Reflector::shape(uint32_t type, ReflectedVariable& variable) const {
  variable.count = in_.type(type).total;
  type = in_.type(type).base;
  if (in_.type(type).kind == Kind::matrix) {
    variable.columns = in_.type(type).count;
    type = in_.type(type).element;
  }
  if (in_.type(type).kind == Kind::vector) {
    variable.components = in_.type(type).count;
    type = in_.type(type).element;
  }
  variable.type = scalar_type(in_.type(type));
  variable.bits = in_.type(type).bits;
}

/// Locations that a value takes: one for four 32-bit components; vectors of more than two 64-bit components take two.
uint32_t Reflector::locations_of(uint32_t type) const {
  ReflectedVariable v;
  shape(type, v);
  const uint64_t each = v.bits == 64 && v.components > 2 ? 2 : 1;
  return static_cast<uint32_t>(std::min<uint64_t>(each * v.columns * std::max(v.count, 1u), 0xffffu));
}

bool Reflector::add_variable(const DeclaredVariable& variable, uint32_t type, std::vector<ReflectedVariable>& list) {
  ReflectedVariable whole;
  whole.location = in_.argument(variable.id, spv::DecorationLocation);
  whole.built_in = in_.argument(variable.id, spv::DecorationBuiltIn);
  const uint32_t component = in_.argument(variable.id, spv::DecorationComponent);
  whole.component = component == kNotGiven ? 0 : component;
  whole.name = in_.name(variable.id);
  const uint32_t block = in_.type(type).base;
  if (in_.type(block).kind != Kind::structure) {
    shape(type, whole);
    list.push_back(std::move(whole));
    return true;
  }
  // A block: each member is a variable.
  const DeclaredType& members = in_.type(block);
  uint32_t next = whole.location;
  for (uint32_t i = 0; i < members.count; ++i) {
    if (list.size() == kMaxVariables) return in_.fail(Status::limit_exceeded, "too many inputs or outputs");
    ReflectedVariable member;
    shape(in_.member_type(members, i), member);
    member.built_in = in_.argument(block, spv::DecorationBuiltIn, i);
    const uint32_t location = in_.argument(block, spv::DecorationLocation, i);
    if (location != kNotGiven) next = location;
    member.location = member.built_in != kNotGiven ? kNotGiven : next;
    const uint32_t first = in_.argument(block, spv::DecorationComponent, i);
    member.component = first == kNotGiven ? 0 : first;
    member.name = in_.member_name(block, i);
    if (next != kNotGiven && member.built_in == kNotGiven) next += locations_of(in_.member_type(members, i));
    list.push_back(std::move(member));
  }
  return true;
}

void Reflector::add_constants() {
  for (const uint32_t id : in_.spec_constants) {
    const DeclaredConstant& constant = in_.constant(id);
    const DeclaredType& type = in_.type(constant.type);
    ReflectedConstant reflected;
    reflected.id = in_.argument(id, spv::DecorationSpecId);
    reflected.type = scalar_type(type);
    reflected.bits = type.bits;
    reflected.value = constant.module_value;
    reflected.name = in_.name(id);
    out_.constants.push_back(std::move(reflected));
  }
}

void Reflector::sort() {
  std::stable_sort(out_.bindings.begin(), out_.bindings.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.set, a.binding, a.type) < std::tuple(b.set, b.binding, b.type);
  });
  const auto by_location = [](const ReflectedVariable& a, const ReflectedVariable& b) {
    return std::tuple(a.location, a.component, a.built_in) < std::tuple(b.location, b.component, b.built_in);
  };
  std::stable_sort(out_.inputs.begin(), out_.inputs.end(), by_location);
  std::stable_sort(out_.outputs.begin(), out_.outputs.end(), by_location);
  std::stable_sort(out_.constants.begin(), out_.constants.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
}

}  // namespace

Result<Reflection> reflect(std::span<const uint32_t> words, const ReflectOptions& options, Arena& scratch) {
  const ArenaScope scope(scratch);
  Vector<uint32_t> swapped(scratch);
  if (!words.empty() && words[0] == kSwappedMagic) {
    swapped.assign(words);
    for (uint32_t& word : swapped) word = __builtin_bswap32(word);
    words = swapped;
  }
  if (words.empty() || words[0] != kMagic) {
    return Error{Status::invalid_input, "expected the SPIR-V magic number", 0, {}, 0};
  }
  Reflector reflector(words, options, scratch);
  if (!reflector.run()) return reflector.error();
  return std::move(reflector.result());
}

}  // namespace spalt::spirv
