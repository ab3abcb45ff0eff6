// SPDX-License-Identifier: MIT
//
// Numbers of 8, 16 and 64 bits in memory: the records of a storage buffer, an input that all may read, a uniform
// buffer, push constants, variables and arrays of workgroups.
#include <bit>
#include <cstring>

#include "generator.h"
#include "wide_layout.h"

namespace spalt::random_programs {
namespace {

struct Format {
  uint32_t bits;
  bool is_float;
};
constexpr Format kFormats[] = {{8, false}, {16, false}, {64, false}, {16, true}, {64, true}};
constexpr uint32_t kLengths[] = {2, 3, 5, 8, 16};

/// Of a whole number below 32 in magnitude.
uint16_t half_of(int32_t value) {
  const auto magnitude = static_cast<uint32_t>(value < 0 ? -value : value);
  if (magnitude == 0) return 0;
  const auto exponent = static_cast<uint32_t>(std::bit_width(magnitude)) - 1;
  return static_cast<uint16_t>((value < 0 ? 0x8000u : 0u) | (exponent + 15) << 10 |
                               ((magnitude << (10 - exponent)) & 0x3ff));
}

void put_float(uint8_t* at, uint32_t bits, int32_t whole) {
  const double wide = whole;
  const auto single = static_cast<float>(whole);
  if (bits == 64) {
    std::memcpy(at, &wide, sizeof wide);
  } else if (bits == 32) {
    std::memcpy(at, &single, sizeof single);
  } else {
    const uint16_t half = half_of(whole);
    std::memcpy(at, &half, sizeof half);
  }
}

uint32_t stride_of(const WideField& field) {
  return field.stride != 0 ? field.stride : field.bits / 8 * field.size;
}

Id field_type(Shared& s, const WideField& field) {
  Id type = s.scalar_type(field.bits, field.is_float);
  if (field.size != 1) type = s.module.type_vector(type, field.size);
  if (field.length != 0) type = s.module.type_array(type, field.length, stride_of(field));
  return type;
}

Id struct_type(Shared& s, std::span<const WideField> fields, bool is_block) {
  std::vector<Id> members;
  std::vector<uint32_t> offsets;
  for (const WideField& field : fields) {
    members.push_back(field_type(s, field));
    offsets.push_back(field.offset);
  }
  return s.module.type_block(members, offsets, is_block);
}

}  // namespace

std::vector<uint32_t> wide_data(Rng& rng, std::span<const WideField> fields, uint32_t bytes, size_t count) {
  std::vector<uint32_t> words(bytes / 4 * count);
  for (uint32_t& word : words) word = rng.chance(70) ? rng.word() : rng.chance(50) ? 0 : 0xffffffff;
  auto* const data = reinterpret_cast<uint8_t*>(words.data());
  for (size_t i = 0; i < count; ++i) {
    for (const WideField& field : fields) {
      if (!field.is_float) continue;
      const uint32_t range = 1u << whole_bits(field.bits);
      for (uint32_t k = 0; k < field.size * std::max(field.length, 1u); ++k) {
        const auto whole = static_cast<int32_t>(rng.below(range)) - static_cast<int32_t>(range / 2);
        const size_t element = k / field.size, part = k % field.size;
        put_float(data + i * bytes + field.offset + element * stride_of(field) + part * field.bits / 8, field.bits,
                  whole);
      }
    }
  }
  return words;
}

void declare_wide_memory(Shared& s) {
  ModuleBuilder& m = s.module;
  s.record_type = struct_type(s, kRecordFields, false);
  const Id records = m.type_block({m.type_runtime_array(s.record_type, kWideRecordBytes)}, {0}, true);
  s.wide_records = m.buffer_variable(spv::StorageClassStorageBuffer, records, 1, 1);
  const Id input = struct_type(s, kInputFields, true);
  for (uint32_t i = 0; i < std::size(kInputFields); ++i) m.decorate_member(input, i, {spv::DecorationNonWritable});
  s.wide_input = m.buffer_variable(spv::StorageClassStorageBuffer, input, 1, 2);
  const Id uniforms = struct_type(s, kUniformFields, true);
  s.wide_uniforms = m.buffer_variable(spv::StorageClassUniform, uniforms, 1, 6);
  for (const Format& format : kFormats) {
    const Id type = m.type_array(s.scalar_type(format.bits, format.is_float), s.invocations);
    const Id id = m.variable(spv::StorageClassWorkgroup, type);
    s.workgroup_wide.push_back({id, spv::StorageClassWorkgroup, format.bits, format.is_float, s.invocations});
  }
  for (uint32_t i = s.rng.below(3); i > 0; --i) {
    const Format& format = s.rng.pick(kFormats);
    WideVariable variable{0, spv::StorageClassPrivate, format.bits, format.is_float, 0};
    if (s.rng.chance(60)) variable.length = s.rng.pick(kLengths);
    Id type = s.scalar_type(format.bits, format.is_float);
    if (variable.length != 0) type = m.type_array(type, variable.length);
    variable.id = m.variable(variable.storage, type, m.constant_null(type));
    s.wide_privates.push_back(variable);
  }
}

/// After the words of the block.
void add_wide_push_members(Shared& s, std::vector<Id>& members, std::vector<uint32_t>& offsets) {
  for (const WideField& field : kPushFields) {
    members.push_back(field_type(s, field));
    offsets.push_back(field.offset);
  }
}

Id Shared::type(const WideVariable& variable) {
  const Id scalar = scalar_type(variable.bits, variable.is_float);
  return variable.length == 0 ? scalar : module.type_array(scalar, variable.length);
}

Id FunctionGenerator::number_type(const Number& number) {
  const Id scalar = number.bits == 1 ? s_.type(kBool) : s_.scalar_type(number.bits, number.is_float);
  return number.size == 1 ? scalar : module_.type_vector(scalar, number.size);
}

WideVariable random_wide_variable(Shared& s) {
  const Format& format = s.rng.pick(kFormats);
  WideVariable variable{0, spv::StorageClassFunction, format.bits, format.is_float, 0};
  if (s.rng.chance(60)) variable.length = s.rng.pick(kLengths);
  return variable;
}

void FunctionGenerator::add_wide_locals() {
  for (uint32_t i = rng_.between(1, 3); i > 0; --i) {
    WideVariable variable = random_wide_variable(s_);
    variable.id = f_.variable(s_.type(variable), module_.constant_null(s_.type(variable)));
    wide_variables_.push_back(variable);
  }
}

WidePlace FunctionGenerator::wide_place(Id base, spv::StorageClass storage, std::span<const Id> before,
                                        std::span<const WideField> fields, uint32_t number, bool uniform,
                                        uint32_t first) {
  const WideField& field = fields[number];
  WidePlace place{0, field.bits, field.is_float, 1, true};
  Words operands = {base};
  operands.insert(operands.end(), before.begin(), before.end());
  operands.push_back(s_.uint_constant(first + number));
  if (field.length != 0) {
    const Value at = index(field.length, uniform);
    operands.push_back(at.id);
    place.uniform = at.uniform;
  }
  Id type = s_.scalar_type(field.bits, field.is_float);
  if (field.size != 1) {
    if (rng_.chance(60)) {
      const Value part = index(field.size, uniform);
      operands.push_back(part.id);
      place.uniform = place.uniform && part.uniform;
    } else {
      place.size = field.size;
      type = module_.type_vector(type, field.size);
    }
  }
  place.pointer = f_.value(spv::OpAccessChain, module_.type_pointer(storage, type), operands);
  return place;
}

WidePlace FunctionGenerator::record_place(uint32_t field) {
  const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {s_.slot});
  const Id before[] = {s_.uint_constant(0), slot};
  WidePlace place = wide_place(s_.wide_records, spv::StorageClassStorageBuffer, before, kRecordFields, field, false);
  place.uniform = false;
  return place;
}

WidePlace FunctionGenerator::variable_place(const WideVariable& variable) {
  WidePlace place{variable.id, variable.bits, variable.is_float, 1, false};
  if (variable.length == 0) return place;
  const Id type = module_.type_pointer(variable.storage, s_.scalar_type(variable.bits, variable.is_float));
  place.pointer = f_.value(spv::OpAccessChain, type, {variable.id, index(variable.length, false).id});
  return place;
}

Number FunctionGenerator::load(const WidePlace& place) {
  const Id scalar = s_.scalar_type(place.bits, place.is_float);
  const Id type = place.size == 1 ? scalar : module_.type_vector(scalar, place.size);
  Words operands = {place.pointer};
  if (place.align != 0) operands.insert(operands.end(), {uint32_t{spv::MemoryAccessAlignedMask}, place.align});
  Id value = f_.value(spv::OpLoad, type, operands);
  if (place.size != 1) value = f_.value(spv::OpCompositeExtract, scalar, {value, rng_.below(place.size)});
  return {value, place.bits, place.uniform, place.is_float};
}

void FunctionGenerator::store(const WidePlace& place, unsigned depth) {
  Words parts;
  for (uint32_t i = 0; i < place.size; ++i) {
    parts.push_back(place.is_float ? whole(place.bits, depth, false).id : computed(place.bits, depth, false).id);
  }
  Id value = parts[0];
  if (place.size != 1) {
    const Id type = module_.type_vector(s_.scalar_type(place.bits, place.is_float), place.size);
    value = f_.value(spv::OpCompositeConstruct, type, parts);
  }
  Words operands = {place.pointer, value};
  if (place.align != 0) operands.insert(operands.end(), {uint32_t{spv::MemoryAccessAlignedMask}, place.align});
  f_.statement(spv::OpStore, operands);
}

std::optional<Number> FunctionGenerator::wide_load(uint32_t bits, bool is_float, bool uniform) {
  const auto fits = [&](const auto& some) { return some.bits == bits && some.is_float == is_float; };
  enum Kind : uint32_t { Input, Uniforms, Push, Record, Variables, Physical };
  const uint32_t kind = rng_.below(uniform ? 3 : s_.parts.pointers ? 6 : 5);
  if (kind == Variables) {
    std::vector<const WideVariable*> variables;
    for (const WideVariable& variable : wide_variables_) {
      if (fits(variable)) variables.push_back(&variable);
    }
    if (!variables.empty()) return load(variable_place(*rng_.pick(variables)));
  }
  constexpr std::span<const WideField> kFields[] = {kInputFields,  kUniformFields, kPushFields,
                                                    kRecordFields, kInputFields,   kRecordFields};
  const std::span<const WideField> fields = kFields[kind];
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < fields.size(); ++i) {
    if (fits(fields[i])) numbers.push_back(i);
  }
  if (numbers.empty()) return std::nullopt;
  const uint32_t number = rng_.pick(numbers);
  if (kind == Record) return load(record_place(number));
  if (kind == Physical) return load(physical_place(number));
  if (kind == Uniforms) {
    return load(wide_place(s_.wide_uniforms, spv::StorageClassUniform, {}, kUniformFields, number, uniform));
  }
  // The words are the first member.
  if (kind == Push) {
    return load(wide_place(s_.push, spv::StorageClassPushConstant, {}, kPushFields, number, uniform, 1));
  }
  return load(wide_place(s_.wide_input, spv::StorageClassStorageBuffer, {}, kInputFields, number, uniform));
}

void FunctionGenerator::wide_statement() {
  if (uniform_ && is_main_ && rng_.chance(35)) return rng_.chance(65) ? wide_exchange() : wide_total();
  if (rng_.chance(30)) return rng_.chance(50) ? cell_atomic() : own_atomic();
  if (wide_variables_.empty() || rng_.chance(50)) {
    const uint32_t field = rng_.below(static_cast<uint32_t>(std::size(kRecordFields)));
    store(s_.parts.pointers && rng_.chance(60) ? physical_place(field) : record_place(field), 2);
  } else {
    store(variable_place(rng_.pick(wide_variables_)), 2);
  }
}

void FunctionGenerator::wide_exchange() {
  const WideVariable& array = rng_.pick(s_.workgroup_wide);
  const Id own = f_.value(spv::OpLoad, s_.type(kUint), {s_.local_index});
  const Id pointer = module_.type_pointer(array.storage, s_.scalar_type(array.bits, array.is_float));
  const auto place = [&](Id at) {
    return WidePlace{f_.value(spv::OpAccessChain, pointer, {array.id, at}), array.bits, array.is_float, 1, false};
  };
  store(place(own), 2);
  barrier();
  const Id shifted = f_.value(spv::OpIAdd, s_.type(kUint), {own, s_.uint_constant(rng_.below(s_.invocations))});
  take(load(place(f_.value(spv::OpUMod, s_.type(kUint), {shifted, s_.uint_constant(s_.invocations)}))));
  barrier();
}

void FunctionGenerator::trace_wide_variables() {
  for (const WideVariable& variable : wide_variables_) trace(number_to_word(load(variable_place(variable))));
}

/// Into the trace, and for later expressions.
void FunctionGenerator::take(const Number& number) {
  const Value word = number_to_word(number);
  trace(word);
  pool_.push_back(word);
}

}  // namespace spalt::random_programs
