// SPDX-License-Identifier: MIT
//
// The frame of a program: interface, functions, data.
#include "generator.h"

#include <algorithm>
#include <stdexcept>

#include "wide_layout.h"

namespace spalt::random_programs {
namespace {

constexpr uint32_t kLocalSizes[][3] = {{64, 1, 1}, {32, 1, 1}, {8, 8, 1}, {16, 4, 1}, {48, 1, 1}, {5, 7, 1},
                                       {1, 1, 1},  {96, 1, 1}, {4, 4, 8}, {3, 3, 3},  {100, 1, 1}};
constexpr std::array<uint32_t, 3> kGroups[] = {{2, 1, 1}, {1, 2, 1}, {1, 1, 1}, {3, 1, 1}};
constexpr uint32_t kLengths[] = {2, 3, 4, 5, 8, 16};
/// Of Form::careful: as many as llvmpipe has in a subgroup.
constexpr uint32_t kLaneDistance = 8;

// ---- data ----

uint32_t data_word(Rng& rng) {
  const uint32_t kind = rng.below(4);
  if (kind == 0) return rng.below(16);
  if (kind == 1) return 0u - rng.below(16);
  return kind == 2 ? 1u << rng.below(32) : rng.word();
}

std::vector<uint32_t> random_words(Rng& rng, size_t count) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = data_word(rng);
  return words;
}

std::array<uint32_t, 3> local_size_of(const Words& words) {
  for (size_t at = 5; at < words.size();) {
    const uint32_t length = words[at] >> 16, op = words[at] & 0xffff;
    if (length == 0) break;
    if (op == spv::OpExecutionMode && length == 6) return {words[at + 3], words[at + 4], words[at + 5]};
    at += length;
  }
  throw std::runtime_error("the module has no local size");
}

}  // namespace

// ---- interface ----

void declare_buffers(Shared& s) {
  ModuleBuilder& m = s.module;
  const Id uint_type = s.type(kUint), int_type = s.type(kInt);
  const Id words = m.type_runtime_array(uint_type, 4);
  const auto storage = spv::StorageClassStorageBuffer;

  const Id input = m.type_block({s.type({Base::Uint, 4}), words}, {0, kInputOffset}, true);
  m.decorate_member(input, 0, {spv::DecorationNonWritable});
  m.decorate_member(input, 1, {spv::DecorationNonWritable});
  s.input = m.buffer_variable(storage, input, 0, 0);
  s.output = m.buffer_variable(storage, m.type_block({words}, {0}, true), 0, 1);
  const Id atomics = m.type_block({m.type_array(uint_type, 8, 4), m.type_array(int_type, 4, 4)}, {0, 32}, true);
  s.atomics = m.buffer_variable(storage, atomics, 0, 2);

  const Id pair = m.type_block({int_type, s.type({Base::Uint, 3})}, {0, 16}, false);
  const Id uniforms = m.type_block({m.type_array(uint_type, 8, 16), s.type({Base::Int, 4}), m.type_array(pair, 4, 32)},
                                   {0, 128, 144}, true);
  s.uniforms = m.buffer_variable(spv::StorageClassUniform, uniforms, 0, 3);

  const Id record =
      m.type_block({s.type({Base::Int, 3}), int_type, m.type_array(int_type, 4, 4), s.type({Base::Uint, 2})},
                   {0, 12, 16, 32}, false);
  const Id records = m.type_block({m.type_runtime_array(record, kRecordBytes)}, {0}, true);
  s.records = m.buffer_variable(storage, records, 1, 0);

  std::vector<Id> members = {m.type_array(uint_type, kPushWords, 4)};
  std::vector<uint32_t> offsets = {0};
  if (s.parts.memory) add_wide_push_members(s, members, offsets);
  s.push = m.variable(spv::StorageClassPushConstant, m.type_block(members, offsets, true));
}

void declare_privates(Shared& s) {
  ModuleBuilder& m = s.module;
  s.slot = m.variable(spv::StorageClassPrivate, s.type(kUint));
  s.hash = m.variable(spv::StorageClassPrivate, s.type(kUint), s.uint_constant(s.rng.word()));
  for (uint32_t i = s.rng.below(4); i > 0; --i) {
    Variable variable;
    variable.storage = spv::StorageClassPrivate;
    variable.element = s.rng.chance(50) ? kInt : kUint;
    if (s.rng.chance(50)) variable.lengths[0] = s.rng.pick(kLengths);
    const Id type = s.type(variable);
    variable.id = m.variable(variable.storage, type, m.constant_null(type));
    s.privates.push_back(variable);
  }
}

namespace {

void declare_variables(Shared& s) {
  ModuleBuilder& m = s.module;
  const Id vector = s.type({Base::Uint, 3});
  if (s.form.careful) {
    s.builtins_in = spv::StorageClassPrivate;
    s.real_local_id = m.builtin_variable(spv::BuiltInLocalInvocationId, vector);
    s.global_id = m.variable(s.builtins_in, vector);
    s.local_id = m.variable(s.builtins_in, vector);
    s.local_index = m.variable(s.builtins_in, s.type(kUint));
  } else {
    s.global_id = m.builtin_variable(spv::BuiltInGlobalInvocationId, vector);
    s.local_id = m.builtin_variable(spv::BuiltInLocalInvocationId, vector);
    s.local_index = m.builtin_variable(spv::BuiltInLocalInvocationIndex, s.type(kUint));
  }
  s.workgroup_id = m.builtin_variable(spv::BuiltInWorkgroupId, vector);
  s.num_workgroups = m.builtin_variable(spv::BuiltInNumWorkgroups, vector);
  s.workgroup_array = m.variable(spv::StorageClassWorkgroup, m.type_array(s.type(kUint), s.invocations));
  s.workgroup_sum = m.variable(spv::StorageClassWorkgroup, s.type(kUint));
  declare_privates(s);
  if (s.parts.memory) {
    declare_wide_memory(s);
    declare_cells(s);
  }
  if (s.parts.pointers) declare_pointers(s);
  if (s.parts.subgroups) declare_subgroups(s);
}

Callee draw_signature(Shared& s) {
  Rng& rng = s.rng;
  Callee callee;
  const auto type = [&] {
    return Type{rng.chance(50) ? Base::Int : Base::Uint, static_cast<uint8_t>(rng.chance(15) ? 2 : 1)};
  };
  if (rng.chance(80)) callee.result = rng.chance(15) ? kBool : type();
  for (uint32_t i = rng.below(4); i > 0; --i) callee.values.push_back(rng.chance(10) ? kBool : type());
  for (uint32_t i = rng.below(3); i > 0; --i) {
    Variable variable;
    variable.element = type();
    if (rng.chance(50)) variable.lengths[0] = rng.pick(kLengths);
    callee.pointers.push_back(variable);
  }
  if (s.parts.memory) draw_pointer_parameters(s, callee);
  return callee;
}

Id result_type(Shared& s, const Callee& callee) {
  return callee.result ? s.type(*callee.result) : s.module.type_void();
}

std::vector<Id> parameter_types(Shared& s, const Callee& callee) {
  std::vector<Id> types;
  for (const Type type : callee.values) types.push_back(s.type(type));
  for (const Variable& variable : callee.pointers) {
    types.push_back(s.module.type_pointer(spv::StorageClassFunction, s.type(variable)));
  }
  add_pointer_types(s, callee, types);
  return types;
}

}  // namespace

void draw_weights(Shared& s) {
  // Some programs lack some kinds of statement, so that others come close to each other.
  constexpr uint32_t kUsual[] = {14, 16, 10, 6, 4, 4, 6, 9, 9, 7, 9, 6, 8};
  static_assert(std::size(kUsual) == static_cast<size_t>(Statement::kComputeCount));
  for (size_t i = 0; i < std::size(kUsual); ++i) {
    const uint32_t kind = s.rng.below(10);
    s.weights[i] = kind < 2 ? 0 : kind < 4 ? kUsual[i] * 3 : kUsual[i];
  }
  s.weights[static_cast<size_t>(Statement::Assign)] += 4;
}

void add_callees(Shared& s) {
  for (uint32_t i = s.rng.below(4); i > 0; --i) {
    FunctionGenerator function(s, draw_signature(s));
    s.callees.push_back(function.write_callee());
  }
}

// ---- functions ----

FunctionGenerator::FunctionGenerator(Shared& shared)
    : s_(shared),
      rng_(shared.rng),
      module_(shared.module),
      is_main_(true),
      f_(shared.module, shared.module.type_void(), {}) {
  variables_ = s_.privates;
  wide_variables_ = s_.wide_privates;
}

FunctionGenerator::FunctionGenerator(Shared& shared, const Callee& callee)
    : s_(shared),
      rng_(shared.rng),
      module_(shared.module),
      callee_(callee),
      f_(shared.module, result_type(shared, callee), parameter_types(shared, callee)) {
  variables_ = s_.privates;
  wide_variables_ = s_.wide_privates;
  size_t index = 0;
  for (const Type type : callee.values) pool_.push_back({f_.parameter(index++), type, false});
  for (const Variable& variable : callee.pointers) {
    variables_.push_back(variable);
    variables_.back().id = f_.parameter(index++);
  }
  for (const WideVariable& variable : callee.wide_pointers) {
    wide_variables_.push_back(variable);
    wide_variables_.back().id = f_.parameter(index++);
  }
  for (const spv::StorageClass storage : callee.word_pointers)
    word_parameters_.push_back({f_.parameter(index++), storage});
  for (uint32_t i = 0; i < callee.record_pointers; ++i) record_parameters_.push_back(f_.parameter(index++));
  for (const WordParameter& parameter : word_parameters_) module_.decorate(parameter.id, {spv::DecorationAliased});
  for (const Id id : record_parameters_) module_.decorate(id, {spv::DecorationAliased});
}

void FunctionGenerator::add_locals() {
  for (uint32_t i = rng_.between(1, 4); i > 0; --i) {
    Variable variable;
    variable.element = random_type(true);
    if (rng_.chance(50)) variable.lengths[0] = rng_.pick(kLengths);
    if (variable.lengths[0] != 0 && rng_.chance(25)) variable.lengths[1] = rng_.between(2, 4);
    const Id type = s_.type(variable);
    variable.id = f_.variable(type, module_.constant_null(type));
    variables_.push_back(variable);
  }
  if (s_.parts.memory) add_wide_locals();
}

Callee FunctionGenerator::write_callee() {
  budget_ = static_cast<int>(rng_.between(3, 14));
  add_locals();
  if (block(0, rng_.between(2, 6))) write_return();
  f_.finish();
  callee_.id = f_.id();
  callee_.cost = cost_ + static_cast<uint32_t>(f_.instruction_count() - counted_);
  return callee_;
}

/// Ends all invocations but every eighth, and gives those the built-ins that they have without the others.
void FunctionGenerator::write_one_lane() {
  const Id word = s_.type(kUint), vector = s_.type({Base::Uint, 3});
  const Id real = f_.value(spv::OpLoad, vector, {s_.real_local_id});
  const Id wide_x = f_.value(spv::OpCompositeExtract, word, {real, 0});
  const Id x = word_op(spv::OpUDiv, wide_x, s_.uint_constant(kLaneDistance));
  const Id local = f_.value(spv::OpCompositeInsert, vector, {x, real, 0});
  Id size[3], part[3];
  for (uint32_t i = 0; i < 3; ++i) size[i] = s_.uint_constant(s_.local_size[i]);
  for (uint32_t i = 0; i < 3; ++i) part[i] = f_.value(spv::OpCompositeExtract, word, {local, i});
  const Id sizes = module_.constant_composite(vector, size);
  const Id group = f_.value(spv::OpLoad, vector, {s_.workgroup_id});
  const Id first = f_.value(spv::OpIMul, vector, {group, sizes});
  const Id planes = word_op(spv::OpIMul, part[2], size[1]);
  const Id rows = word_op(spv::OpIAdd, planes, part[1]);
  const Id before = word_op(spv::OpIMul, rows, size[0]);
  f_.statement(spv::OpStore, {s_.local_id, local});
  f_.statement(spv::OpStore, {s_.global_id, f_.value(spv::OpIAdd, vector, {first, local})});
  f_.statement(spv::OpStore, {s_.local_index, word_op(spv::OpIAdd, before, x)});
  const Id lane = word_op(spv::OpUMod, wide_x, s_.uint_constant(kLaneDistance));
  const Id is_idle = f_.value(spv::OpINotEqual, s_.type(kBool), {lane, s_.uint_constant(0)});
  const Id leave = module_.new_id(), stay = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {stay, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {is_idle, leave, stay});
  f_.label(leave);
  f_.statement(spv::OpReturn, {});
  f_.label(stay);
  counted_ = f_.instruction_count();
}

void FunctionGenerator::write_main() {
  if (s_.form.careful) write_one_lane();
  if (s_.parts.subgroups) find_lanes();
  const Id type = s_.type(kUint);
  const Id own = f_.value(spv::OpLoad, type, {s_.local_index});
  Id group[2];
  for (uint32_t i = 0; i < 2; ++i) {
    const Id pointer = access(s_.workgroup_id, spv::StorageClassInput, kUint, {s_.uint_constant(i)});
    group[i] = f_.value(spv::OpLoad, type, {pointer});
  }
  const Id row = f_.value(spv::OpIMul, type, {group[1], s_.uint_constant(s_.groups[0])});
  const Id flat_group = f_.value(spv::OpIAdd, type, {row, group[0]});
  const Id first = f_.value(spv::OpIMul, type, {flat_group, s_.uint_constant(s_.invocations)});
  f_.statement(spv::OpStore, {s_.slot, f_.value(spv::OpIAdd, type, {first, own})});
  if (s_.parts.pointers) clear_pointer_words();
  add_locals();
  if (s_.parts.subgroups) add_region_words();
  // Early, while calls are not too expensive yet.
  if (s_.parts.pointers) {
    for (uint32_t i = rng_.between(1, 3); i > 0; --i) call();
  }

  // First where all invocations must reach the barriers, then where anything may happen.
  budget_ = static_cast<int>(rng_.between(4, 20));
  uniform_ = true;
  returns_allowed_ = false;
  bool reachable = block(0, rng_.between(1, 5));
  if (s_.parts.memory) {
    for (uint32_t i = rng_.below(3); i > 0; --i) wide_total();
    for (uint32_t i = rng_.below(3); i > 0; --i) own_atomic();
    for (uint32_t i = rng_.below(3); i > 0; --i) cell_atomic();
  }
  if (s_.parts.subgroups) {
    for (uint32_t i = rng_.between(1, 2); i > 0; --i) subgroup_statement();
  }
  uniform_ = false;
  returns_allowed_ = true;
  budget_ = static_cast<int>(rng_.between(8, 30));
  for (Value& value : pool_) value.uniform = false;
  if (reachable) reachable = block(0, rng_.between(3, 8));
  if (reachable) {
    for (const Variable& variable : variables_) {
      if (rng_.chance(70)) trace(expression(Type{variable.element.base, 1}, 0, false));
      const auto [pointer, loaded] = element(variable);
      Value value{f_.value(spv::OpLoad, s_.type(loaded), {pointer}), loaded, false};
      for (uint32_t i = 0; i < loaded.size && loaded.size > 1; ++i) {
        const Type scalar{loaded.base, 1};
        trace({f_.value(spv::OpCompositeExtract, s_.type(scalar), {value.id, i}), scalar, false});
      }
      if (loaded.size == 1) trace(value);
    }
    trace_wide_variables();
    write_return();
  }
  f_.finish();
}

// ---- programs ----

Program with_data(uint64_t seed, Words words, const Parts& parts) {
  Rng rng(~seed);
  Program program;
  program.seed = seed;
  program.local_size = local_size_of(words);
  program.words = std::move(words);
  program.groups = rng.pick(kGroups);
  program.push = random_words(rng, kPushWords);
  const auto& local = program.local_size;
  const auto& groups = program.groups;
  const size_t invocations = size_t{local[0]} * local[1] * local[2] * groups[0] * groups[1] * groups[2];
  program.buffers = {{0, 0, true, random_words(rng, kInputOffset / 4 + kInputWords)},
                     {0, 1, true, random_words(rng, kSlotWords * invocations)},
                     {0, 2, true, random_words(rng, kAtomicWords)},
                     {0, 3, false, random_words(rng, kUniformBytes / 4)},
                     {1, 0, true, random_words(rng, kRecordBytes / 4 * invocations)}};
  if (parts.memory) {
    program.buffers.push_back({1, 1, true, wide_data(rng, kRecordFields, kWideRecordBytes, invocations)});
    program.buffers.push_back({1, 2, true, wide_data(rng, kInputFields, kWideInputBytes, 1)});
    program.buffers.push_back({1, 5, true, wide_data(rng, kCellFields, kCellBytes, 1)});
    program.buffers.push_back({1, 6, false, wide_data(rng, kUniformFields, kWideUniformBytes, 1)});
    const std::vector<uint32_t> push = wide_data(rng, kPushFields, kWidePushBytes, 1);
    program.push.insert(program.push.end(), push.begin() + kPushWords, push.end());
  }
  if (parts.pointers) {
    program.buffers.push_back({1, 3, false, std::vector<uint32_t>(4), true});
    program.buffers.push_back({1, 4, true, wide_data(rng, kRecordFields, kWideRecordBytes, 2 * invocations)});
  }
  program.has_subgroups = parts.subgroups;
  return program;
}

namespace {

void add_capabilities(const Parts& parts, const Form& form, EntryPoint& entry) {
  const auto add = [&](std::initializer_list<spv::Capability> more) {
    for (const spv::Capability capability : more) entry.capabilities.push_back(capability);
  };
  if (parts.widths) {
    add({spv::CapabilityInt8, spv::CapabilityInt16, spv::CapabilityInt64, spv::CapabilityFloat16,
         spv::CapabilityFloat64});
  }
  if (parts.memory) {
    add({spv::CapabilityStorageBuffer8BitAccess, spv::CapabilityStorageBuffer16BitAccess,
         spv::CapabilityUniformAndStorageBuffer8BitAccess, spv::CapabilityUniformAndStorageBuffer16BitAccess,
         spv::CapabilityStoragePushConstant8, spv::CapabilityStoragePushConstant16, spv::CapabilityInt64Atomics,
         spv::CapabilityAtomicFloat32AddEXT, spv::CapabilityAtomicFloat64AddEXT, spv::CapabilityAtomicFloat16AddEXT,
         spv::CapabilityAtomicFloat32MinMaxEXT, spv::CapabilityAtomicFloat64MinMaxEXT,
         spv::CapabilityAtomicFloat16MinMaxEXT});
    for (const char* extension : {"SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float16_add",
                                  "SPV_EXT_shader_atomic_float_min_max"}) {
      entry.extensions.push_back(extension);
    }
  }
  if (parts.pointers) add({spv::CapabilityVariablePointers, spv::CapabilityPhysicalStorageBufferAddresses});
  if (parts.subgroups && form.subgroup_size == 0) {
    add({spv::CapabilityGroupNonUniform, spv::CapabilityGroupNonUniformVote, spv::CapabilityGroupNonUniformArithmetic,
         spv::CapabilityGroupNonUniformBallot, spv::CapabilityGroupNonUniformShuffle,
         spv::CapabilityGroupNonUniformShuffleRelative, spv::CapabilityGroupNonUniformClustered,
         spv::CapabilityGroupNonUniformQuad, spv::CapabilityGroupNonUniformRotateKHR,
         spv::CapabilityGroupNonUniformPartitionedNV});
    for (const char* extension : {"SPV_KHR_subgroup_rotate", "SPV_NV_shader_subgroup_partitioned"}) {
      entry.extensions.push_back(extension);
    }
  }
}

Words write(uint64_t seed, const Parts& parts, const Form& form) {
  Shared s(seed);
  s.parts = parts;
  s.form = form;
  // The grid is data, which with_data() draws from the same seed.
  Rng data(~seed);
  s.groups = data.pick(kGroups);
  const auto& size = s.rng.pick(kLocalSizes);
  std::copy(std::begin(size), std::end(size), s.local_size);
  s.invocations = size[0] * size[1] * size[2];
  draw_weights(s);
  declare_buffers(s);
  declare_variables(s);
  add_callees(s);
  if (parts.pointers) decorate_aliases(s);
  FunctionGenerator main(s);
  main.write_main();
  EntryPoint entry;
  entry.has_addresses = parts.pointers;
  add_capabilities(parts, form, entry);
  const uint32_t width = size[0] * (form.careful ? kLaneDistance : 1);
  entry.modes = {{spv::ExecutionModeLocalSize, width, size[1], size[2]}};
  return s.module.finish(main.main_id(), entry);
}

}  // namespace

Program generate(uint64_t seed, const Parts& parts) {
  Program program = with_data(seed, write(seed, parts, {}), parts);
  program.rewrite = [seed, parts](const Form& form) { return write(seed, parts, form); };
  return program;
}

}  // namespace spalt::random_programs
