// SPDX-License-Identifier: MIT
#include "variables.h"

#include <algorithm>

namespace spalt::litmus {
namespace {

using random_programs::Id;

uint32_t scope_word(Scope scope) {
  switch (scope) {
    case Scope::workgroup:
      return spv::ScopeWorkgroup;
    case Scope::queue_family:
      return spv::ScopeQueueFamily;
    case Scope::device:
      break;
  }
  return spv::ScopeDevice;
}

}  // namespace

uint32_t variable_offset(unsigned variable, const Cells& cells) {
  const uint32_t line = (1 + (variable == kBehindX ? 0 : variable)) * kLineWords * 4;
  return line + (variable == kBehindX ? cells.bytes() : 0);
}

bool touches_apart(const Program& program, const Variant& variant) {
  return program.has_order(Order::coherent) || variant.data.has_texels() || variant.flags.has_texels();
}

Id Variables::scope() {
  return number(scope_word(variant_.scope));
}

/// Memory behind addresses is that of buffers.
uint32_t Variables::storage_semantics() const {
  uint32_t storage = 0;
  for (const Kind* kind : {&data_, &flags_}) {
    storage |= kind->cells.has_texels() ? spv::MemorySemanticsImageMemoryMask : spv::MemorySemanticsUniformMemoryMask;
  }
  if (program_.uses_shared()) storage |= spv::MemorySemanticsWorkgroupMemoryMask;
  return storage;
}

// ---- declarations ----

void Variables::make_coherent(Id variable) {
  if (program_.has_order(Order::coherent)) module_.decorate(variable, {spv::DecorationCoherent});
}

Id Variables::declare_buffer(Id element, uint32_t bytes, uint32_t binding) {
  const Id block = module_.type_block({module_.type_runtime_array(element, bytes)}, {0}, true);
  return module_.buffer_variable(spv::StorageClassStorageBuffer, block, 0, binding);
}

Id Variables::image_type(const Cells& cells, Id texel) const {
  const spv::Dim dim = cells.memory == Memory::image ? spv::Dim2D : spv::DimBuffer;
  const spv::ImageFormat format = cells.bits == 8    ? spv::ImageFormatR8ui
                                  : cells.bits == 16 ? spv::ImageFormatR16ui
                                  : cells.bits == 32 ? spv::ImageFormatR32ui
                                                     : spv::ImageFormatR64ui;
  return module_.type_image(texel, dim, false, false, format);
}

void Variables::declare_kind(Kind& kind, const Cells& cells, uint32_t binding) {
  kind.cells = cells;
  kind.binding = binding;
  // What a texel becomes is no narrower.
  kind.type = module_.type_int(false, cells.has_texels() ? std::max<uint32_t>(cells.bits, 32) : cells.bits);
  if (program_.uses_shared()) {
    kind.shared = module_.variable(spv::StorageClassWorkgroup, module_.type_array(kind.type, kSharedVariables));
  }
  if (cells.has_address()) {
    kind.block = module_.type_block({module_.type_runtime_array(kind.type, cells.bytes())}, {0}, true);
    if (program_.has_order(Order::coherent)) module_.decorate_member(kind.block, 0, {spv::DecorationCoherent});
    return;
  }
  kind.memory = cells.has_texels() ? module_.buffer_variable(spv::StorageClassUniformConstant,
                                                             image_type(cells, kind.type), 0, binding)
                                   : declare_buffer(kind.type, cells.bytes(), binding);
  make_coherent(kind.memory);
}

void Variables::declare_touched() {
  if (!has_texels()) {
    touched_ = declare_buffer(u32_, 4, kTouchBinding);
    return;
  }
  const spv::Dim dim = is_used(Memory::image) ? spv::Dim2D : spv::DimBuffer;
  const Id type = module_.type_image(u32_, dim, false, false, spv::ImageFormatRg32ui);
  touched_ = module_.buffer_variable(spv::StorageClassUniformConstant, type, 0, kTouchBinding);
}

void Variables::declare_addresses() {
  u64_ = module_.type_int(false, 64);
  if (is_used(Memory::lane_address)) {
    addresses_ = declare_buffer(u64_, 8, kAddressBinding);
  } else {
    addresses_ = module_.variable(spv::StorageClassPushConstant, module_.type_block({u64_}, {0}, true));
  }
}

void Variables::declare() {
  u32_ = module_.type_int(false);
  declare_kind(data_, variant_.data, kDataBinding);
  if (variant_.data == variant_.flags) {
    flags_ = data_;
  } else {
    declare_kind(flags_, variant_.flags, kFlagBinding);
  }
  if (touches_apart(program_, variant_)) declare_touched();
  if (has_address()) declare_addresses();
}

void Variables::add_capabilities(random_programs::EntryPoint& entry) const {
  const auto add = [&](bool condition, spv::Capability capability) {
    if (condition) entry.capabilities.push_back(capability);
  };
  const bool narrow = !variant_.data.has_texels();
  add(narrow && has_bits(8), spv::CapabilityInt8);
  add(narrow && has_bits(8), spv::CapabilityStorageBuffer8BitAccess);
  add(narrow && has_bits(16), spv::CapabilityInt16);
  add(narrow && has_bits(16), spv::CapabilityStorageBuffer16BitAccess);
  add(has_bits(64) || has_address(), spv::CapabilityInt64);
  add(has_bits(64), spv::CapabilityInt64Atomics);
  add(has_address(), spv::CapabilityPhysicalStorageBufferAddresses);
  add(has_texels(), spv::CapabilityStorageImageExtendedFormats);
  add(is_used(Memory::texel_buffer), spv::CapabilityImageBuffer);
  const bool wide_texels = has_texels() && has_bits(64);
  add(wide_texels, spv::CapabilityInt64ImageEXT);
  if (wide_texels) entry.extensions.push_back("SPV_EXT_shader_image_int64");
  entry.has_addresses = has_address();
}

// ---- accesses ----

Id Variables::address(Id lane) {
  if (is_used(Memory::lane_address)) {
    const Id type = module_.type_pointer(spv::StorageClassStorageBuffer, u64_);
    const Id at = main_.value(spv::OpAccessChain, type, {addresses_, number(0), lane});
    return main_.value(spv::OpLoad, u64_, {at});
  }
  const Id type = module_.type_pointer(spv::StorageClassPushConstant, u64_);
  const Id at = main_.value(spv::OpAccessChain, type, {addresses_, number(0)});
  return main_.value(spv::OpLoad, u64_, {at});
}

void Variables::begin(Id lane) {
  if (!has_address()) return;
  const Id bits = address(lane);
  for (Kind* kind : {&data_, &flags_}) {
    if (!kind->cells.has_address()) continue;
    const Id type = module_.type_pointer(spv::StorageClassPhysicalStorageBuffer, kind->block);
    kind->memory = main_.value(spv::OpConvertUToPtr, type, {bits});
  }
}

Id Variables::constant(unsigned variable, uint32_t value) {
  const Kind& kind = kind_of(variable);
  return kind.cells.bits == 64 ? module_.constant64(kind.type, value) : module_.constant(kind.type, value);
}

/// Of the texel at a byte of the memory.
Id Variables::coordinates(const Cells& cells, uint32_t offset, uint32_t texel_bytes) {
  constexpr uint32_t kRowBytes = kLineWords * 4;
  if (cells.memory == Memory::texel_buffer) return number(offset / texel_bytes);
  const Id parts[] = {number(offset % kRowBytes / texel_bytes), number(offset / kRowBytes)};
  return module_.constant_composite(module_.type_vector(u32_, 2), parts);
}

/// A pointer to the cell at a byte of the memory, which is not that of texels.
Id Variables::element(const Kind& kind, uint32_t offset) {
  const bool physical = kind.cells.has_address();
  const auto storage = physical ? spv::StorageClassPhysicalStorageBuffer : spv::StorageClassStorageBuffer;
  const Id type = module_.type_pointer(storage, kind.type);
  return main_.value(spv::OpAccessChain, type, {kind.memory, number(0), number(offset / kind.cells.bytes())});
}

Id Variables::pointer(unsigned variable) {
  const Kind& kind = kind_of(variable);
  if (is_shared(variable)) {
    const Id type = module_.type_pointer(spv::StorageClassWorkgroup, kind.type);
    return main_.value(spv::OpAccessChain, type, {kind.shared, number(variable - kFirstShared)});
  }
  const uint32_t offset = variable_offset(variable, kind.cells);
  if (!kind.cells.has_texels()) return element(kind, offset);
  const Id type = module_.type_pointer(spv::StorageClassImage, kind.type);
  const Id texel = coordinates(kind.cells, offset, kind.cells.bytes());
  return main_.value(spv::OpImageTexelPointer, type, {kind.memory, texel, number(0)});
}

std::vector<uint32_t> Variables::operands_of(const Kind& kind, bool store, Order order) {
  uint32_t mask = 0;
  std::vector<uint32_t> operands;
  if (kind.cells.has_address()) {
    mask |= spv::MemoryAccessAlignedMask;
    operands.push_back(kind.cells.bytes());
  }
  if (vulkan()) mask |= spv::MemoryAccessNonPrivatePointerMask;
  if (order == Order::own) {
    mask |= store ? spv::MemoryAccessMakePointerAvailableMask : spv::MemoryAccessMakePointerVisibleMask;
    operands.push_back(scope());
  }
  if (mask != 0) operands.insert(operands.begin(), mask);
  return operands;
}

std::vector<uint32_t> Variables::texel_operands(bool store, Order order) {
  if (!vulkan()) return {};
  uint32_t mask = spv::ImageOperandsNonPrivateTexelMask;
  if (order != Order::own) return {mask};
  mask |= store ? spv::ImageOperandsMakeTexelAvailableMask : spv::ImageOperandsMakeTexelVisibleMask;
  return {mask, scope()};
}

Id Variables::load(unsigned variable, Order order) {
  const Kind& kind = kind_of(variable);
  if (is_shared(variable) || !kind.cells.has_texels()) {
    std::vector<uint32_t> words = operands_of(kind, false, order);
    words.insert(words.begin(), pointer(variable));
    return main_.value(spv::OpLoad, kind.type, words);
  }
  const Id image = main_.value(spv::OpLoad, image_type(kind.cells, kind.type), {kind.memory});
  std::vector<uint32_t> words = texel_operands(false, order);
  const Id texel = coordinates(kind.cells, variable_offset(variable, kind.cells), kind.cells.bytes());
  words.insert(words.begin(), {image, texel});
  const Id all = main_.value(spv::OpImageRead, module_.type_vector(kind.type, 4), words);
  return main_.value(spv::OpCompositeExtract, kind.type, {all, 0});
}

void Variables::store(unsigned variable, Id value, Order order) {
  const Kind& kind = kind_of(variable);
  if (is_shared(variable) || !kind.cells.has_texels()) {
    std::vector<uint32_t> words = operands_of(kind, true, order);
    words.insert(words.begin(), {pointer(variable), value});
    return main_.statement(spv::OpStore, words);
  }
  const Id image = main_.value(spv::OpLoad, image_type(kind.cells, kind.type), {kind.memory});
  std::vector<uint32_t> words = texel_operands(true, order);
  const Id texel = coordinates(kind.cells, variable_offset(variable, kind.cells), kind.cells.bytes());
  words.insert(words.begin(), {image, texel, value});
  main_.statement(spv::OpImageWrite, words);
}

Id Variables::touched(unsigned variable, uint32_t word) {
  const Kind& kind = kind_of(variable);
  const uint32_t offset = variable_offset(variable, kind.cells) + word * 4;
  if (touched_ == 0) {
    std::vector<uint32_t> words;
    if (kind.cells.has_address()) words = {spv::MemoryAccessAlignedMask, kind.cells.bytes()};
    words.insert(words.begin(), element(kind, offset));
    const Id value = main_.value(spv::OpLoad, kind.type, words);
    return kind.cells.bits == 32 ? value : main_.value(spv::OpUConvert, u32_, {value});
  }
  if (!has_texels()) {
    const Id type = module_.type_pointer(spv::StorageClassStorageBuffer, u32_);
    const Id at = main_.value(spv::OpAccessChain, type, {touched_, number(0), number(offset / 4)});
    return main_.value(spv::OpLoad, u32_, {at});
  }
  // The second word of a pair.
  const Cells shape{is_used(Memory::image) ? Memory::image : Memory::texel_buffer};
  const spv::Dim dim = shape.memory == Memory::image ? spv::Dim2D : spv::DimBuffer;
  const Id type = module_.type_image(u32_, dim, false, false, spv::ImageFormatRg32ui);
  const Id image = main_.value(spv::OpLoad, type, {touched_});
  const Id texel = coordinates(shape, offset, 8);
  const Id all = main_.value(spv::OpImageRead, module_.type_vector(u32_, 4), {image, texel});
  return main_.value(spv::OpCompositeExtract, u32_, {all, 1});
}

}  // namespace spalt::litmus
