// SPDX-License-Identifier: MIT
#include "spirv_builder.h"

#include <cstring>
#include <utility>

namespace spalt::random_programs {

void append(Words& out, spv::Op op, std::span<const uint32_t> operands) {
  out.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
  out.insert(out.end(), operands.begin(), operands.end());
}

void append_string(Words& out, std::string_view text) {
  const size_t first = out.size();
  out.resize(first + text.size() / 4 + 1, 0);
  std::memcpy(out.data() + first, text.data(), text.size());
}

// ---- the module ----

Id ModuleBuilder::unique(spv::Op op, std::span<const uint32_t> operands, bool has_type, uint32_t tag) {
  Words key = {static_cast<uint32_t>(op), tag};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [found, is_new] = unique_.try_emplace(std::move(key), next_id_);
  if (!is_new) return found->second;
  const Id id = new_id();
  Words words(operands.begin(), operands.end());
  words.insert(words.begin() + (has_type ? 1 : 0), id);
  append(globals_, op, words);
  return id;
}

Id ModuleBuilder::type_array(Id element, uint32_t length, uint32_t stride) {
  const uint32_t operands[] = {element, constant(type_int(false), length)};
  const Id before = next_id_;
  const Id type = unique(spv::OpTypeArray, operands, false, stride);
  if (type == before && stride != 0) decorate(type, {spv::DecorationArrayStride, stride});
  return type;
}

Id ModuleBuilder::type_runtime_array(Id element, uint32_t stride) {
  const uint32_t operands[] = {element};
  const Id before = next_id_;
  const Id type = unique(spv::OpTypeRuntimeArray, operands, false, stride);
  if (type == before) decorate(type, {spv::DecorationArrayStride, stride});
  return type;
}

Id ModuleBuilder::type_function(Id result, std::span<const Id> parameters) {
  Words operands = {result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return unique(spv::OpTypeFunction, operands, false, 0);
}

Id ModuleBuilder::type_block(std::span<const Id> members, std::span<const uint32_t> offsets, bool is_block) {
  const Id id = new_id();
  Words operands = {id};
  operands.insert(operands.end(), members.begin(), members.end());
  append(globals_, spv::OpTypeStruct, operands);
  uint32_t member = 0;
  for (const uint32_t offset : offsets) decorate_member(id, member++, {spv::DecorationOffset, offset});
  if (is_block) decorate(id, {spv::DecorationBlock});
  return id;
}

Id ModuleBuilder::spec_constant(Id type, uint32_t value, uint32_t number) {
  const Id id = new_id();
  append(globals_, spv::OpSpecConstant, {type, id, value});
  decorate(id, {spv::DecorationSpecId, number});
  return id;
}

Id ModuleBuilder::constant_bool(bool value) {
  return unique(value ? spv::OpConstantTrue : spv::OpConstantFalse, {type_bool()}, true);
}

Id ModuleBuilder::constant_composite(Id type, std::span<const Id> parts) {
  Words operands = {type};
  operands.insert(operands.end(), parts.begin(), parts.end());
  return unique(spv::OpConstantComposite, operands, true, 0);
}

Id ModuleBuilder::variable(spv::StorageClass storage, Id type, Id initializer) {
  const Id pointer = type_pointer(storage, type);
  const Id id = new_id();
  Words operands = {pointer, id, static_cast<uint32_t>(storage)};
  if (initializer != 0) operands.push_back(initializer);
  append(globals_, spv::OpVariable, operands);
  interface_.push_back(id);
  return id;
}

Id ModuleBuilder::builtin_variable(spv::BuiltIn builtin, Id type, spv::StorageClass storage) {
  const Id id = variable(storage, type);
  decorate(id, {spv::DecorationBuiltIn, static_cast<uint32_t>(builtin)});
  return id;
}

Id ModuleBuilder::buffer_variable(spv::StorageClass storage, Id type, uint32_t set, uint32_t binding) {
  const Id id = variable(storage, type);
  decorate(id, {spv::DecorationDescriptorSet, set});
  decorate(id, {spv::DecorationBinding, binding});
  return id;
}

void ModuleBuilder::decorate(Id target, std::initializer_list<uint32_t> operands) {
  Words words = {target};
  words.insert(words.end(), operands);
  append(decorations_, spv::OpDecorate, words);
}

void ModuleBuilder::decorate_member(Id target, uint32_t member, std::initializer_list<uint32_t> operands) {
  Words words = {target, member};
  words.insert(words.end(), operands);
  append(decorations_, spv::OpMemberDecorate, words);
}

Words ModuleBuilder::finish(Id main, const uint32_t (&local_size)[3], std::vector<spv::Capability> capabilities) const {
  EntryPoint entry;
  entry.capabilities = std::move(capabilities);
  entry.modes = {{spv::ExecutionModeLocalSize, local_size[0], local_size[1], local_size[2]}};
  return finish(main, entry);
}

Words ModuleBuilder::finish(Id main, const EntryPoint& entry) const {
  constexpr uint32_t kVersion = 0x00010500;
  Words out = {spv::MagicNumber, kVersion, 0, next_id_, 0};
  append(out, spv::OpCapability, {spv::CapabilityShader});
  if (vulkan_memory_model_) {
    append(out, spv::OpCapability, {spv::CapabilityVulkanMemoryModel});
    append(out, spv::OpCapability, {spv::CapabilityVulkanMemoryModelDeviceScope});
  }
  if (subgroups_) append(out, spv::OpCapability, {spv::CapabilityGroupNonUniform});
  for (const spv::Capability capability : entry.capabilities) {
    append(out, spv::OpCapability, {static_cast<uint32_t>(capability)});
  }
  for (const std::string_view extension : entry.extensions) {
    Words name;
    append_string(name, extension);
    append(out, spv::OpExtension, name);
  }
  Words words = {kGlsl};
  append_string(words, "GLSL.std.450");
  append(out, spv::OpExtInstImport, words);
  const uint32_t model = vulkan_memory_model_ ? spv::MemoryModelVulkan : spv::MemoryModelGLSL450;
  const uint32_t addressing =
      entry.has_addresses ? spv::AddressingModelPhysicalStorageBuffer64 : spv::AddressingModelLogical;
  append(out, spv::OpMemoryModel, {addressing, model});
  words = {static_cast<uint32_t>(entry.model), main};
  append_string(words, "main");
  words.insert(words.end(), interface_.begin(), interface_.end());
  append(out, spv::OpEntryPoint, words);
  for (const Words& mode : entry.modes) {
    words = {main};
    words.insert(words.end(), mode.begin(), mode.end());
    append(out, spv::OpExecutionMode, words);
  }
  for (const Words* section : {&decorations_, &globals_, &functions_}) {
    out.insert(out.end(), section->begin(), section->end());
  }
  return out;
}

// ---- a function ----

FunctionBuilder::FunctionBuilder(ModuleBuilder& module, Id result_type, std::span<const Id> parameter_types)
    : module_(module), id_(module.new_id()), block_(module.new_id()) {
  append(head_, spv::OpFunction,
         {result_type, id_, spv::FunctionControlMaskNone, module.type_function(result_type, parameter_types)});
  for (const Id type : parameter_types) {
    parameters_.push_back(module.new_id());
    append(head_, spv::OpFunctionParameter, {type, parameters_.back()});
  }
  append(head_, spv::OpLabel, {block_});
}

Id FunctionBuilder::variable(Id type, Id initializer) {
  const Id id = module_.new_id();
  Words operands = {module_.type_pointer(spv::StorageClassFunction, type), id, spv::StorageClassFunction};
  if (initializer != 0) operands.push_back(initializer);
  append(variables_, spv::OpVariable, operands);
  return id;
}

Id FunctionBuilder::value(spv::Op op, Id type, std::span<const uint32_t> operands) {
  const Id id = module_.new_id();
  body_.push_back(static_cast<uint32_t>(operands.size() + 3) << 16 | static_cast<uint32_t>(op));
  body_.push_back(type);
  body_.push_back(id);
  body_.insert(body_.end(), operands.begin(), operands.end());
  ++instructions_;
  return id;
}

Id FunctionBuilder::glsl(uint32_t instruction, Id type, std::initializer_list<Id> operands) {
  Words words = {module_.glsl(), instruction};
  words.insert(words.end(), operands);
  return value(spv::OpExtInst, type, words);
}

void FunctionBuilder::statement(spv::Op op, std::span<const uint32_t> operands) {
  append(body_, op, operands);
  ++instructions_;
}

void FunctionBuilder::label(Id id) {
  append(body_, spv::OpLabel, {id});
  block_ = id;
}

FunctionBuilder::OpenPhi FunctionBuilder::open_phi(Id type, Id initial, Id block) {
  const Id id = value(spv::OpPhi, type, {initial, block, 0, 0});
  return {id, body_.size() - 2};
}

void FunctionBuilder::close_phi(const OpenPhi& phi, Id back_value, Id block) {
  body_[phi.at] = back_value;
  body_[phi.at + 1] = block;
}

void FunctionBuilder::finish() {
  append(body_, spv::OpFunctionEnd, {});
  module_.add_function(head_);
  module_.add_function(variables_);
  module_.add_function(body_);
}

}  // namespace spalt::random_programs
