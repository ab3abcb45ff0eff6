// SPDX-License-Identifier: MIT
#include "spirv/reflect/declarations.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/names.h"
#include "spirv/recent.h"
#include "spirv/reflect/size_operations.h"

namespace spalt::spirv {
namespace {

/// Groups of decorations multiply; what real modules have is far below.
constexpr size_t kMaxDecorations = size_t{1} << 22;
constexpr uint32_t kMaxIdBound = 4'194'303;

uint64_t low_bits(uint64_t value, uint32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

}  // namespace

bool Declarations::fail(Status status, std::string message) {
  error_ = {status, std::move(message), at_, {}, 0};
  return false;
}

bool Declarations::needs(const Instruction& in, uint32_t words) {
  return in.count >= words || fail(Status::invalid_input, "an instruction that ends before its last operand");
}

bool Declarations::read_header() {
  if (words_.size() < 5) return fail(Status::invalid_input, "a SPIR-V module has at least 5 words");
  if (words_[1] < 0x10000 || words_[1] > 0x10600) {
    return fail(Status::unsupported, "only SPIR-V versions 1.0 to 1.6 are supported");
  }
  if (words_[3] == 0) return fail(Status::invalid_input, "the id bound is zero");
  if (words_[3] > kMaxIdBound) return fail(Status::limit_exceeded, concat("the id bound exceeds ", kMaxIdBound));
  type_index_.resize(words_[3], 0);
  constant_index_.resize(words_[3], 0);
  types_.resize(1);
  constants_.resize(1);
  newest_.resize(words_[3], kNotGiven);
  return true;
}

bool Declarations::read(Names names) {
  if (!read_header()) return false;
  wants_names_ = names == Names::wanted;
  for (at_ = 5; at_ < words_.size();) {
    Instruction in;
    in.words = words_.data() + at_;
    in.opcode = in.words[0] & 0xffff;
    in.count = in.words[0] >> 16;
    in.offset = at_;
    if (in.opcode == spv::OpFunction) break;
    if (in.count == 0 || in.count > words_.size() - at_) {
      return fail(Status::invalid_input, "an instruction that leaves the module");
    }
    if (!read_instruction(in)) return false;
    at_ += in.count;
  }
  sort_decorations();
  std::sort(names_.begin(), names_.end(),
            [](const Name& a, const Name& b) { return a.id != b.id ? a.id < b.id : a.member < b.member; });
  std::sort(composites_.begin(), composites_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return true;
}

bool Declarations::read_instruction(const Instruction& in) {
  switch (in.opcode) {
    case spv::OpCapability:
      if (!needs(in, 2)) return false;
      capabilities.push_back(in[1]);
      return true;
    case spv::OpEntryPoint:
      return read_entry_point(in);
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
      if (!needs(in, 3)) return false;
      execution_modes.push_back(in);
      return true;
    case spv::OpName:
      return !wants_names_ || (needs(in, 3) && read_name(in, kWhole, 2));
    case spv::OpMemberName:
      return !wants_names_ || (needs(in, 4) && read_name(in, in[2], 3));
    case spv::OpDecorate:
    case spv::OpMemberDecorate:
    case spv::OpGroupDecorate:
    case spv::OpGroupMemberDecorate:
      return read_decoration(in);
    case spv::OpVariable:
      if (!needs(in, 4)) return false;
      variables.push_back({in[2], in[1], in[3]});
      return true;
    case kOpUntypedVariable:
      if (!needs(in, 5)) return false;
      variables.push_back({in[2], in[1], in[3], in[4]});
      return true;
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstant:
    case spv::OpConstantComposite:
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
    case spv::OpSpecConstantComposite:
      return read_constant(in);
    case spv::OpSpecConstantOp:
      return read_operation(in);
    default:
      return read_type(in);
  }
}

bool Declarations::text_at(const Instruction& in, uint32_t first, std::string_view& text, uint32_t& next) {
  if (!literal_string(in, first, text)) return fail(Status::invalid_input, "a string without an end");
  next = first + static_cast<uint32_t>(text.size() / sizeof(uint32_t)) + 1;
  return true;
}

bool Declarations::read_entry_point(const Instruction& in) {
  DeclaredEntryPoint entry;
  uint32_t next = 0;
  if (!needs(in, 4) || !text_at(in, 3, entry.name, next)) return false;
  entry.model = in[1];
  entry.function = in[2];
  entry.interface = {in.words + next, in.count - next};
  entry_points.push_back(entry);
  return true;
}

bool Declarations::read_name(const Instruction& in, uint32_t member, uint32_t first) {
  Name name{in[1], member, {}};
  uint32_t next = 0;
  if (!text_at(in, first, name.text, next)) return false;
  names_.push_back(name);
  return true;
}

bool Declarations::decorate(uint32_t id, uint32_t member, uint32_t decoration, uint32_t argument) {
  if (decorations_.size() == kMaxDecorations) return fail(Status::limit_exceeded, "too many decorations");
  if (id >= newest_.size()) return fail(Status::invalid_input, "an id beyond the bound");
  const auto index = static_cast<uint32_t>(decorations_.size());
  decorations_.push_back({id, member, decoration, index, argument, newest_[id]});
  newest_[id] = index;
  return true;
}

/// The decorations of a group come before its uses, so those of now are all.
bool Declarations::copy_group(const Instruction& in) {
  if (in[1] >= newest_.size()) return fail(Status::invalid_input, "an id beyond the bound");
  Vector<Decoration>& group = group_;
  group.clear();
  for (uint32_t i = newest_[in[1]]; i != kNotGiven; i = decorations_[i].previous) {
    if (++group_steps_ > kMaxDecorations) return fail(Status::limit_exceeded, "too many decorations in groups");
    if (decorations_[i].member == kWhole) group.push_back(decorations_[i]);
  }
  const bool members = in.opcode == spv::OpGroupMemberDecorate;
  for (uint32_t i = 2; i + (members ? 1 : 0) < in.count; i += members ? 2 : 1) {
    for (const Decoration& d : group) {
      if (!decorate(in[i], members ? in[i + 1] : kWhole, d.decoration, d.argument)) return false;
    }
  }
  return true;
}

bool Declarations::read_decoration(const Instruction& in) {
  if (sorted_) return fail(Status::invalid_input, "a decoration after the first constant");
  switch (in.opcode) {
    case spv::OpDecorate:
      return needs(in, 3) && decorate(in[1], kWhole, in[2], in.count > 3 ? in[3] : 0);
    case spv::OpMemberDecorate:
      return needs(in, 4) && decorate(in[1], in[2], in[3], in.count > 4 ? in[4] : 0);
    default:
      return needs(in, 2) && copy_group(in);
  }
}

void Declarations::sort_decorations() {
  if (!sorted_) std::sort(decorations_.begin(), decorations_.end());
  sorted_ = true;
}

const Declarations::Decoration* Declarations::find(uint32_t id, uint32_t decoration, uint32_t member) const {
  const Decoration wanted{id, member, decoration, 0, 0, 0};
  const auto at = std::lower_bound(decorations_.begin(), decorations_.end(), wanted);
  const bool found = at != decorations_.end() && at->id == id && at->member == member && at->decoration == decoration;
  return found ? &*at : nullptr;
}

uint32_t Declarations::argument(uint32_t id, uint32_t decoration, uint32_t member) const {
  const Decoration* found = find(id, decoration, member);
  return found != nullptr ? found->argument : kNotGiven;
}

std::string_view Declarations::name(uint32_t id) const {
  return member_name(id, kWhole);
}

std::string_view Declarations::member_name(uint32_t id, uint32_t member) const {
  const auto before = [](const Name& name, const std::pair<uint32_t, uint32_t>& key) {
    return std::pair(name.id, name.member) < key;
  };
  const auto at = std::lower_bound(names_.begin(), names_.end(), std::pair(id, member), before);
  return at != names_.end() && at->id == id && at->member == member ? at->text : std::string_view();
}

bool Declarations::constant(uint32_t id, uint64_t& value) const {
  if (id >= bound() || constant(id).type == 0) return false;
  value = constant(id).value;
  return true;
}

std::span<const uint32_t> Declarations::constituents(uint32_t id) const {
  const auto at = std::lower_bound(composites_.begin(), composites_.end(), id,
                                   [](const Composite& c, uint32_t wanted) { return c.id < wanted; });
  return at != composites_.end() && at->id == id ? at->parts : std::span<const uint32_t>();
}

bool Declarations::read_type(const Instruction& in) {
  using Kind = DeclaredType::Kind;
  if (!opcode_info(in.opcode).declares_type) return true;  // names, sources, lines
  if (!needs(in, 2)) return false;
  const uint32_t id = in[1];
  if (id >= bound()) return fail(Status::invalid_input, "an id beyond the bound");
  sort_decorations();
  const bool forward = type(id).kind == Kind::pointer && type(id).element == 0;
  const bool pointer = in.opcode == spv::OpTypePointer || in.opcode == spv::OpTypeForwardPointer;
  if (is_declared(id) && !(forward && pointer)) return fail(Status::invalid_input, "a type for the second time");
  DeclaredType made;
  made.base = id;
  if (!describe_type(in, made)) return false;
  if (made.element >= bound()) return fail(Status::invalid_input, "an id beyond the bound");
  const bool made_of_later = made.element != 0 && made.kind != Kind::pointer && !is_declared(made.element);
  if (made_of_later) return fail(Status::invalid_input, "a type that is made of a later one");
  const DeclaredType& element = type(made.element);
  const auto saturated = [](uint64_t value) { return static_cast<uint32_t>(std::min<uint64_t>(value, 0xffffffffu)); };
  switch (made.kind) {
    case Kind::integer:
    case Kind::floating:
      made.bytes = made.bits / 8;
      break;
    case Kind::vector:
    case Kind::matrix:
      made.bytes = saturated(uint64_t{made.count} * element.bytes);
      break;
    case Kind::array: {
      const uint32_t stride = argument(id, spv::DecorationArrayStride);
      made.base = element.base;
      made.total = saturated(uint64_t{made.count} * element.total);
      made.bytes = saturated(uint64_t{made.count} * (stride == kNotGiven ? element.bytes : stride));
      break;
    }
    case Kind::runtime_array:
      made.base = element.base;
      made.total = 0;
      break;
    case Kind::structure:
      if (!finish_structure(id, made)) return false;
      break;
    default:
      break;
  }
  type_index_[id] = types_.size();
  types_.push_back(made);
  return true;
}

bool Declarations::finish_structure(uint32_t id, DeclaredType& structure) {
  structure.first_offset = structure.count == 0 ? 0 : 0xffffffffu;
  for (uint32_t i = 0; i < structure.count; ++i) {
    const uint32_t member = words_[structure.words + i];
    if (!is_declared(member)) return fail(Status::invalid_input, "a type that is made of a later one");
    const uint32_t given = argument(id, spv::DecorationOffset, i);
    const uint32_t offset = given == kNotGiven ? 0 : given;
    structure.first_offset = std::min(structure.first_offset, offset);
    uint64_t bytes = type(member).bytes;
    const DeclaredType& base = type(type(member).base);
    const uint32_t stride = argument(id, spv::DecorationMatrixStride, i);
    if (base.kind == DeclaredType::Kind::matrix && type(member).total == 1 && stride != kNotGiven) {
      const DeclaredType& column = type(base.element);
      const bool row_major = has(id, spv::DecorationRowMajor, i);
      const uint64_t vectors = row_major ? column.count : base.count, length = row_major ? base.count : column.count;
      bytes = vectors == 0 ? 0 : (vectors - 1) * stride + length * type(column.element).bytes;
    }
    structure.bytes =
        static_cast<uint32_t>(std::min<uint64_t>(std::max<uint64_t>(structure.bytes, offset + bytes), 0xffffffffu));
  }
  return true;
}

/// The operands of the instruction, by kind.
bool Declarations::describe_type(const Instruction& in, DeclaredType& type) {
  using Kind = DeclaredType::Kind;
  const auto is = [&](Kind kind, uint32_t least) {
    type.kind = kind;
    return needs(in, least);
  };
  switch (in.opcode) {
    case spv::OpTypeBool:
      return is(Kind::boolean, 2);
    case spv::OpTypeSampler:
      return is(Kind::sampler, 2);
    case spv::OpTypeAccelerationStructureKHR:
      return is(Kind::acceleration_structure, 2);
    case spv::OpTypeForwardPointer:
      return is(Kind::pointer, 2);
    case spv::OpTypeInt:
      if (!is(Kind::integer, 4)) return false;
      type.bits = in[2];
      type.is_signed = in[3] != 0;
      return true;
    case spv::OpTypeFloat:
      if (!is(Kind::floating, 3)) return false;
      type.bits = in[2];
      return true;
    case spv::OpTypeVector:
    case spv::OpTypeMatrix:
      if (!is(in.opcode == spv::OpTypeVector ? Kind::vector : Kind::matrix, 4)) return false;
      type.element = in[2];
      type.count = in[3];
      return true;
    case spv::OpTypeArray: {
      uint64_t count = 0;
      if (!is(Kind::array, 4)) return false;
      if (!constant(in[3], count)) return fail(Status::unsupported, "an array whose length is not a scalar constant");
      type.element = in[2];
      type.count = static_cast<uint32_t>(std::min<uint64_t>(count, 0xffffffffu));
      return true;
    }
    case spv::OpTypeRuntimeArray:
    case spv::OpTypeSampledImage:
      if (!is(in.opcode == spv::OpTypeRuntimeArray ? Kind::runtime_array : Kind::sampled_image, 3)) return false;
      type.element = in[2];
      return true;
    case spv::OpTypeStruct:
      type.count = in.count - 2;
      type.words = in.offset + 2;
      return is(Kind::structure, 2);
    case spv::OpTypeImage:
      if (!is(Kind::image, 9)) return false;
      type.element = in[2];
      type.dimension = in[3];
      type.arrayed = in[5] != 0;
      type.multisampled = in[6] != 0;
      type.sampled = in[7];
      type.format = in[8];
      return true;
    case kOpTypeUntypedPointer:
      return is(Kind::pointer, 3);
    case spv::OpTypePointer:
      if (!is(Kind::pointer, 4)) return false;
      type.element = in[3];
      return true;
    default:
      return is(Kind::other, 2);
  }
}

void Declarations::add_constant(const DeclaredConstant& constant) {
  constant_index_[constant.id] = constants_.size();
  constants_.push_back(constant);
}

bool Declarations::read_constant(const Instruction& in) {
  if (!needs(in, 3)) return false;
  if (in[2] >= bound() || in[1] >= bound()) return fail(Status::invalid_input, "an id beyond the bound");
  sort_decorations();
  if (argument(in[2], spv::DecorationBuiltIn) == spv::BuiltInWorkgroupSize) workgroup_size_id = in[2];
  if (in.opcode == spv::OpConstantComposite || in.opcode == spv::OpSpecConstantComposite) {
    composites_.push_back({in[2], {in.words + 3, in.count - 3}});
    return true;
  }
  DeclaredConstant constant{in[2], in[1], 0, 0};
  if (in.opcode == spv::OpConstant || in.opcode == spv::OpSpecConstant) {
    if (!needs(in, 4)) return false;
    constant.value = in[3] | (in.count > 4 ? uint64_t{in[4]} << 32 : 0);
    constant.value = low_bits(constant.value, type(in[1]).bits);
  } else {
    constant.value = in.opcode == spv::OpConstantTrue || in.opcode == spv::OpSpecConstantTrue ? 1 : 0;
  }
  constant.module_value = constant.value;
  if (const uint32_t spec_id = argument(in[2], spv::DecorationSpecId); spec_id != kNotGiven) {
    spec_constants.push_back(in[2]);
    for (const Specialization& given : specialization_) {
      if (given.id == spec_id) constant.value = given.value;
    }
  }
  add_constant(constant);
  return true;
}

/// Width of a scalar; 64 for what is none.
uint32_t Declarations::bits_of(uint32_t id) const {
  const DeclaredType& scalar = type(id);
  if (scalar.kind == DeclaredType::Kind::boolean) return 1;
  return scalar.bits == 0 || scalar.bits > 64 ? 64 : scalar.bits;
}

/// Sizes that are computed from specialization constants: whole numbers and truth values.
bool Declarations::read_operation(const Instruction& in) {
  if (!needs(in, 4)) return false;
  if (in[2] >= bound() || in[1] >= bound()) return fail(Status::invalid_input, "an id beyond the bound");
  // What has no value here may be anything but the length of an array.
  constexpr uint32_t kFirst = 4, kMost = 3;
  SizeOperand operands[kMost];
  if (in.count > kFirst + kMost) return true;
  for (uint32_t i = kFirst; i < in.count; ++i) {
    uint64_t value = 0;
    if (!constant(in[i], value)) return true;
    const uint32_t bits = bits_of(constant(in[i]).type);
    operands[i - kFirst] = {low_bits(value, bits), bits};
  }
  const std::optional<uint64_t> made = size_operation(in[3], {operands, in.count - kFirst});
  if (!made) return true;
  const uint64_t value = low_bits(*made, bits_of(in[1]));
  add_constant({in[2], in[1], value, value});
  return true;
}

}  // namespace spalt::spirv
