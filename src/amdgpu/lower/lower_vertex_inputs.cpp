// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_vertex_inputs.h"

#include <charconv>
#include <string>

#include "ir/ballot.h"
#include "ir/export.h"

namespace spalt::lower {

using abi::EntryRole;
using abi::VertexAttribute;
using ir::BuiltIn;
using ir::Op;
using ir::Value;

namespace {
constexpr unsigned kLastComponent = 3;
}  // namespace

ShortName attribute_name(unsigned location, unsigned component) {
  ShortName name = "location_";
  char digits[10];
  name.append({digits, std::to_chars(std::begin(digits), std::end(digits), location).ptr});
  constexpr std::string_view kComponents[] = {"_x", "_y", "_z", "_w"};
  name.append(kComponents[component]);
  return name;
}

const VertexAttribute* find_attribute(const abi::GraphicsState& state, uint32_t location) {
  for (const VertexAttribute& attribute : state.attributes) {
    if (attribute.location == location) return &attribute;
  }
  return nullptr;
}

abi::GraphicsState default_graphics_state(const ir::Module& module) {
  constexpr uint32_t kByteColor = 37;  // R8G8B8A8_UNORM
  abi::GraphicsState state;
  for (abi::ColorTarget& target : state.targets) target.format = kByteColor;
  if (module.shader_stage() != ir::ShaderStage::vertex) return state;
  const ir::Function& function = module.functions[0];
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const ir::Inst& inst = function.inst(value);
      if (inst.op != Op::input) continue;
      const uint32_t location = ir::InterfaceAccess::unpack(inst.imm).number;
      if (location >= abi::kMaxVertexAttributes || find_attribute(state, location) != nullptr) continue;
      state.attributes.push_back(abi::derived_attribute(location, !inst.type.is_float()));
    }
  }
  return state;
}

// ---- what is read ----

Result<void> VertexInputFinder::visit(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::input) return visit_attribute(ir::InterfaceAccess::unpack(inst.imm), inst.type);
  if (inst.op == Op::builtin) visit_builtin(ir::builtin_of(inst.imm));
  return {};
}

void VertexInputFinder::visit_builtin(BuiltIn builtin) {
  switch (builtin) {
    case BuiltIn::vertex_index:
      needs_.vertex_id = needs_.base_vertex = true;
      break;
    case BuiltIn::instance_index:
      needs_.instance_id = needs_.base_instance = true;
      break;
    case BuiltIn::base_vertex:
      needs_.base_vertex = true;
      break;
    case BuiltIn::base_instance:
      needs_.base_instance = true;
      break;
    case BuiltIn::draw_index:
      needs_.draw_index = true;
      break;
    case BuiltIn::view_index:
      needs_.view_id = true;
      break;
    default:
      break;
  }
}

Result<void> VertexInputFinder::visit_attribute(const ir::InterfaceAccess& access, ir::Type type) {
  used_[access.number] |= static_cast<uint8_t>(1u << access.component);
  if (access.component == kLastComponent) integer_[access.number] = type.is_integer();
  if (config_.body_only) {
    // What a prolog may need. Registers are the same for all prologs.
    if (access.number < abi::kMaxVertexAttributes) needs_.vertex_buffers = needs_.base_vertex = true;
    return {};
  }
  const VertexAttribute* attribute = find_attribute(*config_.graphics, access.number);
  if (attribute == nullptr) return {};
  // In the most pieces, since attributes that tell more of the binding may follow.
  if (!abi::vertex_loads(*attribute, used_[access.number], 1, *config_.target)) {
    return Error{Status::unsupported, "the vertex attribute at location " + std::to_string(access.number) +
                                          " has format " + std::to_string(attribute->format) + " at offset " +
                                          std::to_string(attribute->offset) + ", which is not supported"};
  }
  needs_.vertex_buffers = true;
  if (!attribute->per_instance) {
    needs_.vertex_id = needs_.base_vertex = true;
  } else {
    needs_.base_instance = true;
    needs_.instance_id |= attribute->divisor != 0;
  }
  return {};
}

abi::VertexSeam VertexInputFinder::seam() const {
  abi::VertexSeam seam;
  for (unsigned location = 0; location < abi::kMaxVertexAttributes; ++location) {
    if (used_[location] == 0) continue;
    seam.reads.push_back({static_cast<uint8_t>(location), used_[location], integer_[location]});
  }
  return seam;
}

// ---- built-ins ----

Value VertexInputRewriter::user_value(const char* name, uint32_t content) {
  return entry_.whole(name, entry_.interface().user_register(content), ir::kI32);
}

Value VertexInputRewriter::vertex_index() {
  const Value id = entry_.field("vertex_id", EntryRole::vertex_id, 0xffffffff);
  const Value base = user_value("base_vertex", abi::kBaseVertex);
  return insert_.i(Op::iadd, {id, base});
}

Value VertexInputRewriter::instance_index() {
  const Value id = entry_.field("instance_id", EntryRole::instance_id, 0xffffffff);
  const Value base = user_value("base_instance", abi::kBaseInstance);
  return insert_.i(Op::iadd, {id, base});
}

// ---- attributes ----

/// Instances are counted without their base where several of them share an element.
Value VertexInputRewriter::index_of(const VertexAttribute& attribute) {
  const uint32_t divisor = attribute.per_instance ? attribute.divisor : 1;
  for (const Index& known : indices_) {
    if (known.per_instance == attribute.per_instance && known.divisor == divisor) return known.value;
  }
  Value value;
  if (!attribute.per_instance) {
    value = vertex_index();
  } else if (divisor == 0) {
    value = user_value("base_instance", abi::kBaseInstance);
  } else if (divisor == 1) {
    value = instance_index();
  } else {
    const Value id = entry_.field("instance_id", EntryRole::instance_id, 0xffffffff);
    const Value step = insert_.i(Op::udiv, {id, insert_.constant(divisor)});
    const Value base = user_value("base_instance", abi::kBaseInstance);
    value = insert_.i(Op::iadd, {step, base});
  }
  indices_.push_back({attribute.per_instance, divisor, value});
  return value;
}

Value VertexInputRewriter::descriptor_of(uint32_t binding) {
  for (const Descriptor& known : descriptors_) {
    if (known.binding == binding) return known.value;
  }
  const Value table = user_value("vertex_buffers", abi::kVertexBufferTable);
  const Value loaded =
      entry_.constant_load(ir::kI32.vector(4), table, insert_.constant(0), binding * abi::kBufferDescriptorBytes, 4);
  descriptors_.push_back({binding, loaded});
  return loaded;
}

void VertexInputRewriter::fetch(uint32_t location, const VertexAttribute& attribute) {
  const uint32_t alignment = abi::element_alignment(*config_.graphics, attribute.binding, used_);
  const abi::VertexLoads loads = *abi::vertex_loads(attribute, used_[location], alignment, *config_.target);
  const Value index = index_of(attribute);
  const Value descriptor = descriptor_of(attribute.binding);
  std::array<Value, 4> channels;
  for (const abi::VertexFetch& load : loads.fetches) {
    const Value element = insert_.i(Op::iadd, {index, insert_.constant(load.next)});
    ir::FetchAccess access;
    access.offset = load.offset;
    access.format = load.format;
    const ir::Type type = ir::kI32.vector(load.channels);
    const Value loaded = insert_.op(Op::fetch, type, {descriptor, element}, access.pack());
    for (unsigned i = 0; i < load.channels; ++i) {
      channels[load.first + i] = load.channels == 1 ? loaded : insert_.op(Op::extract, ir::kI32, {loaded}, i);
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    const texel::Select select = loads.swizzle[i];
    if (select < texel::Select::x || (used_[location] >> i & 1) == 0) continue;
    components_[location * 4 + i] = channels[static_cast<unsigned>(select) - static_cast<unsigned>(texel::Select::x)];
  }
}

void VertexInputRewriter::fetch_attributes(Value position) {
  insert_.before(position);
  for (uint32_t location = 0; location < used_.size(); ++location) {
    if (used_[location] == 0) continue;
    const VertexAttribute* attribute = find_attribute(*config_.graphics, location);
    if (attribute != nullptr) fetch(location, *attribute);
  }
}

void VertexInputRewriter::take_attributes(const abi::VertexSeam& seam, unsigned first_vgpr) {
  unsigned vgpr = first_vgpr;
  for (const abi::AttributeRead& read : seam.reads) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((read.components >> i & 1) == 0) continue;
      components_[read.location * 4u + i] = entry_.whole(attribute_name(read.location, i), isa::vgpr(vgpr++), ir::kI32);
    }
  }
}

/// What an attribute lacks is (0, 0, 0, 1), a number of the shader's type.
Value VertexInputRewriter::attribute(const ir::InterfaceAccess& access, ir::Type type) {
  ir::Function& function = insert_.function();
  const Value bits = components_[access.number * 4u + access.component];
  if (!bits.valid()) {
    const bool last = access.component == kLastComponent;
    if (!last || type.is_integer()) return function.constant(type, last ? 1 : 0);
    constexpr uint64_t kHalfOne = 0x3c00, kOne = 0x3f800000;
    return function.constant(type, type.bits() == 16 ? kHalfOne : kOne);
  }
  if (type == ir::kI32) return bits;
  if (type.is_integer()) return insert_.op(Op::trunc, type, {bits});
  const Value number = insert_.op(Op::bitcast, ir::kF32, {bits});
  return type == ir::kF32 ? number : insert_.op(Op::f_to_f, type, {number});
}

Value VertexInputRewriter::rewrite(const ir::Inst& inst) {
  if (inst.op == Op::ballot && (inst.imm & ir::kBallotDword) * 32 >= config_.wave_size) return insert_.constant(0);
  if (inst.op == Op::input) return attribute(ir::InterfaceAccess::unpack(inst.imm), inst.type);
  if (inst.op != Op::builtin) return Value();
  switch (ir::builtin_of(inst.imm)) {
    case BuiltIn::vertex_index:
      return vertex_index();
    case BuiltIn::instance_index:
      return instance_index();
    case BuiltIn::base_vertex:
      return user_value("base_vertex", abi::kBaseVertex);
    case BuiltIn::base_instance:
      return user_value("base_instance", abi::kBaseInstance);
    case BuiltIn::draw_index:
      return user_value("draw_index", abi::kDrawIndex);
    case BuiltIn::view_index:
      return user_value("view_id", abi::kViewId);
    case BuiltIn::subgroup_size:
      return insert_.constant(config_.wave_size);
    default:
      return Value();
  }
}

}  // namespace spalt::lower
