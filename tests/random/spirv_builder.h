// SPDX-License-Identifier: MIT
//
// Writes SPIR-V words. It knows the layout of a module and what must be unique in it (types, constants), and nothing of
// what makes a program valid.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <string_view>
#include <vector>

namespace spalt::random_programs {

using Id = uint32_t;
using Words = std::vector<uint32_t>;

/// Appends one instruction.
void append(Words& out, spv::Op op, std::span<const uint32_t> operands);
inline void append(Words& out, spv::Op op, std::initializer_list<uint32_t> operands) {
  append(out, op, std::span(operands.begin(), operands.size()));
}
/// A literal string: NUL terminated, padded to whole words.
void append_string(Words& out, std::string_view text);

/// What a module says of its only entry point, which is called main.
struct EntryPoint {
  spv::ExecutionModel model = spv::ExecutionModelGLCompute;
  std::vector<spv::Capability> capabilities;  ///< besides Shader
  std::vector<std::string_view> extensions;
  std::vector<Words> modes;    ///< operands of OpExecutionMode after the entry point
  bool has_addresses = false;  ///< of physical storage buffers
};

class ModuleBuilder {
 public:
  Id new_id() { return next_id_++; }

  // ---- types and constants, each made once ----
  Id type_void() { return unique(spv::OpTypeVoid, {}); }
  Id type_bool() { return unique(spv::OpTypeBool, {}); }
  Id type_int(bool is_signed, uint32_t bits = 32) { return unique(spv::OpTypeInt, {bits, is_signed ? 1u : 0u}); }
  Id type_float(uint32_t bits = 32) { return unique(spv::OpTypeFloat, {bits}); }
  Id type_vector(Id component, uint32_t size) { return unique(spv::OpTypeVector, {component, size}); }
  /// With stride 0, an array without layout.
  Id type_array(Id element, uint32_t length, uint32_t stride = 0);
  Id type_runtime_array(Id element, uint32_t stride);
  Id type_pair(Id member) { return unique(spv::OpTypeStruct, {member, member}); }
  Id type_pointer(spv::StorageClass storage, Id type) { return unique(spv::OpTypePointer, {storage, type}); }
  /// Of one sample, not a depth one, for a sampler or for loads and stores.
  Id type_image(Id sampled, spv::Dim dim, bool is_array, bool has_sampler, uint32_t format) {
    return unique(spv::OpTypeImage, {sampled, dim, 0, is_array ? 1u : 0u, 0, has_sampler ? 1u : 2u, format});
  }
  Id type_sampled_image(Id image) { return unique(spv::OpTypeSampledImage, {image}); }
  Id type_function(Id result, std::span<const Id> parameters);
  /// A struct of its own, with these byte offsets.
  Id type_block(std::span<const Id> members, std::span<const uint32_t> offsets, bool is_block);
  Id type_block(std::initializer_list<Id> members, std::initializer_list<uint32_t> offsets, bool is_block) {
    return type_block(std::span(members.begin(), members.size()), std::span(offsets.begin(), offsets.size()), is_block);
  }

  Id constant(Id type, uint32_t value) { return unique(spv::OpConstant, {type, value}, true); }
  Id constant64(Id type, uint64_t value) {
    return unique(spv::OpConstant, {type, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)}, true);
  }
  Id spec_constant(Id type, uint32_t value, uint32_t number);
  Id constant_bool(bool value);
  Id constant_composite(Id type, std::span<const Id> parts);
  Id constant_null(Id type) { return unique(spv::OpConstantNull, {type}, true); }

  // ---- everything else at module level ----
  /// A global variable, of the interface too; initializer 0 for none.
  Id variable(spv::StorageClass storage, Id type, Id initializer = 0);
  Id builtin_variable(spv::BuiltIn builtin, Id type, spv::StorageClass storage = spv::StorageClassInput);
  Id buffer_variable(spv::StorageClass storage, Id type, uint32_t set, uint32_t binding);
  void decorate(Id target, std::initializer_list<uint32_t> operands);
  void decorate_member(Id target, uint32_t member, std::initializer_list<uint32_t> operands);
  void add_function(const Words& words) { functions_.insert(functions_.end(), words.begin(), words.end()); }
  Id glsl() const { return kGlsl; }

  /// Instead of the GLSL450 one.
  void use_vulkan_memory_model() { vulkan_memory_model_ = true; }
  /// For subgroup built-ins.
  void use_subgroups() { subgroups_ = true; }
  Words finish(Id main, const EntryPoint& entry) const;
  /// Of a compute shader.
  Words finish(Id main, const uint32_t (&local_size)[3], std::vector<spv::Capability> capabilities = {}) const;

 private:
  static constexpr Id kGlsl = 1;

  Id unique(spv::Op op, std::initializer_list<uint32_t> operands, bool has_type = false) {
    return unique(op, std::span(operands.begin(), operands.size()), has_type, 0);
  }
  /// `tag` tells apart what differs in decorations alone.
  Id unique(spv::Op op, std::span<const uint32_t> operands, bool has_type, uint32_t tag);

  Id next_id_ = kGlsl + 1;
  bool vulkan_memory_model_ = false, subgroups_ = false;
  std::map<Words, Id> unique_;
  Words decorations_, globals_, functions_;
  std::vector<Id> interface_;
};

/// One function. Variables may be asked for at any time; they go to the start of the first block.
class FunctionBuilder {
 public:
  FunctionBuilder(ModuleBuilder& module, Id result_type, std::span<const Id> parameter_types);

  Id id() const { return id_; }
  Id parameter(size_t index) const { return parameters_[index]; }
  Id variable(Id type, Id initializer = 0);

  /// An instruction with a result.
  Id value(spv::Op op, Id type, std::span<const uint32_t> operands);
  Id value(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return value(op, type, std::span(operands.begin(), operands.size()));
  }
  Id glsl(uint32_t instruction, Id type, std::initializer_list<Id> operands);
  /// An instruction without one.
  void statement(spv::Op op, std::span<const uint32_t> operands);
  void statement(spv::Op op, std::initializer_list<uint32_t> operands) {
    statement(op, std::span(operands.begin(), operands.size()));
  }
  void label(Id id);
  Id current_block() const { return block_; }

  /// A phi of a loop header, whose value and block for the back edge become known later.
  struct OpenPhi {
    Id id;
    size_t at;
  };
  OpenPhi open_phi(Id type, Id value, Id block);
  void close_phi(const OpenPhi& phi, Id value, Id block);

  size_t instruction_count() const { return instructions_; }
  void finish();

 private:
  ModuleBuilder& module_;
  Id id_;
  Id block_;
  size_t instructions_ = 0;
  std::vector<Id> parameters_;
  Words head_, variables_, body_;
};

}  // namespace spalt::random_programs
