// SPDX-License-Identifier: MIT
// Module-scope variables: buffers, push constants, workgroup memory, built-ins.
#include <algorithm>
#include <numeric>
#include <spirv/unified1/spirv.hpp>
#include <tuple>

#include "base/bits.h"
#include "ir/names.h"
#include "spirv/image/image.h"
#include "spirv/io/io.h"
#include "spirv/memory/memory.h"
#include "spirv/module/names.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {
namespace {

/// The block type inside arrays of descriptors.
uint32_t block_type(const Reader& r, uint32_t type) {
  while (r.types[type].kind == TypeKind::array || r.types[type].kind == TypeKind::runtime_array) {
    type = r.types[type].element;
  }
  return type;
}

uint32_t descriptor_count(const Reader& r, uint32_t type) {
  uint64_t count = 1;
  for (; r.types[type].kind == TypeKind::array; type = r.types[type].element) {
    count = std::min<uint64_t>(count * r.types[type].count, kNone);
  }
  return r.types[type].kind == TypeKind::runtime_array ? 0 : static_cast<uint32_t>(count);
}

bool all_non_writable(const Reader& r, const TypeInfo& block) {
  for (uint32_t i = 0; i < block.count; ++i) {
    if (!r.types.member(block, i).non_writable) return false;
  }
  return block.count != 0;
}

/// Whether the buffer is said to be reached in one way only: the variable or, as glslang has it, each member.
bool is_restricted(const Reader& r, const Variable& variable) {
  const TypeInfo& block = r.types[block_type(r, variable.type)];
  uint32_t members = 0;
  r.decorations.for_each(block.id, [&members](const Decoration& decoration, uint32_t member) {
    if (decoration.kind == spv::DecorationRestrict && member != kNone) ++members;
  });
  return r.decorations.has(variable.id, spv::DecorationRestrict) || (block.count != 0 && members >= block.count);
}

bool is_storage_buffer(const Reader& r, const Variable& variable) {
  return variable.storage_class == spv::StorageClassStorageBuffer || r.types[block_type(r, variable.type)].buffer_block;
}

bool buffer_pointer(Reader& r, Variable& variable, Pointer& pointer) {
  const TypeInfo& block = r.types[block_type(r, variable.type)];
  if (block.kind != TypeKind::structure || !(block.block || block.buffer_block)) {
    return r.fail(concat("expected variable ", variable.id, " to be a struct decorated Block"));
  }
  // A uniform buffer at the place of a storage buffer is memory that somebody may write.
  const bool storage = is_storage_buffer(r, variable) || variable.shares_storage;
  const uint16_t flags = r.ids[variable.id].flags;
  const bool non_writable = (flags & kIdNonWritable) != 0;
  pointer.root = storage ? PointerRoot::storage : PointerRoot::uniform;
  pointer.is_explicit = true;
  // Without the Aliased decoration, buffers may be taken not to overlap (SPIR-V, "Aliasing"); two variables with one
  // binding do overlap. An address may lead into any buffer that is not said to be reached in one way only.
  variable.aliased = variable.aliased || (flags & kIdAliased) != 0;
  variable.addressed = r.has_addresses && !is_restricted(r, variable);
  if (!storage || (non_writable && !variable.may_be_shared())) pointer.access |= ir::kReadOnly;
  return add_binding(r, variable, storage ? ir::BindingKind::storage_buffer : ir::BindingKind::uniform_buffer,
                     !storage || non_writable || (!r.has_untyped_pointers && all_non_writable(r, block)), pointer);
}

/// Notes that workgroup memory from `begin` on is zero at first. Variables come one after another, or, where
/// they are aliased, all at 0; what lies between two of them is nobody's.
void add_zeroed(Reader& r, uint32_t begin, uint32_t bytes) {
  Vector<ir::SharedRange>& ranges = r.module.zeroed_shared;
  if (ranges.empty() || begin > align_up(ranges.back().begin + ranges.back().bytes, 16)) {
    ranges.push_back({begin, bytes});
  } else {
    ir::SharedRange& last = ranges.back();
    const uint32_t end = std::max(last.begin + last.bytes, begin + bytes);
    last.begin = std::min(last.begin, begin);
    last.bytes = end - last.begin;
  }
}

bool shared_pointer(Reader& r, Variable& variable, Pointer& pointer) {
  const TypeInfo& type = r.types[variable.type];
  pointer.root = PointerRoot::shared;
  pointer.is_explicit = type.block;
  pointer.align_log2 = 4;
  uint64_t bytes = align_up(uint64_t{type.dense_bytes}, 4);
  // All blocks overlap that are decorated so, at the start of the memory.
  const bool aliased = type.block && (r.ids[variable.id].flags & kIdAliased) != 0;
  if (type.block) bytes = type.bytes;
  if (bytes == 0 || (!type.block && type.leaves == 0)) return r.fail("a workgroup variable without a size");
  const uint64_t begin = aliased ? 0 : align_up(r.module.shared_bytes, 16);
  if (begin + bytes > r.options.limits.shared_bytes) {
    return r.fail(Status::limit_exceeded,
                  concat("more than ", r.options.limits.shared_bytes, " bytes of workgroup memory"));
  }
  pointer.offset = variable.memory_begin = static_cast<uint32_t>(begin);
  r.module.shared_bytes = std::max(r.module.shared_bytes, static_cast<uint32_t>(begin + bytes));
  uint32_t zeroed = variable.initializer != 0 ? static_cast<uint32_t>(bytes) : 0;
  // They share their memory with those that the shader does not touch as well.
  if (aliased) zeroed = std::min(static_cast<uint32_t>(bytes), r.zeroed_block_bytes);
  if (zeroed != 0) add_zeroed(r, variable.memory_begin, zeroed);
  return true;
}

bool push_pointer(Reader& r, const Variable& variable, Pointer& pointer) {
  const TypeInfo& block = r.types[variable.type];
  if (block.kind != TypeKind::structure || !block.block)
    return r.fail("expected push constants to be a struct decorated Block");
  pointer.root = PointerRoot::push;
  pointer.is_explicit = true;
  pointer.access |= ir::kReadOnly;
  r.module.push_constant_bytes = std::max(r.module.push_constant_bytes, block.bytes);
  return true;
}

struct BuiltInRow {
  uint32_t spirv;
  ir::BuiltIn built_in;
};
constexpr BuiltInRow kBuiltInRows[] = {
    {spv::BuiltInWorkgroupId, ir::BuiltIn::workgroup_id},
    {spv::BuiltInNumWorkgroups, ir::BuiltIn::num_workgroups},
    {spv::BuiltInLocalInvocationId, ir::BuiltIn::local_invocation_id},
    {spv::BuiltInLocalInvocationIndex, ir::BuiltIn::local_invocation_index},
    {spv::BuiltInGlobalInvocationId, ir::BuiltIn::global_invocation_id},
    {spv::BuiltInSubgroupSize, ir::BuiltIn::subgroup_size},
    {spv::BuiltInSubgroupLocalInvocationId, ir::BuiltIn::subgroup_invocation_id},
    {spv::BuiltInSubgroupId, ir::BuiltIn::subgroup_id},
    {spv::BuiltInNumSubgroups, ir::BuiltIn::num_subgroups},
    {spv::BuiltInVertexIndex, ir::BuiltIn::vertex_index},
    {spv::BuiltInInstanceIndex, ir::BuiltIn::instance_index},
    {spv::BuiltInBaseVertex, ir::BuiltIn::base_vertex},
    {spv::BuiltInBaseInstance, ir::BuiltIn::base_instance},
    {spv::BuiltInDrawIndex, ir::BuiltIn::draw_index},
    {spv::BuiltInViewIndex, ir::BuiltIn::view_index},
    {spv::BuiltInFragCoord, ir::BuiltIn::frag_coord},
    {spv::BuiltInFrontFacing, ir::BuiltIn::front_facing},
    {spv::BuiltInPointCoord, ir::BuiltIn::point_coord},
    {spv::BuiltInSampleId, ir::BuiltIn::sample_id},
    {spv::BuiltInSamplePosition, ir::BuiltIn::sample_position},
    {spv::BuiltInSampleMask, ir::BuiltIn::sample_mask_in},
    {spv::BuiltInPrimitiveId, ir::BuiltIn::primitive_id},
    {spv::BuiltInLayer, ir::BuiltIn::layer},
    {spv::BuiltInViewportIndex, ir::BuiltIn::viewport_index},
};

const BuiltInRow* find_row(uint32_t built_in) {
  for (const BuiltInRow& row : kBuiltInRows) {
    if (row.spirv == built_in) return &row;
  }
  return nullptr;
}

bool make_pointer(Reader& r, Variable& variable, Pointer& pointer) {
  ir::BuiltIn built_in{};
  switch (variable.storage_class) {
    case spv::StorageClassPrivate:
      return r.types[variable.type].is_value() || r.unsupported("a private variable of this type");
    case spv::StorageClassOutput:
      return is_stage_variable(variable) ||
             r.fail(concat("output variable ", variable.id, " is not in the interface of the entry point"));
    case spv::StorageClassInput:
      if (is_stage_variable(variable)) return true;
      pointer.root = PointerRoot::input;
      return find_built_in(r, variable, built_in);
    case spv::StorageClassUniform:
    case spv::StorageClassStorageBuffer:
      return buffer_pointer(r, variable, pointer);
    case spv::StorageClassUniformConstant:
      return handle_pointer(r, variable, pointer);
    case spv::StorageClassWorkgroup:
      return shared_pointer(r, variable, pointer);
    case spv::StorageClassPushConstant:
      return push_pointer(r, variable, pointer);
    default:
      return r.unsupported("storage class " + storage_class_name(variable.storage_class));
  }
}

/// The instructions that name a descriptor of the binding.
void make_resources(Reader& r, uint32_t binding, ir::Value element, uint16_t flags, ir::Value& resource,
                    ir::Value& sampler) {
  const ir::BindingKind kind = r.bindings[binding].kind;
  const ir::Value operands[] = {element};
  const auto make = [&](ir::Op op) {
    const ir::Value value = r.b.insert(op, ir::kResource, operands, binding, flags);
    r.resources.push_back(value);
    return value;
  };
  if (kind != ir::BindingKind::sampler) resource = make(ir::Op::resource);
  if (kind == ir::BindingKind::sampler || kind == ir::BindingKind::combined) sampler = make(ir::Op::sampler);
}

}  // namespace

void move_to_entry(Reader& r) {
  const ir::Value first = r.function().block(r.entry_block).first;
  if (first.valid()) {
    r.b.set_before(first);
  } else {
    r.b.set_end(r.entry_block);
  }
}

Reader::BufferElement& constant_resource(Reader& r, uint32_t binding, uint32_t element) {
  Reader::BufferElement& made = r.constant_resources[binding];
  if (made.element == element) return made;
  const ir::BlockId block = r.b.block();
  move_to_entry(r);
  made = {};
  made.element = element;
  make_resources(r, binding, r.b.i32(element), 0, made.resource, made.sampler);
  r.b.set_end(block);
  return made;
}

bool add_binding(Reader& r, Variable& variable, ir::BindingKind kind, bool read_only, Pointer& pointer) {
  ir::Binding binding;
  binding.set = variable.set;
  binding.binding = variable.slot;
  if (binding.set == kNone || binding.binding == kNone) {
    return r.fail(concat("variable ", variable.id, " has no DescriptorSet or Binding decoration"));
  }
  binding.count = descriptor_count(r, variable.type);
  binding.kind = kind;
  binding.read_only = read_only;
  binding.aliased = variable.aliased;
  binding.addressed = variable.addressed;
  variable.binding = static_cast<uint32_t>(r.bindings.size());
  r.bindings.push_back(binding);
  r.binding_access.push_back(pointer.access);
  r.constant_resources.push_back({});
  const TypeKind outer = r.types[variable.type].kind;
  pointer.whole_resource = outer == TypeKind::array || outer == TypeKind::runtime_array;
  if (!pointer.whole_resource) choose_resource(r, pointer, false);
  return true;
}

bool bind_global(Reader& r, uint32_t id) {
  Variable& variable = r.variables[r.ids[id].index];
  Pointer pointer;
  pointer.type = variable.type;
  pointer.variable = r.ids[id].index;
  const uint16_t flags = r.ids[id].flags;
  if ((flags & kIdCoherent) != 0) pointer.access |= ir::kCoherent;
  if ((flags & kIdVolatile) != 0) pointer.access |= ir::kVolatile;
  if (!make_pointer(r, variable, pointer)) return false;
  if (variable.untyped && !pointer.whole_resource) pointer.type = r.untyped_memory;
  return r.bind(id, pointer);
}

void choose_resource(Reader& r, Pointer& pointer, bool non_uniform) {
  const uint32_t binding = r.variables[pointer.variable].binding;
  ir::Builder& b = r.b;
  pointer.whole_resource = false;
  if (pointer.element_dynamic.valid()) {
    const ir::Value element = b.iadd(pointer.element_dynamic, b.i32(pointer.element));
    const uint16_t flags = non_uniform ? uint16_t{ir::kNonUniform} : uint16_t{0};
    make_resources(r, binding, element, flags, pointer.resource, pointer.sampler);
    return;
  }
  const Reader::BufferElement& made = constant_resource(r, binding, pointer.element);
  pointer.resource = made.resource;
  pointer.sampler = made.sampler;
}

bool find_built_in(Reader& r, const Variable& variable, ir::BuiltIn& out) {
  if (variable.built_in == kNone) return r.fail(concat("input variable ", variable.id, " is not a built-in"));
  ir::Type wanted = ir::kI32;
  uint32_t components = 1;
  if (is_subgroup_mask(variable.built_in)) {
    components = 4;  // no IR built-in: see input_value
  } else if (variable.built_in == spv::BuiltInHelperInvocation) {
    wanted = ir::kBool;
  } else if (variable.built_in != spv::BuiltInDeviceIndex) {
    const BuiltInRow* row = find_row(variable.built_in);
    if (row == nullptr || !ir::builtin_info(row->built_in).in(r.options.stage)) {
      return r.unsupported(concat("built-in ", built_in_name(variable.built_in), " in a ",
                                  ir::shader_stage_name(r.options.stage), " shader"));
    }
    out = row->built_in;
    wanted = ir::builtin_info(out).type;
    components = ir::builtin_info(out).components;
  }
  const TypeInfo& type = r.types[variable.type];
  const bool is_array = variable.built_in == spv::BuiltInSampleMask;  // of one dword
  const bool shape = is_array ? type.kind == TypeKind::array : type.is_scalar_or_vector();
  if (shape && type.scalar == wanted.scalar && type.leaves == components) return true;
  return r.fail(concat("expected built-in ", built_in_name(variable.built_in), " to have ", components, " ",
                       ir::type_name(wanted), " components"));
}

ir::Value built_in_value(Reader& r, ir::BuiltIn built_in, unsigned component) {
  const size_t slot = static_cast<size_t>(built_in) * 4 + component;
  if (r.built_in_values.size() <= slot) r.built_in_values.resize(slot + 1);
  ir::Value& value = r.built_in_values[slot];
  if (value.valid()) return value;
  const ir::BlockId block = r.b.block();
  move_to_entry(r);
  value = r.b.insert(ir::Op::builtin, ir::builtin_info(built_in).type, {}, ir::builtin_imm(built_in, component), 0);
  r.b.set_end(block);
  return value;
}

ir::Value input_value(Reader& r, const Variable& variable, unsigned component) {
  if (variable.built_in == spv::BuiltInDeviceIndex) return r.b.i32(0);  // a device group has one device
  if (is_subgroup_mask(variable.built_in)) return subgroup_mask_value(r, variable.built_in, component);
  if (variable.built_in == spv::BuiltInHelperInvocation) return r.b.insert(ir::Op::is_helper, ir::kBool, {}, 0, 0);
  ir::BuiltIn built_in{};
  find_built_in(r, variable, built_in);
  return built_in_value(r, built_in, component);
}

void find_aliased_bindings(Reader& r) {
  struct Place {
    uint64_t key;
    uint32_t variable;
    auto operator<=>(const Place&) const = default;
  };
  Vector<Place> places(r.context.scratch);
  for (uint32_t v = 0; v < r.global_count; ++v) {
    const Variable& variable = r.variables[v];
    const bool has_binding = variable.storage_class == spv::StorageClassUniform ||
                             variable.storage_class == spv::StorageClassStorageBuffer ||
                             variable.storage_class == spv::StorageClassUniformConstant;
    if (!has_binding) continue;
    places.push_back({uint64_t{variable.set} << 32 | variable.slot, v});
  }
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i].key != places[i - 1].key) continue;
    r.variables[places[i].variable].aliased = true;
    r.variables[places[i - 1].variable].aliased = true;
  }
  // Of the variables at one place, uniform buffers are the memory of storage buffers.
  for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    bool storage = false;
    for (end = begin; end < places.size() && places[end].key == places[begin].key; ++end) {
      storage |= is_storage_buffer(r, r.variables[places[end].variable]);
    }
    for (size_t i = begin; i < end; ++i) r.variables[places[i].variable].shares_storage = storage;
  }
}

bool finish_bindings(Reader& r) {
  const Vector<ir::Binding>& found = r.bindings;
  Vector<uint32_t> order(r.context.scratch, found.size()), renumbered(r.context.scratch, found.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&found](uint32_t a, uint32_t b) {
    return std::tuple(found[a].set, found[a].binding, found[a].kind, a) <
           std::tuple(found[b].set, found[b].binding, found[b].kind, b);
  });
  Vector<ir::Binding>& bindings = r.module.bindings;
  bindings.reserve(found.size());
  for (const uint32_t index : order) {
    const ir::Binding& next = found[index];
    const bool known = !bindings.empty() && bindings.back().set == next.set &&
                       bindings.back().binding == next.binding && bindings.back().kind == next.kind;
    if (!known) {
      bindings.push_back(next);
    } else {
      ir::Binding& same = bindings.back();
      same.read_only = same.read_only && next.read_only;
      same.aliased = same.aliased || next.aliased;
      same.addressed = same.addressed || next.addressed;
      same.count = same.count == 0 || next.count == 0 ? 0 : std::max(same.count, next.count);
    }
    renumbered[index] = static_cast<uint32_t>(bindings.size() - 1);
  }
  for (const ir::Value value : r.resources) r.function().inst(value).imm = renumbered[r.function().inst(value).imm];
  return true;
}

}  // namespace spalt::spirv
