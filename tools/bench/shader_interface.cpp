// SPDX-License-Identifier: MIT
#include "shader_interface.h"

#include <algorithm>
#include <map>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>

namespace spalt::bench {
namespace {

constexpr size_t kHeaderWords = 5;

struct Decorations {
  uint32_t set = 0;
  uint32_t binding = 0;
  bool buffer_block = false;
};

class Reader {
 public:
  ShaderInterface read(std::span<const uint32_t> words) {
    if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) throw std::runtime_error("not SPIR-V");
    for (size_t at = kHeaderWords; at < words.size();) {
      const size_t length = words[at] >> spv::WordCountShift;
      if (length == 0 || length > words.size() - at) throw std::runtime_error("instruction of a wrong length");
      instruction(static_cast<spv::Op>(words[at] & spv::OpCodeMask), words.subspan(at, length));
      at += length;
    }
    for (const auto& variable : variables_) add_variable(variable);
    return interface_;
  }

 private:
  using Words = std::span<const uint32_t>;

  static uint32_t word(Words words, size_t index) {
    if (index >= words.size()) throw std::runtime_error("instruction with missing operands");
    return words[index];
  }

  void instruction(spv::Op op, Words words) {
    switch (op) {
      case spv::Op::OpEntryPoint:
        return entry_point(words);
      case spv::Op::OpDecorate:
        return decorate(words);
      case spv::Op::OpConstant:
      case spv::Op::OpSpecConstant:
        constants_[word(words, 2)] = word(words, 3);
        return;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray:
      case spv::Op::OpTypeStruct:
      case spv::Op::OpTypePointer:
      case spv::Op::OpTypeImage:
      case spv::Op::OpTypeSampler:
      case spv::Op::OpTypeSampledImage:
        types_[word(words, 1)] = words;
        return;
      case spv::Op::OpVariable:
        variables_.push_back(words);
        return;
      default:
        return;
    }
  }

  void entry_point(Words words) {
    if (!interface_.entry_point.empty()) return;
    for (size_t i = 3; i < words.size(); ++i) {
      for (uint32_t bits = words[i], byte = 0; byte < 4; ++byte, bits >>= 8) {
        const char c = static_cast<char>(bits & 0xff);
        if (c == 0) return;
        interface_.entry_point.push_back(c);
      }
    }
  }

  void decorate(Words words) {
    Decorations& target = decorations_[word(words, 1)];
    switch (static_cast<spv::Decoration>(word(words, 2))) {
      case spv::Decoration::DescriptorSet:
        target.set = word(words, 3);
        return;
      case spv::Decoration::Binding:
        target.binding = word(words, 3);
        return;
      case spv::Decoration::BufferBlock:
        target.buffer_block = true;
        return;
      default:
        return;
    }
  }

  Words type(uint32_t id) const {
    const auto found = types_.find(id);
    if (found == types_.end()) throw std::runtime_error("a resource of an unknown type");
    return found->second;
  }

  void add_variable(Words variable) {
    const auto storage = static_cast<spv::StorageClass>(word(variable, 3));
    if (storage == spv::StorageClass::PushConstant) interface_.has_push_constants = true;
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform &&
        storage != spv::StorageClass::UniformConstant)
      return;
    const Decorations& place = decorations_[word(variable, 2)];
    Binding binding{place.set, place.binding, 1, {}};
    uint32_t id = word(type(word(variable, 1)), 3);
    // Bounded: the types of a module that breaks the rules may refer to each other in a circle.
    for (size_t depth = 0; is_array(type(id)); ++depth) {
      if (depth > types_.size()) throw std::runtime_error("a type that contains itself");
      binding.count *= opcode(type(id)) == spv::Op::OpTypeArray ? constants_[word(type(id), 3)] : kUnsizedArrayCount;
      id = word(type(id), 2);
    }
    binding.kind = kind_of(id, storage);
    add_binding(interface_.bindings, binding);
  }

  static spv::Op opcode(Words t) { return static_cast<spv::Op>(t[0] & spv::OpCodeMask); }

  static bool is_array(Words t) {
    return opcode(t) == spv::Op::OpTypeArray || opcode(t) == spv::Op::OpTypeRuntimeArray;
  }

  DescriptorKind kind_of(uint32_t id, spv::StorageClass storage) {
    switch (opcode(type(id))) {
      case spv::Op::OpTypeStruct:
        return storage == spv::StorageClass::Uniform && !decorations_[id].buffer_block ? DescriptorKind::UniformBuffer
                                                                                       : DescriptorKind::StorageBuffer;
      case spv::Op::OpTypeSampler:
        return DescriptorKind::Sampler;
      case spv::Op::OpTypeSampledImage:
        return is_buffer(type(word(type(id), 2))) ? DescriptorKind::UniformTexelBuffer
                                                  : DescriptorKind::CombinedImageSampler;
      case spv::Op::OpTypeImage:
        return image_kind(type(id));
      default:
        throw std::runtime_error("a resource of an unknown type");
    }
  }

  static bool is_buffer(Words image) { return static_cast<spv::Dim>(word(image, 3)) == spv::Dim::Buffer; }

  static DescriptorKind image_kind(Words image) {
    if (static_cast<spv::Dim>(word(image, 3)) == spv::Dim::SubpassData) return DescriptorKind::InputAttachment;
    const bool storage = word(image, 7) == 2;  // "Sampled": 1 is used with a sampler, 2 without one
    if (is_buffer(image)) return storage ? DescriptorKind::StorageTexelBuffer : DescriptorKind::UniformTexelBuffer;
    return storage ? DescriptorKind::StorageImage : DescriptorKind::SampledImage;
  }

  ShaderInterface interface_;
  std::map<uint32_t, Words> types_;
  std::map<uint32_t, uint32_t> constants_;
  std::map<uint32_t, Decorations> decorations_;
  std::vector<Words> variables_;
};

}  // namespace

void add_binding(std::vector<Binding>& bindings, const Binding& binding) {
  for (Binding& other : bindings) {
    if (other.set != binding.set || other.binding != binding.binding) continue;
    other.count = std::max(other.count, binding.count);
    if ((other.kind == DescriptorKind::Sampler) != (binding.kind == DescriptorKind::Sampler)) {
      other.kind = DescriptorKind::CombinedImageSampler;
    }
    return;
  }
  bindings.push_back(binding);
}

ShaderInterface read_interface(std::span<const uint32_t> words) {
  return Reader().read(words);
}

}  // namespace spalt::bench
